// The cache of state rows must not change an answer: read again, in parts or together, the rows are the same.

import { setTimeout } from 'node:timers/promises'
import { NO_ROWS, type StateRow } from '@orrery/protocol-kit'
import { describe, expect, it, vi } from 'vitest'
import { openStore } from './clickhouse-store.ts'
import { openReadModel, type ReadModelOptions } from './read-model.ts'
import { StateCache } from './state-cache.ts'
import type { Unchanged } from './state-changes.ts'
import { NON_ACCOUNT_KEYS } from './state-request.ts'
import { closeTimeOf, stateRow } from './testing/example-rows.ts'
import { withDatabases } from './testing/with-clickhouse.ts'

const databases = withDatabases()

const history: readonly StateRow[] = ['C1', 'C2', 'C3'].flatMap((contract) =>
  [5, 15, 25].flatMap((ledger) => [
    stateRow({ contract, key: 'counters', ledger, value: `counters of ${contract} at ${ledger}` }),
    stateRow({ contract, key: 'pair', ledger, value: `${contract} at ${ledger}`, removed: contract === 'C3' && ledger > 5 }),
  ]),
)

interface ReadOptions {
  readonly keys?: readonly string[] | undefined
  readonly keyFrom?: string
  readonly skipLatest?: boolean
}

async function setUp(options: ReadModelOptions = {}) {
  const database = await databases.database()
  const store = openStore(database.connect('writer'))
  await store.activateIfNone('soroswap', 1, 1)
  await store.writeLedgers(
    Array.from({ length: 200 }, (_, n) => ({ ledger: n + 1, closeTimeSeconds: closeTimeOf(n + 1), hash: '00' })),
    1n,
  )
  const moveTo = (ledger: number) =>
    store.moveCheckpoint({ protocol: 'soroswap', partition: 0 }, 1, {
      ledger,
      closeTimeSeconds: closeTimeOf(ledger),
      offset: 1n,
      rollingHash: '',
    })
  await store.write([{ ...NO_ROWS, state: history }], 1)
  await moveTo(20)
  const readModel = openReadModel(database.connect('api'), { tipForMs: 0, ...options })
  let reads = 0
  /** Common keys of some contracts as of a ledger: the rows, and how many statements they took. */
  const read = async (ledger: number, contracts: readonly string[], options: ReadOptions = {}) => {
    const requestId = `${database.name}-${++reads}`
    const { keys, ...others } = { keys: ['counters', 'pair'], ...options }
    const request = { protocol: 'soroswap', ledger, contracts, ...(keys && { keys }), cacheable: true, ...others } as const
    const rows = await readModel.stateAsOf(request, { tag: { route: '/v1/test', requestId } })
    return { rows: rows.map(({ value }) => value), statements: await statements(requestId) }
  }
  const statements = async (requestId: string): Promise<number> => {
    const { client } = database.connect('admin')
    await client.command({ query: 'SYSTEM FLUSH LOGS' })
    // Their beginnings: the engine logs the end of a statement after it has sent the answer.
    const query = `SELECT count() AS n FROM system.query_log
      WHERE type = 'QueryStart' AND JSONExtractString(log_comment, 'request_id') = {requestId:String}`
    const rows = await (await client.query({ query, query_params: { requestId }, format: 'JSONEachRow' })).json<{ n: string }>()
    return Number(rows[0]?.n)
  }
  /** How often a statement of that name has ended. */
  const finished = async (name: string): Promise<number> => {
    const { client } = database.connect('admin')
    await client.command({ query: 'SYSTEM FLUSH LOGS' })
    const query = `SELECT count() AS n FROM system.query_log
      WHERE type = 'QueryFinish' AND current_database = {database:String} AND JSONExtractString(log_comment, 'query') = {name:String}`
    const rows = await (await client.query({ query, query_params: { name, database: database.name }, format: 'JSONEachRow' })).json<{
      n: string
    }>()
    return Number(rows[0]?.n)
  }
  return { read, moveTo, store, finished }
}

