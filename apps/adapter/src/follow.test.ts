import { encodeSlice } from '@orrery/event-log'
import type { Slice } from '@orrery/protocol-kit'
import { CallFault } from '@orrery/testkit'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { append, followOnce, followUntil } from '../test/counted-world.ts'
import { counter } from '../test/counter.ts'
import { followWorld, LAST, ONE_BY_ONE, WHOLE } from '../test/follow-world.ts'
import { encoded, FIRST_LEDGER, STORY, tell } from '../test/story.ts'

const AT_THE_END = { maxWeight: 1_000, maxAgeMs: 60_000, quietMs: 5 }

describe('following a partition', () => {
  const story = followWorld()

  it('writes what the story says', () => {
    // Counted by hand from STORY: contract A has 5 events, B 4, C 6; each ledger with events of a contract makes one state row of it.
    expect(story.expected).toMatchObject({ checkpoint: LAST, finalCounts: ['5', '4', '6'] })
  })

  it('gives the same rows however the log is cut into slices and batches and however often it repeats', async () => {
    const tellings = fc.array(
      fc.record({
        after: fc.integer({ min: FIRST_LEDGER - 1, max: LAST - 1 }),
        cuts: fc.array(fc.boolean(), { minLength: STORY.length, maxLength: STORY.length }),
      }),
      { maxLength: 4 },
    )
    await fc.assert(
      fc.asyncProperty(tellings, fc.integer({ min: 1, max: 30 }), async (repeats, maxWeight) => {
        const slices: Slice[] = [...tell(STORY, { last: repeats[0]?.after ?? LAST })]
        for (const { after, cuts } of repeats)
          slices.push(
            ...tell(STORY, {
              after: Math.min(after, slices.at(-1)?.ledger ?? after),
              cuts: (ledger) => cuts[ledger - FIRST_LEDGER] === true,
            }),
          )
        const one = await story.world(encoded([...slices, ...tell(STORY)]), { ...ONE_BY_ONE, maxWeight })
        await followUntil(LAST, one)
        expect(await story.tables.rowsOf(one.version)).toEqual(story.expected)
      }),
      { numRuns: 15 },
    )
  })

  it('goes on from its checkpoint after it was stopped anywhere', async () => {
    const one = await story.world(encoded(WHOLE))
    for (const { ledger } of WHOLE) await followOnce(ledger, one, null)
    expect(await story.tables.rowsOf(one.version)).toEqual(story.expected)
  })

  it('stores nothing more once the partition is lost, and whoever has it now ends in the same rows', async () => {
    const one = await story.world(encoded(WHOLE))
    const lost = new AbortController()
    let storedLedger = 0
    await followOnce(LAST, { ...one, lost: lost.signal }, null, {
      stored: (to) => {
        storedLedger = to.ledger
        lost.abort()
      },
    })
    expect(storedLedger).toBe(WHOLE[0]?.ledger)
    expect(await story.tables.rowsOf(one.version)).toMatchObject({ checkpoint: storedLedger })
    await followUntil(LAST, one)
    expect(await story.tables.rowsOf(one.version)).toEqual(story.expected)
  })

  it('loads state as of the checkpoint when rows behind it were already written', async () => {
    const one = await story.world(encoded(WHOLE), AT_THE_END)
    // The call that moves the checkpoint fails: all rows are stored, none is believed.
    await expect(
      followOnce(LAST, { ...one, store: new CallFault(1, 'before').on(one.store, { answers: ['moveCheckpoint'], streams: [] }) }, null),
    ).rejects.toThrow('moveCheckpoint failed')
    await followUntil(LAST, one)
    expect(await story.tables.rowsOf(one.version)).toEqual(story.expected)
  })

  it('is held by a missing slice, names it, and ends when it is told again', async () => {
    const hole = WHOLE[3]
    const one = await story.world(encoded(WHOLE.filter((slice) => slice !== hole)))
    const told: unknown[] = []
    await followOnce(LAST, one, null, {
      setAside: (gap) => {
        told.push(gap)
        if (told.length === WHOLE.length - 4) void append(one.log, encoded(tell(STORY, { after: hole?.after ?? 0 })))
      },
      fitsAgain: () => told.push('fits again'),
    })
    expect(told[0]).toEqual({ after: hole?.after, before: hole?.ledger })
    expect(told.at(-1)).toBe('fits again')
    expect(await story.tables.rowsOf(one.version)).toEqual(story.expected)
  })

  it('goes on in another log of the same ledgers, where nothing lies at the place of its checkpoint', async () => {
    const old = await story.world(WHOLE.flatMap((slice) => encodeSlice(slice, { maxPartBytes: 40 })))
    await followOnce(WHOLE[9]?.ledger ?? 0, old, null)
    const one = { ...old, log: await story.logOf(encoded(WHOLE)) }
    await followUntil(LAST, one)
    expect(await story.tables.rowsOf(one.version)).toEqual(story.expected)
  })

  it('refuses a log that does not hold what ingest wrote, and keeps what was whole before', async () => {
    const forged = WHOLE.map((slice, n) => (n === 4 ? { ...slice, records: slice.records.slice(1) } : slice))
    const one = await story.world(encoded(forged))
    await expect(followOnce(LAST, one, null)).rejects.toMatchObject({
      kind: 'corrupt',
      code: 'log_rolling_hash_differs',
      context: { ledger: WHOLE[4]?.ledger },
    })
    expect(await story.tables.rowsOf(one.version)).toMatchObject({ checkpoint: WHOLE[3]?.ledger })
  })

  it('refuses slices of another partition', async () => {
    const one = await story.world(WHOLE.flatMap((slice) => encodeSlice({ ...slice, partition: 3 })))
    await expect(followOnce(LAST, one, null)).rejects.toMatchObject({ kind: 'corrupt', code: 'log_slice_misplaced' })
  })

  it('names the ledger that a fold could not take', async () => {
    const bad = WHOLE[2]?.ledger ?? 0
    const one = await story.world(encoded(WHOLE))
    await expect(followOnce(LAST, { ...one, adapter: counter(one.version, (ledger) => ledger === bad) }, null)).rejects.toMatchObject({
      kind: 'bug',
      code: 'fold_failed',
      context: { ledger: bad, protocol: 'soroswap', partition: 0 },
    })
  })

  it('puts a giant slice together from its parts, and never checkpoints inside one', async () => {
    const one = await story.world(WHOLE.flatMap((slice) => encodeSlice(slice, { maxPartBytes: 40 })))
    await followUntil(LAST, one)
    expect(await story.tables.rowsOf(one.version)).toEqual(story.expected)
  })
})
