// The feed of the whole recording against the contracts' own answers and the tokens' own events: every vault, stake and token occurs once.

import { readScVals } from '@orrery/ledger'
import type { ActivityRow, Network, Slice } from '@orrery/protocol-kit'
import { loadNetwork } from '@orrery/protocols'
import { type FoldedRecording, foldedRecording, Reconciliation } from '@orrery/testkit'
import { expectCounts, groundTruthRecording } from '@orrery/testkit/ground-truth'
import { beforeAll, describe, expect, it } from 'vitest'
import { fxdao } from '../src/protocol.ts'
import { fxdaoView } from '../src/view/view.ts'
import { type Contracts, contractFlows, holderFlows, kindOf, movesNothing } from './token-flows.ts'

const recording = groundTruthRecording()
let network: Network
let folded: FoldedRecording
let contracts: Contracts

beforeAll(async () => {
  network = await loadNetwork(recording.registryFile)
  folded = await foldedRecording(recording, network, fxdao)
  const last = folded.slices.at(-1)?.ledger ?? 0
  const state = fxdaoView(network).load(folded.table.asOf(last), last)
  const coins = new Set([...state.currencies.values()].map(({ value }) => value.coin))
  contracts = {
    collateral: state.core?.value.collateral ?? '',
    isCoin: (token) => coins.has(token),
    isOurs: (address) => address !== null && (address === state.vaultsContract || state.locking.has(address)),
  }
})

describe('the rows of an account', () => {
  it('the rows of an account add up to the collateral and debt of every vault and to every stake that the contracts answered', async () => {
    const answers = await answersByLedger()
    const sums = new Map<string, bigint>()
    const counts = { collateral: 0, debt: 0, stakes: 0, nonzero: 0, migrated: 0 }
    const wrong: unknown[] = []
    for (const { slice, rows } of folded.ledgers()) {
      for (const row of rows.activities) for (const [name, change] of changesOf(row)) sums.set(name, (sums.get(name) ?? 0n) + change)
      for (const [from, to] of migratedStakes(slice)) {
        sums.set(to, (sums.get(to) ?? 0n) + (sums.get(from) ?? 0n))
        sums.delete(from)
        counts.migrated++
      }
      for (const { name, kind, amount } of answers.get(slice.ledger) ?? []) {
        const sum = sums.get(name) ?? 0n
        if (sum !== amount) wrong.push({ ledger: slice.ledger, name, contract: amount, feed: sum })
        counts[kind]++
        if (amount > 0n) counts.nonzero++
      }
    }
    expect(wrong).toEqual([])
    expectCounts('fxdao: rows add up to', counts, { collateral: 20_532, debt: 20_532, stakes: 3_456, nonzero: 18_410, migrated: 4 })
  })

  /** What a row does to the vault or stake of its account: the rule of docs/protocols/fxdao.md, "Activities". */
  function changesOf(row: ActivityRow): [name: string, change: bigint][] {
    const { activityType, address, amount, assetId, contract, direction, metadata } = row
    const vault = `${address} ${metadata.currency}`
    const { role, raw_debt_change } = metadata
    if (activityType === 'stake' || activityType === 'unstake')
      return [[`${contract} ${address} ${assetId}`, activityType === 'stake' ? amount : -amount]]
    if (raw_debt_change !== undefined) return [[`${vault} debt`, BigInt(String(raw_debt_change))]]
    if (role === 'redeemer' || role === 'liquidator') return []
    if (activityType === 'borrow') return [[`${vault} debt`, amount]]
    if (activityType === 'repay') return [[`${vault} debt`, -amount]]
    if (activityType === 'deposit' || role === 'receiver') return [[`${vault} collateral`, amount]]
    // The fee leaves the vault with what the account gets.
    if (activityType === 'withdraw') return [[`${vault} collateral`, -amount - BigInt(String(metadata.raw_fee ?? 0))]]
    if (movesNothing(row) && direction === 'sent') return [[`${vault} collateral`, -amount]]
    return []
  }

  /**
   * Stakes that the manager moved from one asset to another: a row of administration alone, for the accounts did nothing and no token reached them.
   * `migrate_deposits(asset, new asset, accounts)`, FxDAO/FxDAO-SC contracts/locking-pool/src/contract.rs.
   */
  function migratedStakes({ records }: Slice): Map<string, string> {
    const migrated = new Map<string, string>()
    for (const { record } of records) {
      if (record.kind !== 'call' || record.function !== 'migrate_deposits' || !contracts.isOurs(record.contract)) continue
      const [asset, newAsset, accounts] = readScVals(record.args)
      if (asset?.type !== 'address' || newAsset?.type !== 'address' || accounts?.type !== 'vec') continue
      for (const account of accounts.value ?? []) {
        const holder = `${record.contract} ${account.type === 'address' ? account.value : ''}`
        migrated.set(`${holder} ${asset.value}`, `${holder} ${newAsset.value}`)
      }
    }
    return migrated
  }

  async function answersByLedger() {
    const answers = new Map<number, { name: string; kind: 'collateral' | 'debt' | 'stakes'; amount: bigint }[]>()
    for await (const answer of recording.expected()) {
      const add = (name: string, kind: 'collateral' | 'debt' | 'stakes', amount: unknown) =>
        answers.set(answer.ledger, [...(answers.get(answer.ledger) ?? []), { name, kind, amount: BigInt(String(amount)) }])
      if (answer.kind === 'fxdao.vault') {
        const vault = answer.vault as { total_collateral: string; total_debt: string } | null
        const name = `${answer.address} ${answer.denomination}`
        add(`${name} collateral`, 'collateral', vault?.total_collateral ?? 0)
        add(`${name} debt`, 'debt', vault?.total_debt ?? 0)
      } else if (answer.kind === 'fxdao.locking_deposit') {
        const deposit = answer.deposit as { amount: string } | null
        add(`${answer.contract} ${answer.address} ${answer.asset}`, 'stakes', deposit?.amount ?? 0)
      }
    }
    return answers
  }
})