it('is read once for each contract, and is the same from memory', async () => {
  const { read } = await setUp()
  const at15 = (contract: string) => [`counters of ${contract} at 15`, `${contract} at 15`]
  expect(await read(18, ['C1'])).toEqual({ rows: at15('C1'), statements: 2 }) // the newest rows are of ledger 25
  expect(await read(18, ['C1'])).toEqual({ rows: at15('C1'), statements: 0 })
  expect(await read(18, ['C2', 'C1'])).toEqual({ rows: [...at15('C1'), ...at15('C2')], statements: 2 })
  expect(await read(18, ['C2', 'C1'])).toEqual({ rows: [...at15('C1'), ...at15('C2')], statements: 0 })
})

it('is of one ledger, one set of keys', async () => {
  const { read } = await setUp()
  await read(18, ['C1'])
  expect((await read(12, ['C1'])).rows).toEqual(['counters of C1 at 5', 'C1 at 5'])
  expect((await read(18, ['C1'], { keys: ['pair'] })).rows).toEqual(['C1 at 15'])
  expect((await read(18, ['C1'], { keys: ['pair'], skipLatest: true })).rows).toEqual(['C1 at 15'])
})

it('also caches that a key has no row', async () => {
  const { read } = await setUp()
  expect((await read(18, ['C3', 'C4'], { keys: ['pair'] })).rows).toEqual([])
  expect(await read(18, ['C3', 'C4'], { keys: ['pair'] })).toEqual({ rows: [], statements: 0 })
})

it('also covers all keys from a key on, and all keys', async () => {
  const { read } = await setUp()
  const [counters, pair] = ['counters of C1 at 15', 'C1 at 15']
  for (const [options, rows] of [
    [{ keys: undefined, keyFrom: 'd' }, [pair]],
    [{ keys: undefined }, [counters, pair]],
    [{ keys: ['counters'] }, [counters]],
  ] as const) {
    expect(await read(18, ['C1', 'C4'], options)).toEqual({ rows, statements: 2 })
    expect(await read(18, ['C4', 'C1'], options)).toEqual({ rows, statements: 0 })
  }
})

it('is evicted when it is too large: the contracts that were least recently used, and no others', () => {
  const common = new StateCache()
  const selectionOf = (...contracts: string[]) => ({ contracts, keyFrom: 'a', cacheable: true })
  const isKnown = (contract: string) => common.asOf('soroswap', 1, 1, '', null).reduce(selectionOf(contract)).contracts.length === 0
  const learn = (contract: string) => {
    const part = common.asOf('soroswap', 1, 1, '', null)
    part.reduce(selectionOf(contract))
    part.learn(Array.from({ length: 2_000 }, (_, n) => stateRow({ contract, key: `k${n}`, ledger: 1, value: 'v'.repeat(10_000) })))
  }
  learn('C1')
  learn('C2')
  expect(isKnown('C1')).toBe(true)
  learn('C3')
  expect(['C3', 'C2', 'C1'].map(isKnown)).toEqual([true, false, true])
  expect(common.asOf('soroswap', 1, 1, '', null).reduce(selectionOf('C1', 'C2', 'C3')).contracts).toEqual(['C2'])
})

it('is not cached for a ledger after the watermark', async () => {
  const { read, moveTo, store } = await setUp()
  expect((await read(26, ['C1'], { keys: ['pair'] })).rows).toEqual(['C1 at 25'])
  await store.write([{ ...NO_ROWS, state: [stateRow({ contract: 'C1', key: 'pair', ledger: 26, value: 'C1 at 26' })] }], 1)
  await moveTo(26)
  expect((await read(26, ['C1'], { keys: ['pair'] })).rows).toEqual(['C1 at 26'])
})

