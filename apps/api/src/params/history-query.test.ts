import { describe, expect, it } from 'vitest'
import type { IndexedSpan } from './bucket-window.ts'
import { type HistoryQuery, reachesOutside, readHistoryQuery } from './history-query.ts'

const at = (text: string): number => Date.parse(text) / 1000

const indexed: IndexedSpan = {
  first: { ledger: 1_000_000, closeTimeSeconds: at('2026-09-01T00:10:00Z') },
  last: { ledger: 1_006_527, closeTimeSeconds: at('2026-10-15T20:35:42Z') },
}

describe('a preset', () => {
  it.each([
    ['24h', 25, '2026-10-14T20:00:00Z'],
    ['7d', 43, '2026-10-08T20:00:00Z'],
    ['30d', 31, '2026-09-15T00:00:00Z'],
  ] as const)('%s is %d whole buckets up to the last indexed ledger', (range, count, first) => {
    const { window } = readHistoryQuery({ range }, indexed, null)
    expect(window).toMatchObject({ axis: 'time', count, first: at(first), from: at(first), to: indexed.last.closeTimeSeconds })
  })

  it('also has 25 buckets when the last ledger closes on the hour', () => {
    const onTheHour = { ...indexed, last: { ledger: 1_006_527, closeTimeSeconds: at('2026-10-15T20:00:00Z') } }
    expect(readHistoryQuery({ range: '24h' }, onTheHour, null).window).toMatchObject({ count: 25 })
  })

  it('takes the width that is given with it', () => {
    expect(readHistoryQuery({ range: '24h', interval: '15m' }, indexed, null).window).toMatchObject({ width: 900, count: 97 })
  })

  it('longer than a young index begins with the index and asks nothing outside of it', () => {
    const young = { first: { ledger: 1, closeTimeSeconds: at('2026-10-15T10:20:00Z') }, last: indexed.last }
    expect(readHistoryQuery({ range: '24h' }, young, null).window).toMatchObject({ first: at('2026-10-15T10:00:00Z'), count: 11 })
    expect(reachesOutside({}, young)).toBe(false)
  })
})

describe('a window without a beginning', () => {
  it('starts in the bucket of the first snapshot', () => {
    const { window } = readHistoryQuery({ interval: '1d' }, indexed, at('2026-10-10T13:00:00Z'))
    expect(window).toMatchObject({ first: at('2026-10-10T00:00:00Z'), count: 6 })
  })

  it('has no buckets when there is no snapshot', () => {
    expect(readHistoryQuery({ interval: '1d' }, indexed, null).window).toMatchObject({ count: 0 })
  })
})

describe('raw snapshots', () => {
  it('are bounded by the last indexed ledger, or by the one asked for', () => {
    expect(readHistoryQuery({}, indexed, null).window).toEqual({ axis: 'raw', from: 0, to: 4_294_967_295, toLedger: 1_006_527 })
    expect(readHistoryQuery({ as_of_ledger: 1_000_100n }, indexed, null).window).toMatchObject({ toLedger: 1_000_100 })
    expect(readHistoryQuery({ as_of_ledger: 9_223_372_036_854_775_807n }, indexed, null).window).toMatchObject({ toLedger: 1_006_527 })
  })
})

describe('a question', () => {
  it.each<[string, Partial<HistoryQuery>, boolean]>([
    ['as of the first indexed ledger', { as_of_ledger: 1_000_000n }, false],
    ['as of the one before it', { as_of_ledger: 999_999n }, true],
    ['as of the last', { as_of_ledger: 1_006_527n }, false],
    ['as of a ledger to come', { as_of_ledger: 1_006_528n }, true],
    ['from ledger 0', { from_ledger: 0n, to_ledger: 1_000_001n }, true],
    ['from a second before the index', { from: { seconds: at('2026-09-01T00:09:59Z'), fraction: '' } }, true],
    ['to the last close time', { to: { seconds: indexed.last.closeTimeSeconds, fraction: '' } }, false],
  ])('%s reaches outside the index: %s', (_, query, outside) => {
    expect(reachesOutside(query, indexed)).toBe(outside)
  })
})
