// A protocol whose state was read as a whole: answers are those of the tables, with fewer statements.

import { setTimeout } from 'node:timers/promises'
import { NO_ROWS, type StateRow } from '@orrery/protocol-kit'
import { expect, it, vi } from 'vitest'
import { StateCache } from './state-cache.ts'
import type { KnownChanges } from './state-changes.ts'
import { NON_ACCOUNT_KEYS } from './state-request.ts'
import { closeTimeOf, stateRow } from './testing/example-rows.ts'
import { setUpStateReadings } from './testing/state-readings.ts'
import { withDatabases } from './testing/with-clickhouse.ts'

const databases = withDatabases()
const setUp = () => setUpStateReadings(databases, { readsWholeState: true })

const soroswap = (of: Partial<StateRow>): StateRow => stateRow({ key: 'pair', ...of })

/**
 * Until it has been read: contracts that nothing has asked for are known to have no rows. A reading that could not be made is due again after five seconds,
 * of a clock that tests set.
 */
const isWhole = (read: Awaited<ReturnType<typeof setUp>>['read'], ledger: number): Promise<void> => {
  let asked = 0
  const look = async (): Promise<void> => {
    if (vi.isFakeTimers()) vi.advanceTimersByTime(1_000)
    expect((await read(ledger, [`absent ${asked++}`])).statements).toBe(0)
  }
  return vi.waitFor(look, { timeout: 60_000 })
}

it('takes no statement for a contract that nothing has asked for, whichever keys are asked for', async () => {
  const { read, moveTo } = await setUp()
  await moveTo(25)
  await isWhole(read, 25)
  const [counters, pair] = ['counters of C2 at 25', 'C2 at 25']
  for (const [options, rows] of [
    [{}, [counters, pair]],
    [{ keys: ['pair'] }, [pair]],
    [{ keys: undefined, keyFrom: 'a' }, [counters, pair]],
    [{ keys: undefined, keyFrom: 'd' }, [pair]],
    [{ keys: ['none'] }, []],
  ] as const) {
    expect(await read(25, ['C2', 'C4'], options)).toEqual({ rows, statements: 0 })
  }
  expect(await read(25, ['C3'])).toEqual({ rows: ['counters of C3 at 25'], statements: 0 }) // its pair was removed
})

it('is read contract by contract where keys of accounts are asked for', async () => {
  const { read, moveTo, store } = await setUp()
  await store.write([{ ...NO_ROWS, state: [soroswap({ contract: 'C1', key: '@GA:shares', owner: 'GA', ledger: 20, value: 'shares' })] }], 1)
  await moveTo(25)
  await isWhole(read, 25)
  expect(await read(25, ['C1'], { keys: undefined })).toEqual({ rows: ['shares', 'counters of C1 at 25', 'C1 at 25'], statements: 1 })
  expect(await read(25, ['C1'], { keys: ['@GA:shares', 'pair'] })).toEqual({ rows: ['shares', 'C1 at 25'], statements: 1 })
  expect(await read(21, ['C1'], { keys: ['@GA:shares', 'pair'] })).toEqual({ rows: ['shares', 'C1 at 15'], statements: 2 })
})

