// Every answer that the FxDAO contracts of the recording gave, against the state that a reader loads as of that ledger,
// and every action that was recorded, against what the fold says of it.

import { otherAsset, pricesOf } from '@orrery/pricing'
import type { ActivityRow, Network, Slice } from '@orrery/protocol-kit'
import { loadNetwork } from '@orrery/registry'
import { type ExpectedAnswer, foldAll, recording, StateTable, slicesOf } from '@orrery/testkit'
import { beforeAll, describe, expect, it } from 'vitest'
import { fxdao } from '../src/protocol.ts'
import { type FxdaoState, vaultName, vaultsInOrder } from '../src/state.ts'
import { fxdaoView } from '../src/view.ts'

const forge = recording()
let network: Network
const report = (line: string) => process.stdout.write(`${line}\n`)
const table = new StateTable()
const answers: ExpectedAnswer[] = []
const activities: ActivityRow[] = []
const states = new Map<number, FxdaoState>()

beforeAll(async () => {
  network = await loadNetwork(forge.registryFile)
  const slices: Slice[] = []
  for await (const [slice] of slicesOf(forge, network, fxdao.routing, 1)) if (slice !== undefined) slices.push(slice)
  for (const { rows } of foldAll(slices, fxdao.adapter(network))) {
    table.write(rows.state)
    activities.push(...rows.activities)
  }
  for await (const answer of forge.expected()) if (answer.kind.startsWith('fxdao.')) answers.push(answer)
})

function stateAt(ledger: number): FxdaoState {
  const known = states.get(ledger)
  if (known !== undefined) return known
  const state = fxdaoView(network).load(table.asOf(ledger), ledger)
  states.clear()
  states.set(ledger, state)
  return state
}

const of = (kind: string) => answers.filter((answer) => answer.kind === kind)
const text = (value: unknown) => (value === null || value === undefined ? null : String(value))
const at = (answer: ExpectedAnswer) => ({ ledger: answer.ledger, closeTimeSeconds: answer.close_time })

