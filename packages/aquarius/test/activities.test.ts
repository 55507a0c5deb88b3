// The feed of the whole recording against the contracts' own answers and the tokens' own events: every share and every token stands once.

import { usdUnits } from '@orrery/fold-kit'
import type { Network } from '@orrery/protocol-kit'
import { loadNetwork } from '@orrery/protocols'
import { type FoldedRecording, foldedRecording, Reconciliation } from '@orrery/testkit'
import { expectCounts, groundTruthRecording } from '@orrery/testkit/ground-truth'
import { beforeAll, describe, expect, it } from 'vitest'
import { aquarius } from '../src/protocol.ts'
import { aquariusView } from '../src/view/view.ts'
import { shareChange } from './share-change.ts'
import { behindFlows, behindKind, type Contracts, contractsOf, holderFlows, kindOf, poolFlows } from './token-flows.ts'

const recording = groundTruthRecording()
let network: Network
let folded: FoldedRecording
let contracts: Contracts

beforeAll(async () => {
  network = await loadNetwork(recording.registryFile)
  folded = await foldedRecording(recording, network, aquarius)
  const last = folded.slices.at(-1)?.ledger ?? 0
  const state = aquariusView(network).load(folded.table.asOf(last), last)
  contracts = contractsOf(state, new Set(network.deployments.aquarius.map(({ router }) => router)))
})

describe('share amounts of the feed', () => {
  it('add up to every balance of shares and liquidity of every range that the pools answered', async () => {
    const answers = await answersByLedger()
    const sums = new Map<string, bigint>()
    const counts = { holders: 0, ranges: 0, nonzero: 0 }
    const wrong: unknown[] = []
    for (const { slice, rows } of folded.ledgers()) {
      for (const row of rows.activities) {
        const { tick_lower, tick_upper } = row.metadata
        const names = [`${row.contract} ${row.address}`, `${row.contract} ${row.address} ${tick_lower}:${tick_upper}`]
        for (const name of names) sums.set(name, (sums.get(name) ?? 0n) + shareChange(row))
      }
      for (const { name, shares, isRange } of answers.get(slice.ledger) ?? []) {
        const sum = sums.get(name) ?? 0n
        if (sum !== shares) wrong.push({ ledger: slice.ledger, name, contract: shares, feed: sum })
        counts[isRange ? 'ranges' : 'holders']++
        if (shares > 0n) counts.nonzero++
      }
    }
    expect(wrong).toEqual([])
    expectCounts('aquarius: share legs add up to', counts, { holders: 18_991, ranges: 4_961, nonzero: 19_018 })
  })

  async function answersByLedger() {
    const answers = new Map<number, { name: string; shares: bigint; isRange: boolean }[]>()
    for await (const answer of recording.expected()) {
      const add = (name: string, shares: unknown, isRange: boolean) =>
        answers.set(answer.ledger, [...(answers.get(answer.ledger) ?? []), { name, shares: BigInt(String(shares)), isRange }])
      const holder = `${answer.contract} ${answer.address}`
      if (answer.kind === 'aquarius.user') {
        const snapshot = answer.snapshot as { raw_liquidity: string } | undefined
        add(holder, snapshot === undefined ? answer.share_balance : snapshot.raw_liquidity, false)
      } else if (answer.kind === 'aquarius.position') {
        add(`${holder} ${answer.tick_lower}:${answer.tick_upper}`, (answer.position as { liquidity: string }).liquidity, true)
      }
    }
    return answers
  }
})

describe('token amounts of the feed', () => {
  it('equal what each operation moved between pools and other holders', () => {
    const byPool = new Reconciliation()
    const byHolder = new Reconciliation()
    const behind = new Reconciliation()
    for (const { operations } of folded.ledgers()) {
      for (const operation of operations) {
        const { place } = operation
        for (const comparison of poolFlows(operation, contracts))
          byPool.add(kindOf(comparison, operation, contracts, 'received'), { place, ...comparison })
        for (const comparison of holderFlows(operation, contracts))
          byHolder.add(kindOf(comparison, operation, contracts, 'sent'), { place, ...comparison })
        for (const comparison of behindFlows(operation)) behind.add(behindKind(comparison), { place, ...comparison })
      }
    }
    expect({ byPool: byPool.unexplained, byHolder: byHolder.unexplained, behind: behind.unexplained }).toEqual({
      byPool: [],
      byHolder: [],
      behind: [],
    })
    expectCounts(
      'aquarius: token legs',
      { byPool: byPool.counts, byHolder: byHolder.counts, behind: behind.counts },
      {
        byPool: { equal: 2_346, gift: 12, 'rewards on their way': 237, 'sent back': 294 },
        byHolder: { equal: 2_345, gift: 11, 'rewards on their way': 11, 'sent back': 374 },
        behind: { 'cut of the contract between': 30, equal: 25 },
      },
    )
  })

  it('of a swap that a pool filled in part are all that it received, and its counters have the part that it swapped', () => {
    const volumes = new Map<string, bigint>()
    const wrong: unknown[] = []
    let partial = 0
    for (const { slice, rows } of folded.ledgers()) {
      const before = new Map(volumes)
      for (const { contract, key, value } of rows.state)
        if (key === 'counters') volumes.set(contract, usdUnits((JSON.parse(value) as { volume_usd: string }).volume_usd))
      const filled = rows.activities.filter(({ metadata }) => metadata.raw_kept_by_pool !== undefined)
      for (const [pool, legs] of Map.groupBy(filled, ({ contract }) => contract)) {
        partial += legs.length
        const counted = (volumes.get(pool) ?? 0n) - (before.get(pool) ?? 0n)
        // All that the pool's swaps of the ledger took in, each reduced to what was swapped: within the rounding of each of the two values.
        const swaps = rows.activities.filter((row) => row.contract === pool && row.activityType === 'swap' && row.direction === 'sent')
        const swapped = swaps.map(({ amount, metadata, usdValue }) => {
          const kept = BigInt(String(metadata.raw_kept_by_pool ?? 0))
          return amount === 0n ? 0n : (usdUnits(usdValue ?? '0') * (amount - kept)) / amount
        })
        const difference = counted - swapped.reduce((sum, value) => sum + value, 0n)
        const tolerance = BigInt(2 * swaps.length)
        if (difference > tolerance || difference < -tolerance) wrong.push({ ledger: slice.ledger, pool, counted, swapped })
      }
    }
    expect(wrong).toEqual([])
    expectCounts('aquarius: swaps filled in part', partial, 3)
  })
})
