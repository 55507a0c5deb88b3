// The state of accounts from memory must be that of the tables, in any order of changes and questions.

import { NO_ROWS, type StateRow } from '@orrery/protocol-kit'
import fc from 'fast-check'
import { afterEach, expect, it, vi } from 'vitest'
import { openReadModel } from './read-model.ts'
import { stateRow } from './testing/example-rows.ts'
import { setUpStateReadings } from './testing/state-readings.ts'
import { withDatabases } from './testing/with-clickhouse.ts'

const databases = withDatabases()

afterEach(() => {
  vi.useRealTimers()
})

const own = (owner: string, ledger: number, of: Partial<StateRow> = {}): StateRow =>
  stateRow({ contract: 'C1', key: `@${owner}:shares`, owner, ledger, value: `${owner} at ${ledger}`, ...of })

/** The partition of Soroswap, whose rows end with its checkpoint. */
const QUARANTINED = {
  ...{ protocol: 'soroswap', partition: 0, indexVersion: 1, reportedAtMs: 1, state: 'quarantined' as const, checkpointLedger: 1 },
  ...{ checkpointCloseTimeSeconds: 1, seenLedger: 1, seenCloseTimeSeconds: 1, sourceEnded: false, sourceHeardAtMs: 0 },
  ...{ progressedAtMs: 0, gap: null, error: '', errorsLastHour: 0, contractsTracked: 0 },
} as const

async function setUp() {
  const readings = await setUpStateReadings(databases)
  const { store } = readings
  await store.activateIfNone('blend', 1, 1)
  const write = (...state: readonly StateRow[]) => store.write([{ ...NO_ROWS, state }], 1)
  const moveTo = async (ledger: number) => {
    await readings.moveTo(ledger)
    await readings.moveTo(ledger, 'blend')
  }
  await write(own('GA', 5), own('GB', 5), own('GC', 5), own('GA', 10, { protocol: 'blend' }))
  await moveTo(20)
  return { ...readings, write, moveTo }
}

it('is read once for each account while no ledger changes it', async () => {
  const { readOwn } = await setUp()
  const ofA = ['GA at 10', 'GA at 5'] // of Blend, which comes first
  expect(await readOwn(20, ['GA'])).toEqual({ rows: ofA, statements: 1 })
  expect(await readOwn(20, ['GA'])).toEqual({ rows: ofA, statements: 0 })
  expect(await readOwn(20, ['GA'], 'soroswap')).toEqual({ rows: ['GA at 5'], statements: 0 })
  expect(await readOwn(20, ['GB'], 'soroswap')).toEqual({ rows: ['GB at 5'], statements: 1 })
  // The rest of GB, and all of an account without rows.
  expect(await readOwn(20, ['GB', 'GA', 'GZ'])).toEqual({ rows: [...ofA, 'GB at 5'], statements: 1 })
  expect(await readOwn(20, ['GZ', 'GB', 'GA'])).toEqual({ rows: [...ofA, 'GB at 5'], statements: 0 })
  expect(await readOwn(7, ['GA'])).toEqual({ rows: ['GA at 5'], statements: 1 })
})

it('holds at a newer ledger where that left the account as it was: what changed is read once for all accounts', async () => {
  const { readOwn, write, moveTo } = await setUp()
  await readOwn(20, ['GA', 'GB', 'GC'], 'soroswap')
  await write(own('GB', 21), own('GC', 22))
  await moveTo(21)
  expect(await readOwn(21, ['GA', 'GB', 'GC'], 'soroswap')).toEqual({ rows: ['GA at 5', 'GB at 21', 'GC at 5'], statements: 2 })
  expect(await readOwn(21, ['GA'], 'soroswap')).toEqual({ rows: ['GA at 5'], statements: 0 })
  await moveTo(22)
  // GC's row was there before.
  expect(await readOwn(22, ['GA', 'GB', 'GC'], 'soroswap')).toEqual({ rows: ['GA at 5', 'GB at 21', 'GC at 22'], statements: 2 })
  expect(await readOwn(21, ['GC'], 'soroswap')).toEqual({ rows: ['GC at 5'], statements: 1 })
  await write(own('GA', 23, { removed: true, value: '' }))
  await moveTo(23)
  expect(await readOwn(23, ['GA', 'GB'], 'soroswap')).toEqual({ rows: ['GB at 21'], statements: 2 })
})

it('of one account alone is read again at a newer ledger, which takes one statement instead of one for each protocol', async () => {
  const { readOwn, moveTo } = await setUp()
  await readOwn(20, ['GA'])
  await readOwn(20, ['GB'])
  await moveTo(21)
  expect((await readOwn(21, ['GA'])).statements).toBe(1)
  expect(await readOwn(21, ['GB'])).toEqual({ rows: ['GB at 5'], statements: 2 }) // the changes of both protocols
  expect(await readOwn(21, ['GB'])).toEqual({ rows: ['GB at 5'], statements: 0 })
})