it('holds at newer ledgers for contracts that these leave as they are; which ones is read once for each ledger', async () => {
  const { read, moveTo, store } = await setUp()
  const change = (contract: string, ledger: number, of: Partial<StateRow> = {}): Promise<void> =>
    store.write([{ ...NO_ROWS, state: [stateRow({ contract, key: 'pair', ledger, value: `${contract} at ${ledger}`, ...of })] }], 1)
  await moveTo(25)
  const keys = ['pair']
  const at25 = { rows: ['C1 at 25', 'C2 at 25'], statements: 1 }
  expect(await read(25, ['C1', 'C2', 'C4'], { keys })).toEqual(at25)

  await change('C2', 26)
  await change('C1', 27) // after the watermark
  await moveTo(26)
  expect(await read(26, ['C4'], { keys })).toEqual({ rows: [], statements: 1 })
  expect(await read(26, ['C4'], { keys })).toEqual({ rows: [], statements: 0 })
  expect((await read(26, ['C1', 'C2'], { keys })).rows).toEqual(['C1 at 25', 'C2 at 26'])
  expect(await read(25, ['C4'], { keys })).toEqual({ rows: [], statements: 0 })

  await change('C4', 27, { durability: 'temporary', liveUntil: 28 })
  await moveTo(28)
  expect((await read(28, ['C1', 'C2', 'C4'], { keys })).rows).toEqual(['C1 at 27', 'C2 at 26', 'C4 at 27'])
  await moveTo(29)
  expect(await read(29, ['C1', 'C2', 'C4'], { keys })).toEqual({ rows: ['C1 at 27', 'C2 at 26'], statements: 1 })
  expect((await read(24, ['C1', 'C2', 'C4'], { keys })).rows).toEqual(['C1 at 15', 'C2 at 15'])
})

it('does not hold for a contract of which a newer ledger records what an entry was before it', async () => {
  const { read, moveTo, store } = await setUp()
  await moveTo(25)
  const keys = ['pair']
  expect((await read(25, ['C4', 'C5'], { keys })).rows).toEqual([])
  // As a fold writes it that meets the entry for the first time in ledger 26.
  await store.write([{ ...NO_ROWS, state: [stateRow({ contract: 'C4', key: 'pair', ledger: 25, value: 'C4 at 25', inferred: true })] }], 1)
  await moveTo(26)
  expect(await read(26, ['C4', 'C5'], { keys })).toEqual({ rows: ['C4 at 25'], statements: 2 })
  expect(await read(26, ['C4', 'C5'], { keys })).toEqual({ rows: ['C4 at 25'], statements: 0 })
  expect(await read(25, ['C4', 'C5'], { keys })).toEqual({ rows: ['C4 at 25'], statements: 1 })
  expect(await read(25, ['C4', 'C5'], { keys })).toEqual({ rows: ['C4 at 25'], statements: 0 })
})

it('as of an earlier ledger is cached beside the rows of a newer one', async () => {
  const { read, moveTo } = await setUp()
  const keys = ['pair']
  await read(20, ['C1'], { keys })
  await moveTo(25)
  expect((await read(25, ['C1'], { keys })).rows).toEqual(['C1 at 25'])
  expect((await read(22, ['C1'], { keys })).rows).toEqual(['C1 at 15'])
  expect(await read(22, ['C1'], { keys })).toEqual({ rows: ['C1 at 15'], statements: 0 })
  expect(await read(25, ['C1'], { keys })).toEqual({ rows: ['C1 at 25'], statements: 0 })
})

