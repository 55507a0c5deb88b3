// The fold gives the same rows with restarts, partitions and empty slices, and loses no event.

import { usdText, usdUnits } from '@orrery/fold-kit'
import { topicText } from '@orrery/ledger'
import { pricesOf } from '@orrery/pricing'
import { loadNetwork } from '@orrery/protocols'
import { recording, StateTable } from '@orrery/testkit'
import { depositedTokens } from '@orrery/testkit/deposited-tokens'
import { foldContract } from '@orrery/testkit/fold-contract'
import { describe, expect, it } from 'vitest'
import { deriveActions } from '../src/fold/activity.ts'
import { directoryFor } from '../src/fold/directory.ts'
import { operationsOf } from '../src/fold/operation.ts'
import { soroswap } from '../src/protocol.ts'

const forge = recording()
const folded = foldContract(soroswap, {
  recording: forge,
  network: () => loadNetwork(forge.registryFile),
  partitions: 4,
  digests: {
    version: 5,
    rows: {
      state: '95154 b923fe0e80a63e78',
      prices: '77270 cca61ce8d81c7387',
      positionSnapshots: '122580 53039eeb66988923',
      reserveSnapshots: '14338 54ca7cdb90cf60f5',
      poolSnapshots: '7169 979b0f0939c5bd23',
      activities: '2394 73f5201aae8d33c3',
      transactions: '1114 fcf029976d675ca0',
      notices: '0 e3b0c44298fc1c14',
    },
  },
})

describe('the state rows of the recording', () => {
  it('the state rows of the recording are written again byte for byte after they were read', async () => {
    const prices = pricesOf(await loadNetwork(forge.registryFile))
    const own = folded.whole.flatMap(({ rows }) => rows.state).filter((row) => !row.removed && !prices.take(prices.empty(), row))
    expect(own.filter((row) => soroswap.entries.readKey(row)?.entry.rewrite(row.value) !== row.value)).toEqual([])
    expect(own.length).toBeGreaterThan(11_000)
  })
})

describe('swaps over several partitions', () => {
  it('swaps over several partitions are valued once: by what their first pool got', () => {
    const rows = folded.parts.flatMap((part, partition) => part.flatMap((it) => it.rows.activities.map((row) => ({ ...row, partition }))))
    const actions = [...Map.groupBy(rows, (row) => row.actionId).values()]
    for (const legs of actions) {
      const first = legs.reduce((a, b) => (a.key.row < b.key.row ? a : b))
      if (first.activityType !== 'swap') continue
      const given = legs.filter((leg) => leg.contract === first.contract && leg.direction === 'sent')
      const sum = (values: readonly (string | null)[]) => values.reduce((total, value) => total + usdUnits(value ?? '0'), 0n)
      expect(sum(legs.map((leg) => leg.volumeUsd))).toBe(sum(given.map((leg) => leg.usdValue)))
    }
    expect(actions.filter((legs) => new Set(legs.map((leg) => leg.partition)).size > 1).length).toBeGreaterThan(20)
  })
})

describe('the cost of shares', () => {
  it('the cost of shares covers as many shares as the holder has, and is the value of the deposits where there were only deposits', () => {
    const table = new StateTable()
    const deposited = new Map<string, bigint>()
    const others = new Set<string>()
    for (const { rows } of folded.whole) {
      table.write(rows.state)
      expect(rows.notices.filter((notice) => notice.kind === 'invariant')).toEqual([])
      for (const row of rows.activities) {
        const holder = `${row.contract} ${row.address}`
        if (row.activityType === 'deposit' && row.usdValue !== null) {
          deposited.set(holder, (deposited.get(holder) ?? 0n) + usdUnits(row.usdValue))
        } else if (row.activityType !== 'swap') others.add(holder)
      }
    }
    const newest = [...table.asOf(Number.POSITIVE_INFINITY)].filter((row) => !row.removed)
    const rows = new Map(newest.map((row) => [`${row.contract} ${row.key}`, JSON.parse(row.value)]))
    let compared = 0
    for (const [key, cost] of rows) {
      if (!key.endsWith(':cost')) continue
      expect(cost.units).toBe(rows.get(key.replace(/:cost$/, ':shares')).amount)
      const value = deposited.get(key.replace('@', '').replace(/:cost$/, ''))
      if (value === undefined || others.has(key.replace('@', '').replace(/:cost$/, '')) || cost.cost_usd === null) continue
      expect(cost).toMatchObject({ cost_usd: usdText(value), realized_usd: '0', confidence: 'exact' })
      compared++
    }
    expect(compared).toBeGreaterThan(20)
  })
})

