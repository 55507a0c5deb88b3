// The values of the state for each recorded answer of the contracts, under the names of the answer's members, so that both can be compared.

import { type At, otherAsset, pricesOf } from '@orrery/pricing'
import type { Network } from '@orrery/protocol-kit'
import type { ExpectedAnswer } from '@orrery/testkit'
import { type FxdaoState, vaultName, vaultsInOrder } from '../src/state/state.ts'
import { fxdaoView } from '../src/view/view.ts'

/** One answer with the state as of its ledger. */
export interface Question {
  readonly answer: ExpectedAnswer
  readonly state: FxdaoState
  readonly network: Network
  readonly at: At
}

/** Both sides by the names of the answer's members. */
export interface Comparison {
  readonly ours: Readonly<Record<string, unknown>>
  readonly theirs: Readonly<Record<string, unknown>>
}

const text = (value: unknown): string | null => (value === null || value === undefined ? null : String(value))
const pick = (answer: ExpectedAnswer, ...names: string[]) => Object.fromEntries(names.map((name) => [name, answer[name]]))

function core({ answer, state }: Question): Comparison {
  const it = state.core?.value
  return {
    ours: {
      collateral_balance: text(state.balances.get(it?.collateral ?? '')?.value ?? 0n),
      core_state: it && {
        admin: it.admin,
        col_token: it.collateral,
        fee: text(it.fee),
        oracle: it.oracle,
        panic_mode: it.panic,
        protocol_manager: it.manager,
        stable_issuer: it.stableIssuer,
        treasury: it.treasury,
      },
    },
    theirs: pick(answer, 'collateral_balance', 'core_state'),
  }
}

function currency({ answer, state, network, at }: Question): Comparison {
  const denomination = String(answer.denomination)
  const it = state.currencies.get(denomination)?.value
  const totals = state.totals.get(denomination)?.value
  const oracle = state.core?.value.oracle ?? ''
  const price = pricesOf(network).lastPrice(state.pricing, oracle, otherAsset(denomination), at)
  return {
    ours: {
      oracle,
      currency: it && { active: it.active, contract: it.coin, denomination },
      vaults_info: totals && {
        denomination,
        lowest_key: keyWords(totals.lowest, denomination),
        min_col_rate: text(totals.minimumRatio),
        min_debt_creation: text(totals.minimumDebt),
        opening_col_rate: text(totals.openingRatio),
        total_col: text(totals.collateral),
        total_debt: text(totals.debt),
        total_vaults: text(totals.vaults),
      },
      price: price && { price: text(price.price), timestamp: text(price.timestampSeconds) },
    },
    theirs: pick(answer, 'oracle', 'currency', 'vaults_info', 'price'),
  }
}

function keyWords(key: { readonly account: string; readonly index: bigint } | null, denomination: string) {
  return key === null ? null : { account: key.account, denomination, index: text(key.index) }
}

/** The order of vaults with the same index is unknown: compared by index, and as a set. Null: the contract's own list is broken. */
function order({ answer, state }: Question): Comparison | null {
  if (answer.vaults_in_order === null) return null
  const theirs = answer.vaults_in_order as Readonly<Record<'account' | 'index' | 'total_collateral' | 'total_debt', string>>[]
  const ours = vaultsInOrder(state, String(answer.denomination))
  const byIndex = (indexes: readonly unknown[], vaults: readonly string[]) => ({ vaults_in_order: [indexes, vaults.toSorted()] })
  return {
    ours: byIndex(
      ours.map(({ vault }) => text(vault.index)),
      ours.map(({ owner, vault }) => `${owner} ${vault.collateral} ${vault.debt}`),
    ),
    theirs: byIndex(
      theirs.map(({ index }) => index),
      theirs.map(({ account, total_collateral, total_debt }) => `${account} ${total_collateral} ${total_debt}`),
    ),
  }
}

/** The vaults below the minimum ratio. Null: the contract's own list is broken. */
function liquidatable({ answer, state, network, at }: Question): Comparison | null {
  if (answer.liquidatable === null) return null
  const denomination = String(answer.denomination)
  const view = fxdaoView(network)
  const owners = new Set([...state.vaults.values()].filter((it) => it.denomination === denomination).map(({ owner }) => owner))
  const ours = [...owners].filter((owner) =>
    view.vaults(state, owner, at).some((it) => it.denomination === denomination && it.isLiquidatable),
  )
  return { ours: { liquidatable: ours.sort() }, theirs: { liquidatable: accountsOf(answer.liquidatable).sort() } }
}

/** Accounts, or vaults with the account in them. */
function accountsOf(listed: unknown): string[] {
  return (listed as readonly (string | { readonly account: string })[]).map((it) => (typeof it === 'string' ? it : it.account))
}

