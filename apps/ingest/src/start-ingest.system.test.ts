import { readFileSync } from 'node:fs'
import { readScVals } from '@orrery/ledger'
import { recording } from '@orrery/testkit'
import { beforeAll, describe, expect, it } from 'vitest'
import { temporaryFolders } from '../test/folders.ts'
import { storedSlices } from '../test/log-content.ts'
import { aWorld, PARTITIONS, type World } from '../test/world.ts'
import { lakeSource } from './lake-source.ts'

const aFolder = temporaryFolders()
let world: World
beforeAll(async () => {
  world = await aWorld(aFolder)
})

describe('the recorded network', () => {
  it('ingest of the recorded network finds its seven Soroswap pairs, each in the ledger that creates it and with its two tokens', async () => {
    await using log = await world.log()
    await world.ingest(log, { source: lakeSource(recording().lakeDir) })
    const { tracked, partitions, ledgers: facts, last } = await world.contentOf(log)
    const truth: { factory: string; pairs: Record<string, { from_ledger: number; token_0: string; token_1: string }> } = JSON.parse(
      readFileSync(recording().networkFile, 'utf8'),
    ).soroswap
    const pairs = tracked.flatMap((record) => (record.kind === 'tracked' && record.contract.balances.length > 0 ? [record] : []))
    expect(
      Object.fromEntries(
        pairs.map(({ ledger, contract }) => [contract.contract, { ledger, home: contract.home, balances: contract.balances }]),
      ),
    ).toEqual(
      Object.fromEntries(
        Object.entries(truth.pairs).map(([pair, { from_ledger, token_0, token_1 }]) => [
          pair,
          { ledger: from_ledger, home: pair, balances: [token_0, token_1] },
        ]),
      ),
    )
    expect(pairs).toHaveLength(7)
    expect(facts).toHaveLength(6_528)
    expect(last).toEqual({ kind: 'source_end', ledger: 1_006_527 })
    expect(partitions.map(({ firstAfter, covered }) => [firstAfter, covered])).toEqual(
      Array.from({ length: PARTITIONS }, () => [999_999, 1_006_527]),
    )

    // The counts of the recording's own README: no event of a pair is lost or doubled.
    const slices = (await Promise.all([0, 1, 2, 3].map((partition) => storedSlices(log, world.slices(partition))))).flat()
    const counts: Record<string, number> = {}
    for (const { records } of slices) {
      for (const { class: recordClass, record } of records) {
        if (recordClass !== 'owned' || record.kind !== 'event' || !((record.contract ?? '') in truth.pairs)) continue
        const [first, second] = readScVals(record.topics)
        if (first?.type === 'string' && second?.type === 'symbol') counts[second.value] = (counts[second.value] ?? 0) + 1
      }
    }
    expect(counts).toEqual({ deposit: 362, skim: 12, swap: 589, sync: 1_074, withdraw: 115 })

    // At least every hour every partition has a slice, of the same ledgers.
    const [first, ...others] = partitions.map(({ hours }) => hours)
    for (const hours of others) expect(hours).toEqual(first)
  })
})
