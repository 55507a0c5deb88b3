// The cache of state rows must not change an answer: read again, in parts or together, the rows are the same.

import { NO_ROWS, type StateRow } from '@orrery/protocol-kit'
import { expect, it, vi } from 'vitest'
import { StateCache } from './state-cache.ts'
import { stateRow } from './testing/example-rows.ts'
import { setUpStateReadings } from './testing/state-readings.ts'
import { withDatabases } from './testing/with-clickhouse.ts'

const databases = withDatabases()
const setUp = () => setUpStateReadings(databases)

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
  expect(await read(26, ['C4', 'C5'], { keys })).toEqual({ rows: ['C4 at 25'], statements: 1 })
  expect(await read(26, ['C4', 'C5'], { keys })).toEqual({ rows: ['C4 at 25'], statements: 0 })
  expect(await read(25, ['C4', 'C5'], { keys })).toEqual({ rows: ['C4 at 25'], statements: 1 })
  expect(await read(25, ['C4', 'C5'], { keys })).toEqual({ rows: ['C4 at 25'], statements: 0 })
})

it('holds with the rows that newer ledgers changed, for which no statement but that of the changes is needed', async () => {
  const { read, moveTo, store } = await setUp()
  const write = (...state: readonly Partial<StateRow>[]) =>
    store.write([{ ...NO_ROWS, state: state.map((of) => stateRow({ key: 'pair', value: `${of.contract} at ${of.ledger}`, ...of })) }], 1)
  await moveTo(25)
  const contracts = ['C1', 'C2', 'C3', 'C4']
  const counters = ['counters of C1 at 25', 'counters of C2 at 25', 'counters of C3 at 25']
  const all = { keys: undefined, keyFrom: 'a' }
  const [ofC1, ofC2, ofC3] = counters
  expect((await read(25, contracts, all)).rows).toEqual([ofC1, 'C1 at 25', ofC2, 'C2 at 25', ofC3])
  expect((await read(25, contracts, { keys: ['pair'] })).rows).toEqual(['C1 at 25', 'C2 at 25'])

  await write(
    { contract: 'C1', ledger: 26 },
    { contract: 'C2', ledger: 26, removed: true, value: '' },
    { contract: 'C3', key: '@GA:shares', owner: 'GA', ledger: 26 },
    { contract: 'C4', ledger: 26, durability: 'temporary', liveUntil: 27 },
  )
  await moveTo(26)
  expect(await read(26, contracts, all)).toEqual({ rows: [ofC1, 'C1 at 26', ofC2, ofC3, 'C4 at 26'], statements: 1 })
  expect(await read(26, contracts, { keys: ['pair'] })).toEqual({ rows: ['C1 at 26', 'C4 at 26'], statements: 0 })

  // Twice, once by a ledger after the watermark: the row between is read.
  await write({ contract: 'C1', ledger: 27 }, { contract: 'C2', ledger: 27 })
  await write({ contract: 'C1', ledger: 28 })
  await moveTo(27)
  expect(await read(27, contracts, all)).toEqual({ rows: [ofC1, 'C1 at 27', ofC2, 'C2 at 27', ofC3, 'C4 at 26'], statements: 3 })
  await moveTo(28)
  expect(await read(28, contracts, all)).toEqual({ rows: [ofC1, 'C1 at 28', ofC2, 'C2 at 27', ofC3], statements: 1 })
  // With keys of accounts they are read again.
  expect((await read(28, ['C3'], { keys: undefined })).rows).toEqual(['C3 at 26', ofC3])
  await write({ contract: 'C3', key: '@GA:shares', owner: 'GA', ledger: 29 })
  await moveTo(29)
  expect(await read(29, ['C3'], { keys: undefined })).toEqual({ rows: ['C3 at 29', ofC3], statements: 2 })
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