it('of the past, which moves on with the ledgers, is read once for sixteen of them, and again after a minute', async () => {
  const { read, moveTo, store } = await setUp()
  const temporary = { durability: 'temporary', liveUntil: 13 } as const
  await store.write([{ ...NO_ROWS, state: [stateRow({ contract: 'C4', key: 'pair', ledger: 10, value: 'C4 at 10', ...temporary })] }], 1)
  await moveTo(25)
  const options = { skipLatest: true }
  const at = (contract: string, ledger: number) => [`counters of ${contract} at ${ledger}`, `${contract} at ${ledger}`]
  expect(await read(12, ['C1', 'C3'], options)).toEqual({ rows: [...at('C1', 5), ...at('C3', 5)], statements: 1 })
  expect(await read(14, ['C1', 'C3'], options)).toEqual({ rows: [...at('C1', 5), ...at('C3', 5)], statements: 0 })
  expect(await read(15, ['C1', 'C3'], options)).toEqual({ rows: [...at('C1', 15), 'counters of C3 at 15'], statements: 0 })
  expect(await read(4, ['C1'], options)).toEqual({ rows: [], statements: 0 })
  expect(await read(13, ['C4'], options)).toEqual({ rows: ['C4 at 10'], statements: 1 })
  expect(await read(14, ['C4'], options)).toEqual({ rows: [], statements: 0 })
  expect(await read(16, ['C1', 'C2'], options)).toEqual({ rows: [...at('C1', 15), ...at('C2', 15)], statements: 1 })
  expect(await read(24, ['C1', 'C2'], options)).toEqual({ rows: [...at('C1', 15), ...at('C2', 15)], statements: 0 })
  // Both are still known.
  expect(await read(5, ['C1'], options)).toEqual({ rows: at('C1', 5), statements: 0 })
  // At the watermark a later ledger may still record what an entry was.
  expect((await read(25, ['C1', 'C5'], options)).rows).toEqual(at('C1', 25))
  await store.write([{ ...NO_ROWS, state: [stateRow({ contract: 'C5', key: 'pair', ledger: 25, value: 'C5 at 25', inferred: true })] }], 1)
  await moveTo(26)
  expect((await read(25, ['C1', 'C5'], options)).rows).toEqual([...at('C1', 25), 'C5 at 25'])
  vi.useFakeTimers({ toFake: ['performance'] })
  vi.advanceTimersByTime(120_000)
  expect(await read(13, ['C1'], options)).toEqual({ rows: at('C1', 5), statements: 1 })
  vi.useRealTimers()
})

it('of the past is read once for sixty-four ledgers, which are not the newest', async () => {
  const { read, moveTo, store } = await setUp()
  const pair = (of: Partial<StateRow>): StateRow => stateRow({ key: 'pair', ...of })
  const state = [70, 100, 140].map((ledger) => pair({ contract: 'C1', ledger, value: `C1 at ${ledger}` }))
  state.push(pair({ contract: 'C4', ledger: 80, value: 'C4 at 80', durability: 'temporary', liveUntil: 90 }))
  await store.write([{ ...NO_ROWS, state }], 1)
  await moveTo(191)
  const options = { keys: ['pair'] }
  const contracts = ['C1', 'C2', 'C3', 'C4', 'C5']
  expect(await read(110, contracts, options)).toEqual({ rows: ['C1 at 100', 'C2 at 25'], statements: 2 })
  expect((await read(120, contracts, options)).statements).toBeGreaterThan(0)
  await moveTo(192)
  expect(await read(90, contracts, options)).toEqual({ rows: ['C1 at 70', 'C2 at 25', 'C4 at 80'], statements: 2 })
  expect(await read(64, contracts, options)).toEqual({ rows: ['C1 at 25', 'C2 at 25'], statements: 0 })
  expect(await read(91, contracts, options)).toEqual({ rows: ['C1 at 70', 'C2 at 25'], statements: 0 })
  expect(await read(127, contracts, options)).toEqual({ rows: ['C1 at 100', 'C2 at 25'], statements: 0 })
  expect((await read(128, ['C1'], options)).rows).toEqual(['C1 at 100'])
  expect((await read(140, ['C1'], options)).statements).toBeGreaterThan(0)
  vi.useFakeTimers({ toFake: ['performance'] })
  vi.advanceTimersByTime(120_000)
  expect(await read(64, ['C1'], options)).toEqual({ rows: ['C1 at 25'], statements: 2 })
  vi.useRealTimers()
})

