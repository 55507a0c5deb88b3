// The ground truth: every answer that the recorded network's oracles gave, against ours from loaded state rows.
// Recordings in the folder beside the repository are checked as well when they are there.

import { existsSync, readdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import { extractLedger, type LedgerRecord, TrackedSet } from '@orrery/ledger'
import type { Slice, SliceRecord, StateRow } from '@orrery/protocol-kit'
import { loadNetwork } from '@orrery/protocols'
import { type ExpectedAnswer, type Recording, readBatchFile, recording, sharedDir } from '@orrery/testkit'
import { expectCounts, groundTruthRecording, isShippedRecording } from '@orrery/testkit/ground-truth'
import { beforeAll, describe, expect, it } from 'vitest'
import { type At, type OracleAsset, otherAsset, type Pricing, type PricingState, pricing, stellarAsset } from './index.ts'

const KINDS = ['oracle.lastprice', 'oracle.feed', 'fxdao.currency']

describe.each(recordings())('the oracles of $name', ({ recorded, isShipped }) => {
  let prices: Pricing
  let slices: Slice[]
  const answers = new Map<number, ExpectedAnswer[]>()

  beforeAll(async () => {
    prices = pricing(await loadNetwork(recorded.registryFile))
    slices = await oracleSlices(recorded, prices)
    for await (const answer of recorded.expected()) {
      if (KINDS.includes(answer.kind)) answers.set(answer.ledger, [...(answers.get(answer.ledger) ?? []), answer])
    }
  })

  it('oracle prices equal the answers of the contracts at every recorded ledger', () => {
    const rows = new Map<string, StateRow>()
    const state = prices.empty()
    const counts: Record<string, number> = {}
    const wrong: unknown[] = []
    for (const slice of slices) {
      for (const row of prices.apply(state, slice).state) rows.set(`${row.contract}/${row.key}`, row)
      const asked = answers.get(slice.ledger) ?? []
      const loaded = asked.length === 0 ? state : prices.load(rows.values())
      for (const answer of asked) {
        const ours = oursTo(answer, prices, loaded, slice)
        counts[answer.kind] = (counts[answer.kind] ?? 0) + 1
        if (canonical(ours) !== canonical(theirs(answer))) wrong.push({ answer, ours })
      }
    }
    process.stderr.write(`    compared with the contracts' answers: ${JSON.stringify(counts)}\n`)
    expect(wrong.slice(0, 3)).toEqual([])
    if (isShipped) expectCounts('of the oracles', counts, { 'oracle.lastprice': 4_256, 'oracle.feed': 532, 'fxdao.currency': 663 })
  })

  it('the rows are the same if the fold is loaded again at 30 ledgers', () => {
    const whole = foldAll(prices, slices, new Set())
    const cuts = new Set(Array.from({ length: 30 }, (_, n) => ((n * 7919 + 13) % slices.length) + (slices[0]?.ledger ?? 0)))
    expect(foldAll(prices, slices, cuts)).toEqual(whole)
  })

  it('the number of rows to load does not grow with time', () => {
    const newest = new Set(foldAll(prices, slices, new Set()).state.map((row) => `${row.contract}/${row.key}`))
    expect(newest.size).toBeLessThanOrEqual(prices.stateRefs().length)
    expect(newest.size).toBeLessThan(100)
  })

  it('an index that begins later has the same oracle state', () => {
    const middle = Math.floor(slices.length / 2)
    const last = slices.at(-1) as Slice
    const whole = prices.empty()
    for (const slice of slices) prices.apply(whole, slice)
    const late = prices.empty()
    const rows = slices.slice(middle).flatMap((slice) => prices.apply(late, slice).state)
    expect(rows.filter((row) => row.inferred).length).toBeGreaterThan(0)
    // Two feeds that write all the time, and one that was made later. What never writes again is ingest's to ask for.
    const known = prices.roots('soroswap').filter(({ contract }) => prices.feed(late, contract) !== null)
    expect(known.length).toBeGreaterThanOrEqual(isShipped ? 3 : 1)
    for (const { contract } of known) {
      // Only a feed whose instance and prices were all written again since the middle stands where it stood: so it is in the shipped recording.
      if (!isShipped) continue
      expect(canonical(prices.feed(late, contract))).toBe(canonical(prices.feed(whole, contract)))
      for (const asset of prices.feed(whole, contract)?.assets ?? []) {
        expect(canonical(prices.lastPrice(late, contract, asset, last))).toBe(canonical(prices.lastPrice(whole, contract, asset, last)))
      }
    }
  })
})

/** The ground truth, and beside the shipped one those in the folder beside the repository that have answers of their own. */
function recordings(): { name: string; recorded: Recording; isShipped: boolean }[] {
  const beside = isShippedRecording ? sharedDir() : null
  const others = beside === null ? [] : readdirSync(join(beside, 'ledgers')).map((name) => join(beside, 'ledgers', name))
  const truth = groundTruthRecording()
  return [
    { name: basename(truth.dir), recorded: truth, isShipped: isShippedRecording },
    ...others
      .filter((dir) => !dir.endsWith('forge-a') && existsSync(join(dir, 'expected.jsonl.zst')) && existsSync(join(dir, 'lake')))
      .map((dir) => ({ name: dir, recorded: recording(dir), isShipped: false })),
  ]
}

/** Every ledger as the slice that a partition gets of the oracles alone. */
async function oracleSlices(recorded: Recording, prices: Pricing): Promise<Slice[]> {
  const network = await loadNetwork(recorded.registryFile)
  const tracked = new TrackedSet(network.passphrase)
  const roots = new Map(prices.roots('soroswap').map((root) => [root.contract, root]))
  for (const contract of roots.keys()) tracked.addContract(contract)

  const slices: Slice[] = []
  for (const file of recorded.batchFiles()) {
    for (const bytes of await readBatchFile(file)) {
      const { header, transactions, records } = extractLedger(bytes, tracked)
      const shared = records.flatMap((record): SliceRecord[] => {
        const root = record.contract === null ? undefined : roots.get(record.contract)
        return root !== undefined && prices.route(record, root)?.shared === true ? [{ class: 'shared', record: copied(record) }] : []
      })
      slices.push({
        network: network.name,
        protocol: 'soroswap',
        partition: 0,
        after: header.sequence - 1,
        ledger: header.sequence,
        closeTimeSeconds: header.closeTimeSeconds,
        hourStart: false,
        dayStart: false,
        ledgerHash: header.hash,
        rollingHash: '0000000000000000',
        transactions,
        records: shared,
      })
    }
  }
  return slices
}

/** The record without its ledger's bytes: views would keep the whole recording in memory. */
function copied(record: LedgerRecord): LedgerRecord {
  const copies = Object.entries(record).map(([name, value]) => [name, value instanceof Uint8Array ? value.slice() : value])
  return Object.fromEntries(copies) as LedgerRecord
}

/** All rows, loading the state anew from rows before each ledger of `cuts`. */
function foldAll(prices: Pricing, slices: readonly Slice[], cuts: ReadonlySet<number>) {
  const newest = new Map<string, StateRow>()
  const state: StateRow[] = []
  const priceRows: unknown[] = []
  let folding = prices.empty()
  for (const slice of slices) {
    if (cuts.has(slice.ledger)) folding = prices.load(newest.values())
    const rows = prices.apply(folding, slice)
    for (const row of rows.state) newest.set(`${row.contract}/${row.key}`, row)
    state.push(...rows.state)
    priceRows.push(...rows.prices)
  }
  return { state, priceRows }
}

function oursTo(answer: ExpectedAnswer, prices: Pricing, state: PricingState, at: At): unknown {
  if (answer.kind === 'oracle.feed') {
    const feed = prices.feed(state, answer.contract)
    if (feed === null) return null
    const { lastTimestampSeconds, resolutionSeconds, decimals, base, assets, version } = feed
    return {
      last_timestamp: String(lastTimestampSeconds),
      resolution: String(resolutionSeconds),
      decimals: String(decimals),
      version: String(version),
      base: named(base),
      assets: assets.map(named),
    }
  }
  const [oracle, asset] = askedIn(answer)
  const price = prices.lastPrice(state, oracle, asset, at)
  return price === null ? null : { price: String(price.price), timestamp: String(price.timestampSeconds) }
}

function askedIn(answer: ExpectedAnswer): [string, OracleAsset] {
  if (answer.kind === 'fxdao.currency') return [answer.oracle as string, otherAsset(answer.denomination as string)]
  const asset = answer.asset as { stellar?: string; other?: string }
  return [answer.contract, asset.stellar === undefined ? otherAsset(asset.other as string) : stellarAsset(asset.stellar)]
}

function theirs(answer: ExpectedAnswer): unknown {
  if (answer.kind === 'oracle.lastprice') return answer.lastprice
  if (answer.kind === 'fxdao.currency') return answer.price
  const { last_timestamp, resolution, decimals, version, base, assets } = answer
  return { last_timestamp, resolution, decimals, version, base, assets }
}

const named = (asset: OracleAsset): string[] => (asset.kind === 'stellar' ? ['Stellar', asset.contract] : ['Other', asset.symbol])

/** JSON with sorted keys: equal texts are equal answers. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, part) => {
    if (typeof part === 'bigint') return String(part)
    if (part === null || typeof part !== 'object' || Array.isArray(part)) return part
    return Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
  })
}