describe('the recorded contracts', () => {
  it('say of their settings what the state rows say', () => {
    for (const { ledger, contract, core_state, collateral_balance } of of('fxdao.core') as never[] as Answer[]) {
      const { core, balances } = stateAt(ledger)
      const it = core?.value
      expect({ ledger, contract, balance: text(balances.get(it?.collateral ?? '')?.value ?? 0n), core: it && coreMembers(it) }).toEqual({
        ledger,
        contract,
        balance: collateral_balance,
        core: core_state,
      })
    }
    report(`fxdao.core: ${of('fxdao.core').length} answers equal`)
  })

  it('say of every currency its conditions, totals, rate and order', () => {
    for (const answer of of('fxdao.currency') as never[] as Answer[]) {
      const { ledger, denomination } = answer
      const state = stateAt(ledger)
      const currency = state.currencies.get(denomination)?.value
      const totals = state.totals.get(denomination)?.value
      const oracle = state.core?.value.oracle ?? ''
      const price = pricesOf(network).lastPrice(state.pricing, oracle, otherAsset(denomination), at(answer))
      const name = (it: { account: string; index: bigint } | null | undefined) =>
        it == null ? null : { account: it.account, denomination, index: text(it.index) }
      expect({ ledger, oracle, currency, totals: totals && { ...totals, lowest: name(totals.lowest) }, price }).toEqual({
        ledger,
        oracle: answer.oracle,
        currency: { active: answer.currency.active, coin: answer.currency.contract },
        totals: {
          lowest: answer.vaults_info.lowest_key,
          minimumRatio: BigInt(answer.vaults_info.min_col_rate),
          minimumDebt: BigInt(answer.vaults_info.min_debt_creation),
          openingRatio: BigInt(answer.vaults_info.opening_col_rate),
          collateral: BigInt(answer.vaults_info.total_col),
          debt: BigInt(answer.vaults_info.total_debt),
          vaults: BigInt(answer.vaults_info.total_vaults),
        },
        price: answer.price === null ? null : { price: BigInt(answer.price.price), timestampSeconds: Number(answer.price.timestamp) },
      })
      const order = vaultsInOrder(state, denomination)
      if (answer.vaults_in_order === null) continue // the contract's own list is broken
      // Nobody tells the order of vaults with one index: compared by index, and as a set.
      expect(order.map(({ vault }) => text(vault.index))).toEqual(answer.vaults_in_order.map(({ index }) => index))
      expect(order.map(({ owner, vault }) => vaultText(owner, vault.collateral, vault.debt)).sort()).toEqual(
        answer.vaults_in_order.map((it) => vaultText(it.account, it.total_collateral, it.total_debt)).sort(),
      )
    }
    report(`fxdao.currency: ${of('fxdao.currency').length} answers equal`)
  })

  it('say of every vault what it holds, its ratio, whether it may be liquidated, and what closing it takes', () => {
    const view = fxdaoView(network)
    let open = 0
    for (const answer of of('fxdao.vault') as never[] as Answer[]) {
      const { ledger, address, denomination, vault } = answer
      const state = stateAt(ledger)
      const ours = view.vaults(state, address, at(answer)).find((it) => it.denomination === denomination)
      const entry = state.vaults.get(vaultName(address, denomination))?.vault?.value
      expect({ ledger, address, denomination, open: ours !== undefined }).toEqual({ ledger, address, denomination, open: vault !== null })
      if (ours === undefined || vault === null || entry === undefined) continue
      open++
      expect({
        ledger,
        index: text(entry.index),
        next: entry.next === null ? null : { account: entry.next.account, denomination, index: text(entry.next.index) },
        collateral: text(ours.collateral.amount),
        debt: text(ours.debt.amount),
        ratio: ours.collateralRatioPct,
        liquidatable: ours.isLiquidatable,
        closing: ours.closing,
      }).toEqual({
        ledger,
        index: vault.index,
        next: vault.next_key,
        collateral: vault.total_collateral,
        debt: vault.total_debt,
        ratio: percentText(answer.collateral_ratio),
        liquidatable: answer.liquidatable,
        closing: { pay: BigInt(answer.close.pay), receive: BigInt(answer.close.receive), fee: BigInt(answer.close.fee) },
      })
    }
    report(`fxdao.vault: ${of('fxdao.vault').length} answers equal, ${open} of them of open vaults`)
  })

  it('say of locked stakes and their pools what the state rows say', () => {
    const view = fxdaoView(network)
    for (const answer of of('fxdao.locking_deposit') as never[] as Answer[]) {
      const { ledger, address, asset, contract } = answer
      const state = stateAt(ledger)
      const deposit = state.locking.get(contract)?.stakes.get(`${address} ${asset}`)?.deposit?.value
      const locked = view.locked(state, address, at(answer)).find((it) => it.stake.asset.asset === asset)
      expect({
        ledger,
        deposit: deposit ? { amount: text(deposit.amount), snapshot: text(deposit.snapshot), unlocks_at: text(deposit.unlocksAt) } : null,
        reward: deposit ? text(locked?.claimable?.amount) : null,
      }).toEqual({ ledger, deposit: answer.deposit, reward: answer.deposit === null ? null : answer.reward })
    }
    for (const answer of of('fxdao.locking_pool') as never[] as Answer[]) {
      const { ledger, asset, contract } = answer
      const locking = stateAt(ledger).locking.get(contract)
      const pool = locking?.pools.get(asset)?.value
      expect({
        ledger,
        pool: pool
          ? {
              active: pool.active,
              asset,
              balance: text(pool.balance),
              deposits: text(pool.deposits),
              factor: text(pool.factor),
              lock_period: text(pool.lockSeconds),
              min_deposit: text(pool.minimumDeposit),
            }
          : null,
        held: text(locking?.balances.get(asset)?.value ?? 0n),
        rewards: text(locking?.balances.get(locking.rewardsAsset?.value ?? '')?.value ?? 0n),
      }).toEqual({ ledger, pool: answer.pool, held: answer.asset_balance, rewards: answer.reward_balance })
    }
    report(
      `fxdao.locking_deposit: ${of('fxdao.locking_deposit').length}, fxdao.locking_pool: ${of('fxdao.locking_pool').length} answers equal`,
    )
  })
})