it('as of an earlier ledger takes a statement for entries that changed since, and none for the others', async () => {
  const { read, moveTo, store } = await setUp()
  const temporary = { durability: 'temporary', liveUntil: 13 } as const
  const state = [
    soroswap({ contract: 'C4', key: 'counters', ledger: 12, value: 'counters of C4 at 12' }),
    soroswap({ contract: 'C4', ledger: 5, value: 'C4 at 5' }),
    soroswap({ contract: 'C4', ledger: 15, removed: true, value: '' }),
    soroswap({ contract: 'C5', ledger: 10, value: 'C5 at 10', ...temporary }),
    soroswap({ contract: 'C6', ledger: 28, value: 'C6 at 28' }),
  ]
  await store.write([{ ...NO_ROWS, state }], 1)
  await moveTo(25)
  await isWhole(read, 25)
  for (const options of [{}, { skipLatest: true }]) {
    expect(await read(16, ['C4', 'C7'], options)).toEqual({ rows: ['counters of C4 at 12'], statements: 0 })
    expect(await read(24, ['C6'], options)).toEqual({ rows: [], statements: 1 })
  }
  expect(await read(10, ['C5'])).toEqual({ rows: ['C5 at 10'], statements: 0 })
  expect(await read(14, ['C5'])).toEqual({ rows: [], statements: 0 })
  // It changed within the sixteen ledgers that are read at once.
  expect(await read(10, ['C5'], { skipLatest: true })).toEqual({ rows: ['C5 at 10'], statements: 1 })
  expect(await read(18, ['C2', 'C3', 'C4'])).toEqual({
    rows: ['counters of C2 at 15', 'C2 at 15', 'counters of C3 at 15', 'counters of C4 at 12'],
    statements: 1,
  })
  expect(await read(14, ['C4'])).toEqual({ rows: ['counters of C4 at 12', 'C4 at 5'], statements: 1 })
  // Of the ledger itself a later one may still record what an entry was.
  await store.write([{ ...NO_ROWS, state: [soroswap({ contract: 'C6', ledger: 25, value: 'C6 at 25', inferred: true })] }], 1)
  await moveTo(26)
  expect((await read(25, ['C6'])).rows).toEqual(['C6 at 25'])
})

it('has what later ledgers change, add and remove, and nothing of a ledger after the watermark', async () => {
  const { read, moveTo, store } = await setUp()
  const change = (...state: StateRow[]): Promise<void> => store.write([{ ...NO_ROWS, state }], 1)
  await change(soroswap({ contract: 'C2', ledger: 27, value: 'C2 at 27' }), soroswap({ contract: 'C6', ledger: 27, value: 'C6 at 27' }))
  await moveTo(25)
  await isWhole(read, 25)
  const keys = ['pair']
  expect((await read(25, ['C1', 'C2', 'C6'], { keys })).rows).toEqual(['C1 at 25', 'C2 at 25'])
  await change(
    soroswap({ contract: 'C1', ledger: 26, removed: true, value: '' }),
    soroswap({ contract: 'C5', ledger: 26, value: 'C5 at 26' }),
  )
  await moveTo(26)
  expect((await read(26, ['C1', 'C2', 'C5', 'C6'], { keys })).rows).toEqual(['C2 at 25', 'C5 at 26'])
  await moveTo(28)
  expect((await read(28, ['C1', 'C2', 'C5', 'C6'], { keys })).rows).toEqual(['C2 at 27', 'C5 at 26', 'C6 at 27'])
  expect(await read(28, ['C7'], { keys })).toEqual({ rows: [], statements: 0 })
})

const after = (changed: number): KnownChanges => ({
  noneSince: (_, ledger) => ledger >= changed,
  noneOfOwnerSince: (_, ledger) => ledger >= changed,
  rowsSince: (_, ledger) => (ledger >= changed ? [] : null),
})
const NEVER = after(0)
const isKnown = (cache: StateCache, ledger: number, changes: KnownChanges, ...contracts: string[]): boolean =>
  cache.asOf('soroswap', 1, ledger, '', changes).reduce({ contracts, ...NON_ACCOUNT_KEYS }).contracts.length === 0

it('does not hold between two ledgers at which it is the same, if it changed meanwhile', async () => {
  const cache = new StateCache()
  const rows = [soroswap({ contract: 'C1', ledger: 5, value: 'v' })]
  await cache.learnWhole('soroswap', 1, { ledger: 100, readMs: performance.now() }, NEVER, rows)
  // An entry that came at 103 and went at 105.
  await cache.learnWhole('soroswap', 1, { ledger: 110, readMs: performance.now() }, after(105), rows)
  expect(isKnown(cache, 104, after(105), 'C1')).toBe(false)
  expect(isKnown(cache, 110, after(105), 'C1')).toBe(true)
  await cache.learnWhole('soroswap', 1, { ledger: 120, readMs: performance.now() }, after(105), rows)
  expect(isKnown(cache, 115, after(105), 'C1')).toBe(true)
})

