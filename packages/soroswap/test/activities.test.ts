// The feed of the whole recording against the contracts' own answers and the tokens' own events: every share and every token occurs once.

import type { Address, ContractId } from '@orrery/ledger'
import type { Network } from '@orrery/protocol-kit'
import { loadNetwork } from '@orrery/protocols'
import { excessOf, type FoldedRecording, foldedRecording, Reconciliation } from '@orrery/testkit'
import { expectCounts, groundTruthRecording } from '@orrery/testkit/ground-truth'
import { beforeAll, describe, expect, it } from 'vitest'
import { soroswap } from '../src/protocol.ts'
import type { SoroswapState } from '../src/state/state.ts'
import { soroswapView } from '../src/view/view.ts'
import { ownShareChange, shareChange } from './share-change.ts'
import { Surplus } from './surplus.ts'
import { holderFlows, holderKind, pairFlows, pairKind, syncedPairs } from './token-flows.ts'

const recording = groundTruthRecording()
let network: Network
let folded: FoldedRecording
/** In the end: pairs never go away, and their tokens never change. */
let pairs: SoroswapState['pairs']

beforeAll(async () => {
  network = await loadNetwork(recording.registryFile)
  folded = await foldedRecording(recording, network, soroswap)
  const last = folded.slices.at(-1)?.ledger ?? 0
  pairs = soroswapView(network).load(folded.table.asOf(last), last).pairs
})

/** The shares that the first deposit locks for ever, in no row: they are the pair's own (contracts/pair/src/lib.rs, MINIMUM_LIQUIDITY). */
const LOCKED = 1_000n

describe('share amounts of the feed', () => {
  it('share amounts of the feed add up to every balance of shares that the pairs answered, their own included', async () => {
    const answers = await answersByLedger()
    const sums = new Map<string, bigint>()
    const counts = { balances: 0, nonzero: 0, own: 0 }
    const wrong: unknown[] = []
    const add = (name: string, shares: bigint) => sums.set(name, (sums.get(name) ?? 0n) + shares)
    for (const { slice, rows } of folded.ledgers()) {
      const { ledger } = slice
      for (const row of rows.activities) {
        add(`${row.contract} ${row.address === row.contract ? 'own' : row.address}`, shareChange(row))
        add(`${row.contract} own`, ownShareChange(row))
      }
      for (const { pair, holder, shares, isFilled } of answers.get(ledger) ?? []) {
        const sum = (sums.get(`${pair} ${holder}`) ?? 0n) + (holder === 'own' && isFilled ? LOCKED : 0n)
        if (sum !== shares) wrong.push({ ledger, pair, holder, contract: shares, feed: sum })
        counts[holder === 'own' ? 'own' : 'balances']++
        if (shares > 0n) counts.nonzero++
      }
    }
    expect(wrong).toEqual([])
    expectCounts('soroswap: share legs add up to', counts, { balances: 28_446, nonzero: 18_308, own: 862 })
  })

  interface Answer {
    readonly pair: ContractId
    /** `own`: the pair itself. */
    readonly holder: Address
    readonly shares: bigint
    readonly isFilled: boolean
  }

  async function answersByLedger(): Promise<Map<number, Answer[]>> {
    const answers = new Map<number, Answer[]>()
    for await (const answer of recording.expected()) {
      const pair = answer.contract
      const add = (of: Omit<Answer, 'pair'>) => answers.set(answer.ledger, [...(answers.get(answer.ledger) ?? []), { pair, ...of }])
      if (answer.kind === 'soroswap.shares') add({ holder: String(answer.address), shares: BigInt(String(answer.shares)), isFilled: true })
      if (answer.kind === 'soroswap.pair')
        add({ holder: 'own', shares: BigInt(String(answer.own_shares)), isFilled: String(answer.total_supply) !== '0' })
    }
    return answers
  }
})

describe('token amounts of the feed', () => {
  it('token amounts of the feed equal what each operation moved between pairs and other holders, and what a pair used beyond that was sent to it before', async () => {
    const reserves = await answeredSurplus()
    const surplus = new Surplus()
    const byPair = new Reconciliation()
    const byHolder = new Reconciliation()
    const answered = { pairs: 0, above: 0 }
    const compareAnswers = (ledger: number) => {
      for (const { pair, above } of reserves.get(ledger) ?? []) {
        const ours = (pairs.get(pair)?.tokens ?? []).map((token) => surplus.of(pair, token))
        expect({ ledger, pair, above: ours }).toEqual({ ledger, pair, above })
        answered.pairs++
        if (above.some((amount) => amount > 0n)) answered.above++
      }
    }
    for (const { slice, operations } of folded.ledgers()) {
      for (const operation of operations) {
        const { place, rows } = operation
        // What pairs used in this operation of what they held above their reserves, by asset.
        const used = new Map<ContractId, bigint>()
        for (const comparison of pairFlows(operation, pairs)) {
          const { holder: pair, asset } = comparison
          const excess = excessOf(comparison)
          const change = excess.sent - excess.received
          byPair.add(pairKind(change, surplus.of(pair, asset), rows), { place, ...comparison })
          surplus.change(pair, asset, change)
          if (change < 0n) used.set(asset, (used.get(asset) ?? 0n) - change)
        }
        for (const comparison of holderFlows(operation, pairs)) byHolder.add(holderKind(comparison, used, rows), { place, ...comparison })
        for (const { pair, later } of syncedPairs(operation)) surplus.sync(pair, later)
      }
      compareAnswers(slice.ledger)
    }
    expect({ byPair: byPair.unexplained, byHolder: byHolder.unexplained }).toEqual({ byPair: [], byHolder: [] })
    expectCounts(
      'soroswap: token legs',
      { byPair: byPair.counts, byHolder: byHolder.counts, answered },
      {
        byPair: { equal: 2_067, 'sent alone': 81, 'sent before': 73 },
        byHolder: { equal: 2_562, 'sent alone': 81, 'sent before': 60 },
        answered: { pairs: 862, above: 9 },
      },
    )
  })

  /** What every pair held above its reserves, by the ledger of the answer. */
  async function answeredSurplus(): Promise<Map<number, { pair: ContractId; above: bigint[] }[]>> {
    const answers = new Map<number, { pair: ContractId; above: bigint[] }[]>()
    for await (const answer of recording.expected()) {
      if (answer.kind !== 'soroswap.pair') continue
      const of = (name: string) => BigInt(String(answer[name]))
      const above = [of('balance_0') - of('reserve_0'), of('balance_1') - of('reserve_1')]
      answers.set(answer.ledger, [...(answers.get(answer.ledger) ?? []), { pair: answer.contract, above }])
    }
    return answers
  }
})