describe('the recorded actions', () => {
  /** Legs of one transaction by account: what of the vault moved, and what of the debt. */
  const legsOf = (rows: readonly ActivityRow[], address: string) => rows.filter((row) => row.address === address)
  const byTransaction = () => {
    const rows = new Map<string, ActivityRow[]>()
    for (const row of activities)
      rows.set(`${row.key.ledger}/${row.key.txOrder}`, [...(rows.get(`${row.key.ledger}/${row.key.txOrder}`) ?? []), row])
    return rows
  }

  it('are activities of every account that they changed, and nothing else is', () => {
    const rows = byTransaction()
    const oracles = new Set(network.oracles.map(({ contract }) => contract))
    // Who sets an oracle up does nothing to a vault.
    const done = [...of('fxdao.action'), ...of('fxdao.locking_action'), ...of('fxdao.management')].filter(
      (answer) => answer.ok === true && !oracles.has(answer.contract),
    )
    const places = new Set<string>()
    for (const answer of done as never[] as Answer[]) {
      const place = `${answer.ledger}/${answer.order + 1}`
      places.add(place)
      const legs = rows.get(place) ?? []
      const named = (answer.vaults ?? []).map(({ account }) => account)
      expect({ place, missing: named.filter((account) => legsOf(legs, account).length === 0) }).toEqual({ place, missing: [] })
      expect({ place, function: answer.function, legs: legs.length > 0 }).toMatchObject({ legs: true })
    }
    // The recording tells the first set-up of the contracts nowhere; everything else that we say is told there.
    const others = [...rows].filter(([place, legs]) => !places.has(place) && legs.some((leg) => leg.activityType !== 'admin'))
    expect(others.map(([place]) => place)).toEqual([])
    report(`fxdao.action and others: ${done.length} found`)
  })

  it('moved in vaults what the contract says', () => {
    const rows = byTransaction()
    for (const answer of of('fxdao.action') as never[] as Answer[]) {
      if (!answer.ok) continue
      const legs = rows.get(`${answer.ledger}/${answer.order + 1}`) ?? []
      const coins = new Set([...stateAt(answer.ledger).currencies].map(([, { value }]) => value.coin))
      for (const { account } of answer.vaults) {
        const debts = answer.vaults.filter((it) => it.account === account)
        const debt = debts.reduce((sum, it) => sum + BigInt(it.after?.total_debt ?? 0) - BigInt(it.before?.total_debt ?? 0), 0n)
        const told = legsOf(legs, account)
          .filter((row) => coins.has(row.assetId))
          .reduce((sum, row) => sum + debtChange(row), 0n)
        expect({ ledger: answer.ledger, action: answer.action, account, debt: told }).toEqual({
          ledger: answer.ledger,
          action: answer.action,
          account,
          debt,
        })
      }
    }
  })
})

/** What a leg of coins did to the debt of its account's vaults. */
function debtChange(row: ActivityRow): bigint {
  const told = row.metadata.raw_debt_change
  if (typeof told === 'string') return BigInt(told)
  if (row.metadata.role === 'redeemer' || row.metadata.role === 'liquidator') return 0n
  return row.leg === 'out' ? row.amount : -row.amount
}

function vaultText(owner: string, collateral: unknown, debt: unknown): string {
  return `${owner} ${collateral} ${debt}`
}

/** 1e7 = 100 %. */
function percentText(rate: string): string {
  const digits = rate.padStart(6, '0')
  const fraction = digits.slice(-5).replace(/0+$/, '')
  return `${digits.slice(0, -5).replace(/^0+(?=\d)/, '')}${fraction === '' ? '' : `.${fraction}`}`
}

function coreMembers(it: NonNullable<FxdaoState['core']>['value']) {
  return {
    admin: it.admin,
    col_token: it.collateral,
    fee: text(it.fee),
    oracle: it.oracle,
    panic_mode: it.panic,
    protocol_manager: it.manager,
    stable_issuer: it.stableIssuer,
    treasury: it.treasury,
  }
}

interface RecordedVault {
  account: string
  index: string
  next_key: unknown
  total_collateral: string
  total_debt: string
}

/** What the recording says, as far as it is compared. */
interface Answer extends ExpectedAnswer {
  core_state: unknown
  collateral_balance: string
  denomination: string
  currency: { active: boolean; contract: string }
  vaults_info: Record<'min_col_rate' | 'min_debt_creation' | 'opening_col_rate' | 'total_col' | 'total_debt' | 'total_vaults', string> & {
    lowest_key: unknown
  }
  oracle: string
  price: { price: string; timestamp: string } | null
  vaults_in_order: RecordedVault[] | null
  address: string
  vault: RecordedVault | null
  collateral_ratio: string
  liquidatable: boolean
  close: { pay: string; receive: string; fee: string }
  asset: string
  deposit: unknown
  reward: string
  pool: unknown
  asset_balance: string
  reward_balance: string
  ok: boolean
  order: number
  action: string
  function: string
  vaults: { account: string; before: RecordedVault | null; after: RecordedVault | null }[]
}