it('does not replace what was read after it began', async () => {
  const cache = new StateCache()
  const readMs = performance.now()
  const part = cache.asOf('soroswap', 1, 100, '', NEVER)
  part.reduce({ contracts: ['C1'], ...NON_ACCOUNT_KEYS })
  part.learn([soroswap({ contract: 'C1', ledger: 5, value: 'repaired' })])
  await cache.learnWhole('soroswap', 1, { ledger: 100, readMs: readMs - 1 }, NEVER, [soroswap({ contract: 'C1', ledger: 5, value: 'v' })])
  const again = cache.asOf('soroswap', 1, 100, '', NEVER)
  again.reduce({ contracts: ['C1'], ...NON_ACCOUNT_KEYS })
  expect(again.cachedRows.map(({ value }) => value)).toEqual(['repaired'])
})

it('says nothing of contracts that it does not have once it is old', async () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  const cache = new StateCache()
  await cache.learnWhole('soroswap', 1, { ledger: 100, readMs: performance.now() }, NEVER, [])
  expect(isKnown(cache, 101, NEVER, 'C1')).toBe(true)
  expect(isKnown(cache, 99, NEVER, 'C1')).toBe(false)
  expect(isKnown(cache, 101, after(101), 'C1')).toBe(false)
  vi.advanceTimersByTime(60_000)
  expect(isKnown(cache, 101, NEVER, 'C1')).toBe(false)
  vi.useRealTimers()
})

it('answers for the ledgers around one of the past, and for the newest ledger that all protocols have', async () => {
  const { read, moveTo, store } = await setUp()
  await store.activateIfNone('blend', 1, 1)
  const at = { closeTimeSeconds: closeTimeOf(197), offset: 1n, rollingHash: '' }
  await store.moveCheckpoint({ protocol: 'blend', partition: 0 }, 1, { ledger: 100, ...at })
  await moveTo(200)
  await isWhole(read, 100)
  expect(await read(100, ['C1'])).toEqual({ rows: ['counters of C1 at 25', 'C1 at 25'], statements: 0 })
  await store.moveCheckpoint({ protocol: 'blend', partition: 0 }, 1, { ledger: 200, ...at })
  vi.useFakeTimers({ toFake: ['performance'] })
  vi.advanceTimersByTime(50_000)
  await isWhole(read, 66)
  expect(await read(66, ['C2', 'C9'])).toEqual({ rows: ['counters of C2 at 25', 'C2 at 25'], statements: 0 })
  // What was taken from a reading is as old as that.
  vi.advanceTimersByTime(60_000)
  expect((await read(66, ['C2', 'C9'])).statements).toBeGreaterThan(0)
  vi.useRealTimers()
})

it('says nothing of ledgers from its own on, nor of another version, nor once it is old', async () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  const cache = new StateCache()
  const row = soroswap({ contract: 'C1', ledger: 5, value: 'v' })
  await cache.learnWhole('soroswap', 1, { ledger: 100, readMs: performance.now() }, NEVER, [row])
  const readMs = performance.now()
  const newest = (version: number, ledger: number) => cache.newestAfter('soroswap', version, ledger)
  expect(newest(1, 99)?.of({ contracts: ['C1', 'C2'], ...NON_ACCOUNT_KEYS })).toEqual([row])
  expect(newest(1, 99)?.of({ contracts: ['C1'] })).toBeNull() // with keys of accounts
  expect(newest(1, 100)).toBeNull()
  expect(newest(2, 99)).toBeNull()
  vi.advanceTimersByTime(59_999)
  expect(newest(1, 99)?.readMs).toBe(readMs)
  vi.advanceTimersByTime(1)
  expect(newest(1, 99)).toBeNull()
  vi.useRealTimers()
})

it('is read contract by contract where it has too many rows', async () => {
  const { read, moveTo, store, finished } = await setUp()
  const many = Array.from({ length: 40_001 }, (_, n) => soroswap({ contract: 'C8', key: `k${n}`, ledger: 20, value: '' }))
  await store.write([{ ...NO_ROWS, state: many }], 1)
  await moveTo(25)
  await read(25, ['C1'])
  await vi.waitFor(async () => expect(await finished('state_of_protocol')).toBe(1), { timeout: 60_000 })
  await setTimeout(100) // for what would be learned from it
  expect(await read(25, ['C2'])).toEqual({ rows: ['counters of C2 at 25', 'C2 at 25'], statements: 1 })
  expect((await read(25, ['absent'])).statements).toBe(1)
})