describe('the tokens that were deposited', () => {
  it('the tokens that were deposited are those of the deposits, less the part of each withdrawal, wherever shares only came and went by these', () => {
    const expected = depositedTokens(folded.whole.flatMap(({ rows }) => rows.activities))
    const table = new StateTable()
    for (const { rows } of folded.whole) table.write(rows.state)
    let compared = 0
    for (const { contract, owner, key, value, removed } of table.asOf(Number.POSITIVE_INFINITY)) {
      if (removed || key !== `@${owner}:cost`) continue
      const { units, deposited } = JSON.parse(value)
      const holding = expected.get(`${contract} ${owner}`)
      if (holding === undefined || holding.tokens === null || String(holding.shares) !== units) continue
      const amounts = [...holding.tokens.values()].map(String)
      expect(amounts.toSorted(), `${contract} ${owner}`).toEqual([...deposited].toSorted())
      compared++
    }
    expect(compared).toBeGreaterThan(20)
  })
})

describe('the events of the recording', () => {
  it('the events of the recording are all mapped or on the list of ignored events', async () => {
    // From the README of the recording: what the contracts emitted over its whole length.
    const emitted = {
      'SoroswapFactory/fees': 3,
      'SoroswapFactory/init': 1,
      'SoroswapFactory/new_pair': 7,
      'SoroswapFactory/setter': 1,
      'SoroswapPair/deposit': 362,
      'SoroswapPair/skim': 12,
      'SoroswapPair/swap': 589,
      'SoroswapPair/sync': 1_074,
      'SoroswapPair/withdraw': 115,
      'SoroswapRouter/add': 344,
      'SoroswapRouter/init': 1,
      'SoroswapRouter/remove': 106,
      'SoroswapRouter/swap': 464,
      approve: 3,
      burn: 124,
      mint: 538,
      transfer: 140,
    }
    const seen: Record<string, number> = {}
    const outcome = { actions: 0, ignored: 0, unknown: 0 }
    const network = await loadNetwork(forge.registryFile)
    const state = soroswap.adapter(network).load(
      folded.whole.flatMap(({ rows }) => rows.state),
      Number.POSITIVE_INFINITY,
    )
    // The directory only grows: the last state knows every contract of the recording.
    const directory = directoryFor(network)(state)
    for (const { slice } of folded.whole) {
      for (const { record } of slice.records) {
        const contract = record.kind === 'event' ? record.contract : null
        if (record.kind !== 'event' || contract === null) continue
        const isPair = directory.isPair(contract)
        if (!isPair && !directory.isFactory(contract) && !directory.isRouter(contract)) continue
        const [first, second] = [topicText(record, 0), topicText(record, 1)]
        const name = first?.type === 'string' ? `${first.text}/${second?.text}` : (first?.text ?? '')
        seen[name] = (seen[name] ?? 0) + 1
      }
      for (const operation of operationsOf(slice, directory)) {
        const { actions, unused } = deriveActions(operation, directory)
        outcome.actions += actions.length
        for (const { expected } of unused) outcome[expected ? 'ignored' : 'unknown']++
      }
    }
    expect(seen).toEqual(emitted)
    const made = {
      deposits: 362,
      withdraws: 115,
      /** Calls of the router and of pairs: the hops of a path are one action. */
      swaps: 464 + 16,
      skims: 12,
      settings: 3 + 1,
      burns: 9,
      /** Transfers that accounts called; the other 106 belong to a router's withdraw. */
      transfers: 31 + 3,
      /** Mints that neither a deposit made nor the first deposit of one of 7 pairs locked. */
      feeMints: 538 - 362 - 7,
    }
    expect(outcome.actions).toBe(Object.values(made).reduce((sum, count) => sum + count, 0))
    expect(outcome.unknown).toBe(0)
    expect(outcome.ignored).toBe(1_074 + 3 + 1 + 7)
  })
})
