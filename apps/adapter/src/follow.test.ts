import { encodeSlice } from '@orrery/event-log'
import type { Slice } from '@orrery/protocol-kit'
import { CallFault } from '@orrery/testkit'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { append, followOnce, followUntil } from '../test/counted-world.ts'
import { counter } from '../test/counter.ts'
import { ALL_SLICES, followWorld, LAST, ONE_BY_ONE } from '../test/follow-world.ts'
import { encoded, FIRST_LEDGER, slicesOf, TEST_LEDGERS } from '../test/test-ledgers.ts'

const AT_THE_END = { maxWeight: 1_000, maxAgeMs: 60_000, quietMs: 5 }

describe('following a partition', () => {
  const world = followWorld()

  it('an adapter writes the rows that were counted by hand', () => {
    // Counted by hand from TEST_LEDGERS: contract A has 5 events, B 4, C 6; each ledger with events of a contract makes one state row of it.
    expect(world.expected).toMatchObject({ checkpoint: LAST, finalCounts: ['5', '4', '6'] })
  })

  it('an adapter writes the same rows however the log is divided into slices and batches and however often it repeats', async () => {
    const repeatedSlices = fc.array(
      fc.record({
        after: fc.integer({ min: FIRST_LEDGER - 1, max: LAST - 1 }),
        cuts: fc.array(fc.boolean(), { minLength: TEST_LEDGERS.length, maxLength: TEST_LEDGERS.length }),
      }),
      { maxLength: 4 },
    )
    await fc.assert(
      fc.asyncProperty(repeatedSlices, fc.integer({ min: 1, max: 30 }), async (repeats, maxWeight) => {
        const slices: Slice[] = [...slicesOf(TEST_LEDGERS, { last: repeats[0]?.after ?? LAST })]
        for (const { after, cuts } of repeats)
          slices.push(
            ...slicesOf(TEST_LEDGERS, {
              after: Math.min(after, slices.at(-1)?.ledger ?? after),
              cuts: (ledger) => cuts[ledger - FIRST_LEDGER] === true,
            }),
          )
        const one = await world.run(encoded([...slices, ...slicesOf(TEST_LEDGERS)]), { ...ONE_BY_ONE, maxWeight })
        await followUntil(LAST, one)
        expect(await world.tables.rowsOf(one.version)).toEqual(world.expected)
      }),
      { numRuns: 15 },
    )
  })

  it('an adapter continues from its checkpoint after a stop at any ledger', async () => {
    const one = await world.run(encoded(ALL_SLICES))
    for (const { ledger } of ALL_SLICES) await followOnce(ledger, one, null)
    expect(await world.tables.rowsOf(one.version)).toEqual(world.expected)
  })

  it('an adapter stores nothing more after it lost the partition, and the next owner writes the same rows', async () => {
    const one = await world.run(encoded(ALL_SLICES))
    const lost = new AbortController()
    let storedLedger = 0
    await followOnce(LAST, { ...one, lost: lost.signal }, null, {
      stored: (to) => {
        storedLedger = to.ledger
        lost.abort()
      },
    })
    expect(storedLedger).toBe(ALL_SLICES[0]?.ledger)
    expect(await world.tables.rowsOf(one.version)).toMatchObject({ checkpoint: storedLedger })
    await followUntil(LAST, one)
    expect(await world.tables.rowsOf(one.version)).toEqual(world.expected)
  })

  it('an adapter loads state as of the checkpoint when later rows are already written', async () => {
    const one = await world.run(encoded(ALL_SLICES), AT_THE_END)
    // The call that moves the checkpoint fails: all rows are stored, but none counts.
    await expect(
      followOnce(LAST, { ...one, store: new CallFault(1, 'before').on(one.store, { answers: ['moveCheckpoint'], streams: [] }) }, null),
    ).rejects.toThrow('moveCheckpoint failed')
    await followUntil(LAST, one)
    expect(await world.tables.rowsOf(one.version)).toEqual(world.expected)
  })

  it('an adapter stops at a missing slice, reports the gap, and continues when it is resent', async () => {
    const missing = ALL_SLICES[3]
    const one = await world.run(encoded(ALL_SLICES.filter((slice) => slice !== missing)))
    const reports: unknown[] = []
    await followOnce(LAST, one, null, {
      gapDetected: (gap) => {
        reports.push(gap)
        if (reports.length === ALL_SLICES.length - 4) void append(one.log, encoded(slicesOf(TEST_LEDGERS, { after: missing?.after ?? 0 })))
      },
      gapClosed: () => reports.push('closed'),
    })
    expect(reports[0]).toEqual({ after: missing?.after, before: missing?.ledger })
    expect(reports.at(-1)).toBe('closed')
    expect(await world.tables.rowsOf(one.version)).toEqual(world.expected)
  })

  it('an adapter continues in another log of the same ledgers, which has no record at the offset of its checkpoint', async () => {
    const old = await world.run(ALL_SLICES.flatMap((slice) => encodeSlice(slice, { maxPartBytes: 40 })))
    await followOnce(ALL_SLICES[9]?.ledger ?? 0, old, null)
    const one = { ...old, log: await world.logOf(encoded(ALL_SLICES)) }
    await followUntil(LAST, one)
    expect(await world.tables.rowsOf(one.version)).toEqual(world.expected)
  })

  it('an adapter refuses records that ingest did not write, and keeps the rows before them', async () => {
    const forged = ALL_SLICES.map((slice, n) => (n === 4 ? { ...slice, records: slice.records.slice(1) } : slice))
    const one = await world.run(encoded(forged))
    await expect(followOnce(LAST, one, null)).rejects.toMatchObject({
      kind: 'corrupt',
      code: 'log_rolling_hash_differs',
      context: { ledger: ALL_SLICES[4]?.ledger },
    })
    expect(await world.tables.rowsOf(one.version)).toMatchObject({ checkpoint: ALL_SLICES[3]?.ledger })
  })

  it('an adapter refuses slices of another partition', async () => {
    const one = await world.run(ALL_SLICES.flatMap((slice) => encodeSlice({ ...slice, partition: 3 })))
    await expect(followOnce(LAST, one, null)).rejects.toMatchObject({ kind: 'corrupt', code: 'log_slice_misplaced' })
  })

  it('an adapter names the ledger at which the fold failed', async () => {
    const bad = ALL_SLICES[2]?.ledger ?? 0
    const one = await world.run(encoded(ALL_SLICES))
    await expect(followOnce(LAST, { ...one, adapter: counter(one.version, (ledger) => ledger === bad) }, null)).rejects.toMatchObject({
      kind: 'bug',
      code: 'fold_failed',
      context: { ledger: bad, protocol: 'soroswap', partition: 0 },
    })
  })

  it('an adapter names the ledger of a row that its table refuses, and stores the ledgers before it', async () => {
    const bad = ALL_SLICES[4]?.ledger ?? 0
    const one = await world.run(encoded(ALL_SLICES))
    const price = { protocol: 'soroswap', asset: 'C', source: 'C', ledger: bad, closeTimeSeconds: 0, observedAtSeconds: 0 } as const
    const adapter: typeof one.adapter = {
      ...one.adapter,
      fold: (state, slice) => {
        const rows = one.adapter.fold(state, slice)
        return slice.ledger === bad ? { ...rows, prices: [{ ...price, priceUsd: '1e3' }] } : rows
      },
    }
    await expect(followOnce(LAST, { ...one, adapter }, null)).rejects.toMatchObject({
      kind: 'bug',
      code: 'row_refused',
      context: { ledger: bad, protocol: 'soroswap', partition: 0, table: 'prices_v1', column: 'price_usd' },
    })
    expect(await world.tables.rowsOf(one.version)).toMatchObject({ checkpoint: ALL_SLICES[3]?.ledger })
  })

  it('an adapter joins the parts of a large slice, and never stores a checkpoint between them', async () => {
    const one = await world.run(ALL_SLICES.flatMap((slice) => encodeSlice(slice, { maxPartBytes: 40 })))
    await followUntil(LAST, one)
    expect(await world.tables.rowsOf(one.version)).toEqual(world.expected)
  })
})