describe('token amounts of the feed', () => {
  it('token amounts of the feed and the fees that its rows name are what each operation moved between contracts and other holders', () => {
    const byContract = new Reconciliation()
    const byHolder = new Reconciliation()
    for (const { operations } of folded.ledgers()) {
      for (const operation of operations) {
        const { place } = operation
        for (const comparison of contractFlows(operation, contracts))
          byContract.add(kindOf(comparison, operation, contracts, 'received'), { place, ...comparison })
        for (const comparison of holderFlows(operation, contracts))
          byHolder.add(kindOf(comparison, operation, contracts, 'sent'), { place, ...comparison })
      }
    }
    expect({ byContract: byContract.unexplained, byHolder: byHolder.unexplained }).toEqual({ byContract: [], byHolder: [] })
    expectCounts(
      'fxdao: token legs',
      { byContract: byContract.counts, byHolder: byHolder.counts },
      {
        byContract: { equal: 617, gift: 1 },
        byHolder: { equal: 1_230, 'fee to the treasury': 417 },
      },
    )
  })

  it('token amounts of the feed are in no token event where a position was transferred or lost, and only these rows say so', () => {
    const counts: Record<string, number> = {}
    for (const { rows } of folded.ledgers()) {
      for (const row of rows.activities) {
        if (!movesNothing(row) || row.assetId === '') continue
        const kind = `${row.activityType} ${row.metadata.role ?? ''} ${row.direction === 'none' ? 'debt' : 'collateral'}`
        counts[kind] = (counts[kind] ?? 0) + 1
      }
    }
    expectCounts('fxdao: rows of positions alone', counts, {
      'liquidation liquidated collateral': 38,
      'liquidation liquidated debt': 38,
      'redemption vault_owner collateral': 75,
      'redemption vault_owner debt': 75,
      'transfer giver collateral': 29,
      'transfer giver debt': 29,
      'transfer receiver collateral': 29,
      'transfer receiver debt': 29,
    })
  })
})