/** What it holds, its ratio, whether it may be liquidated, and what closing it takes. */
function vault({ answer, state, network, at }: Question): Comparison {
  const [address, denomination] = [String(answer.address), String(answer.denomination)]
  const ours = fxdaoView(network)
    .vaults(state, address, at)
    .find((it) => it.denomination === denomination)
  const entry = state.vaults.get(vaultName(address, denomination))?.vault?.value
  const closing = ours && { pay: text(ours.closing.pay), receive: text(ours.closing.receive), fee: text(ours.closing.fee) }
  return {
    ours: {
      vault:
        ours === undefined || entry === undefined
          ? null
          : {
              account: address,
              denomination,
              index: text(entry.index),
              next_key: keyWords(entry.next, denomination),
              total_collateral: text(ours.collateral.amount),
              total_debt: text(ours.debt.amount),
            },
      collateral_ratio: ours?.collateralRatioPct,
      liquidatable: ours?.isLiquidatable,
      close: closing,
      max_more_debt: text(ours?.headroom?.moreDebt) ?? undefined,
      max_withdraw: text(ours?.headroom?.collateralOut) ?? undefined,
    },
    theirs: {
      ...pick(answer, 'vault', 'liquidatable', 'close', 'max_more_debt', 'max_withdraw'),
      collateral_ratio: answer.collateral_ratio === undefined ? undefined : percentText(String(answer.collateral_ratio)),
    },
  }
}

/** A trial of paying everything back. Where it was refused the owner lacks the coins: that depends on a trustline. Null: not tried, or refused. */
function closeDryRun({ answer, state, network, at }: Question): Comparison | null {
  const trial = answer.close_dry_run as { readonly ok: boolean } | undefined
  if (trial?.ok !== true) return null
  const ours = fxdaoView(network)
    .vaults(state, String(answer.address), at)
    .find((it) => it.denomination === String(answer.denomination))
  const received = { [String(state.core?.value.collateral)]: text(ours?.closing.receive) }
  return { ours: { close_dry_run: { ok: true, fee: text(ours?.closing.fee), received } }, theirs: { close_dry_run: trial } }
}

/** 1e7 = 100 %. */
function percentText(rate: string): string {
  const digits = rate.padStart(6, '0')
  const fraction = digits.slice(-5).replace(/0+$/, '')
  return `${digits.slice(0, -5).replace(/^0+(?=\d)/, '')}${fraction === '' ? '' : `.${fraction}`}`
}

function lockingDeposit({ answer, state, network, at }: Question): Comparison {
  const { address, asset, contract } = answer
  const deposit = state.locking.get(contract)?.stakes.get(`${address} ${asset}`)?.deposit?.value
  const locked = fxdaoView(network)
    .locked(state, String(address), at)
    .find((it) => it.stake.asset.asset === asset)
  return {
    ours: {
      deposit: deposit ? { amount: text(deposit.amount), snapshot: text(deposit.snapshot), unlocks_at: text(deposit.unlocksAt) } : null,
      reward: deposit ? text(locked?.claimable?.amount) : null,
    },
    theirs: { deposit: answer.deposit, reward: answer.deposit === null ? null : answer.reward },
  }
}

/** A trial of taking a stake out: refused while it is locked, else it pays the stake and its reward. Null: there is no stake. */
function withdrawDryRun({ answer, state, network, at }: Question): Comparison | null {
  const trial = answer.withdraw_dry_run as { readonly ok: boolean; readonly received?: Readonly<Record<string, string>> } | undefined
  if (trial === undefined) return null
  const ours = fxdaoView(network)
    .locked(state, String(answer.address), at)
    .find((it) => it.contract === answer.contract && it.stake.asset.asset === answer.asset)
  const paid = new Map<string, bigint>()
  for (const it of [ours?.stake, ours?.claimable]) {
    if (it != null && it.amount > 0n) paid.set(it.asset.asset, (paid.get(it.asset.asset) ?? 0n) + it.amount)
  }
  const isUnlocked = ours !== undefined && ours.unlocksAt <= at.closeTimeSeconds
  const received = Object.fromEntries([...paid].map(([asset, amount]) => [asset, text(amount)]))
  return {
    ours: { withdraw_dry_run: isUnlocked ? { ok: true, received } : { ok: false } },
    theirs: { withdraw_dry_run: trial.ok ? { ok: true, received: trial.received } : { ok: false } },
  }
}

function lockingPool({ answer, state }: Question): Comparison {
  const asset = String(answer.asset)
  const locking = state.locking.get(answer.contract)
  const pool = locking?.pools.get(asset)?.value
  return {
    ours: {
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
      asset_balance: text(locking?.balances.get(asset)?.value ?? 0n),
      reward_balance: text(locking?.balances.get(locking.rewardsAsset?.value ?? '')?.value ?? 0n),
    },
    theirs: pick(answer, 'pool', 'asset_balance', 'reward_balance'),
  }
}

/** Every kind of answer with the values that it is compared with; null: the contract had no answer. */
export const COMPARISONS: readonly (readonly [kind: string, compare: (question: Question) => Comparison | null])[] = [
  ['fxdao.core', core],
  ['fxdao.currency', currency],
  ['fxdao.currency', order],
  ['fxdao.currency', liquidatable],
  ['fxdao.vault', vault],
  ['fxdao.vault', closeDryRun],
  ['fxdao.locking_deposit', lockingDeposit],
  ['fxdao.locking_deposit', withdrawDryRun],
  ['fxdao.locking_pool', lockingPool],
]