it('leaves out what has ended meanwhile, and has what a ledger records about the one before it', async () => {
  const { readOwn, write, moveTo } = await setUp()
  await write(own('GA', 20, { durability: 'temporary', liveUntil: 22 }))
  await readOwn(20, ['GA', 'GB'], 'soroswap')
  await write(own('GB', 20, { key: '@GB:other', inferred: true, value: 'met' }))
  await moveTo(22)
  expect(await readOwn(22, ['GA', 'GB'], 'soroswap')).toEqual({ rows: ['GA at 20', 'met', 'GB at 5'], statements: 2 })
  await moveTo(23)
  expect((await readOwn(23, ['GA', 'GB'], 'soroswap')).rows).toEqual(['met', 'GB at 5'])
  expect((await readOwn(20, ['GB'], 'soroswap')).rows).toEqual(['met', 'GB at 5'])
})

it('is read again after a minute, and beyond the watermark each time', async () => {
  const { readOwn, moveTo, write } = await setUp()
  vi.useFakeTimers({ toFake: ['performance'] })
  await readOwn(20, ['GA', 'GB'], 'soroswap')
  await write(own('GA', 5, { value: 'repaired' }))
  vi.advanceTimersByTime(59_000)
  await moveTo(21)
  expect((await readOwn(21, ['GA', 'GB'], 'soroswap')).rows).toEqual(['GA at 5', 'GB at 5'])
  vi.advanceTimersByTime(1_000)
  await moveTo(22)
  expect((await readOwn(22, ['GA', 'GB'], 'soroswap')).rows).toEqual(['repaired', 'GB at 5'])
  // Also where the index stands still.
  await write(own('GB', 5, { value: 'repaired' }))
  vi.advanceTimersByTime(60_000)
  expect((await readOwn(22, ['GB'], 'soroswap')).rows).toEqual(['repaired'])
  expect((await readOwn(30, ['GA'], 'soroswap')).statements).toBe(1)
  expect((await readOwn(30, ['GA'], 'soroswap')).statements).toBe(1)
})

it('is not kept while a partition is quarantined', async () => {
  const { readOwn, store, moveTo } = await setUp()
  await moveTo(21)
  await store.moveCheckpoint({ protocol: 'blend', partition: 0 }, 1, { ledger: 22, closeTimeSeconds: 22, offset: 1n, rollingHash: '' })
  expect((await readOwn(21, ['GA', 'GB'])).statements).toBe(1)
  await store.reportHealth([QUARANTINED])
  for (const _ of ['once', 'again']) expect(await readOwn(22, ['GA', 'GB'])).toEqual({ rows: ['GA at 10'], statements: 1 })
  expect(await readOwn(21, ['GA', 'GB'])).toEqual({ rows: ['GA at 10', 'GA at 5', 'GB at 5'], statements: 0 })
})

it('over a distance of which only the contracts that changed are read, is read again', async () => {
  const { readOwn, moveTo } = await setUp()
  await readOwn(20, ['GA', 'GB'], 'soroswap')
  await moveTo(36)
  expect(await readOwn(36, ['GA', 'GB'], 'soroswap')).toEqual({ rows: ['GA at 5', 'GB at 5'], statements: 1 })
  await moveTo(53)
  expect(await readOwn(53, ['GA', 'GB'], 'soroswap')).toEqual({ rows: ['GA at 5', 'GB at 5'], statements: 2 })
})

it('is that of a reader without memory, in any order of changes and questions', async () => {
  const { database, readOwn, write, moveTo } = await setUp()
  const owners = ['GA', 'GB', 'GC', 'GD']
  const change = fc.record({
    owner: fc.constantFrom(...owners),
    key: fc.constantFrom('shares', 'debt'),
    ahead: fc.integer({ min: 0, max: 2 }),
    removed: fc.boolean(),
    inferred: fc.boolean(),
    liveUntil: fc.integer({ min: 20, max: 60 }),
    protocol: fc.constantFrom('blend', 'soroswap'),
  })
  const step = fc.record({
    changes: fc.array(change, { maxLength: 3 }),
    ledgers: fc.integer({ min: 1, max: 2 }),
    asked: fc.array(fc.record({ owners: fc.subarray(owners, { minLength: 1 }), ago: fc.integer({ min: 0, max: 1 }) }), { maxLength: 4 }),
  })
  let ledger = 20
  for (const { changes, ledgers, asked } of fc.sample(step, { numRuns: 40, seed: 5 })) {
    const rows = changes.map(({ owner, key, ahead, removed, inferred, ...of }) => {
      const at = ledger + 1 + ahead
      const value = removed ? '' : `${owner} ${key} at ${at}`
      // A row about the ledger before is written with those of its own ledger, which is after the watermark.
      return own(owner, inferred ? at - 1 : at, { key: `@${owner}:${key}`, durability: 'temporary', removed, inferred, value, ...of })
    })
    await write(...rows)
    ledger += ledgers
    await moveTo(ledger)
    for (const { owners: some, ago } of asked) {
      await using fresh = openReadModel(database.connect('api'), { tipForMs: 0 })
      const at = ledger - ago
      const expected = await fresh.ownerStateAsOf({ owners: some, ledger: at }, { tag: { route: '', requestId: '' } })
      expect((await readOwn(at, some)).rows, `${some} at ${at}`).toEqual(expected.map(({ value }) => value))
    }
  }
})