it('is not cached for an aborted request', () => {
  const common = new StateCache()
  const selection = { contracts: ['C1', 'C2'], keys: ['pair'], cacheable: true }
  expect(common.asOf('soroswap', 1, 18, '', null).reduce(selection)).toEqual(selection)
  expect(common.asOf('soroswap', 1, 18, '', null).reduce(selection)).toEqual(selection)
})

it('is of one adapter version, and of the same quarantined partitions', () => {
  const common = new StateCache()
  const selection = { contracts: ['C1', 'C2'], keys: ['pair'], cacheable: true }
  const part = common.asOf('soroswap', 1, 18, '', null)
  part.reduce(selection)
  part.learn([])
  expect(common.asOf('soroswap', 1, 18, '', null).reduce(selection)).toMatchObject({ contracts: [] })
  expect(common.asOf('soroswap', 2, 18, '', null).reduce(selection)).toEqual(selection)
  expect(common.asOf('soroswap', 1, 18, 'soroswap/2', null).reduce(selection)).toEqual(selection)
})

describe('a protocol that is read as a whole', () => {
  const soroswap = (of: Partial<StateRow>): StateRow => stateRow({ key: 'pair', ...of })

  /** Until it has been read: contracts that nothing has asked for are known to have no rows. */
  const isWhole = (read: Awaited<ReturnType<typeof setUp>>['read'], ledger: number): Promise<void> => {
    let asked = 0
    return vi.waitFor(async () => expect((await read(ledger, [`absent ${asked++}`])).statements).toBe(0), { timeout: 20_000 })
  }

  it('takes no statement for a contract that nothing has asked for, whichever keys are asked for', async () => {
    const { read, moveTo } = await setUp({ readsWholeState: true })
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
    const { read, moveTo, store } = await setUp({ readsWholeState: true })
    await store.write(
      [{ ...NO_ROWS, state: [soroswap({ contract: 'C1', key: '@GA:shares', owner: 'GA', ledger: 20, value: 'shares' })] }],
      1,
    )
    await moveTo(25)
    await isWhole(read, 25)
    expect(await read(25, ['C1'], { keys: undefined })).toEqual({ rows: ['shares', 'counters of C1 at 25', 'C1 at 25'], statements: 1 })
    expect(await read(25, ['C1'], { keys: ['@GA:shares', 'pair'] })).toEqual({ rows: ['shares', 'C1 at 25'], statements: 1 })
    expect(await read(21, ['C1'], { keys: ['@GA:shares', 'pair'] })).toEqual({ rows: ['shares', 'C1 at 15'], statements: 2 })
  })

  it('as of an earlier ledger takes a statement for entries that changed since, and none for the others', async () => {
    const { read, moveTo, store } = await setUp({ readsWholeState: true })
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
    const { read, moveTo, store } = await setUp({ readsWholeState: true })
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

  const NEVER: Unchanged = { since: () => true }
  const after = (changed: number): Unchanged => ({ since: (_, ledger) => ledger >= changed })
  const isKnown = (cache: StateCache, ledger: number, unchanged: Unchanged, ...contracts: string[]): boolean =>
    cache.asOf('soroswap', 1, ledger, '', unchanged).reduce({ contracts, ...NON_ACCOUNT_KEYS }).contracts.length === 0

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
    const { read, moveTo, store } = await setUp({ readsWholeState: true })
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
    const { read, moveTo, store, finished } = await setUp({ readsWholeState: true })
    const many = Array.from({ length: 40_001 }, (_, n) => soroswap({ contract: 'C8', key: `k${n}`, ledger: 20, value: '' }))
    await store.write([{ ...NO_ROWS, state: many }], 1)
    await moveTo(25)
    await read(25, ['C1'])
    await vi.waitFor(async () => expect(await finished('state_of_protocol')).toBe(1), { timeout: 20_000 })
    await setTimeout(100) // for what would be learned from it
    expect(await read(25, ['C2'])).toEqual({ rows: ['counters of C2 at 25', 'C2 at 25'], statements: 1 })
    expect((await read(25, ['absent'])).statements).toBe(1)
  })
})
