import type { FakeLake } from '@orrery/testkit'
import { describe, expect, it } from 'vitest'
import { fakeLakes, numbers, readSequences } from '../test/fake-sources.ts'
import { lakeHttp } from './lake-http.ts'
import { lakeSource } from './lake-source.ts'
import type { LedgerSource } from './ledger-source.ts'

const aLake = fakeLakes()

const sourceOf = ({ url }: FakeLake, { near = 1_000_000, follows = false } = {}): LedgerSource =>
  lakeSource(lakeHttp(url, { near }), { follows })

describe('a lake behind http', () => {
  it('says whose it is, what it has, and does not show what may be secret', async () => {
    const lake = await aLake()
    const source = lakeSource(lakeHttp(`${lake.url}/?signature=mine`, { near: 1_000_000 }))
    expect(source.describe).not.toMatch(/mine/)
    expect(await source.passphrase()).toBe('Orrery Forge Network ; September 2026')
    expect(await source.range()).toMatchObject({ first: 1_000_000, last: 1_000_319, lastCloseTimeSeconds: expect.any(Number) })
  })

  it.each([
    { ledgersPerBatch: 64, batchesPerPartition: 1_000 },
    { ledgersPerBatch: 1, batchesPerPartition: 64_000 },
    { ledgersPerBatch: 10, batchesPerPartition: 1 },
    { ledgersPerBatch: 1, batchesPerPartition: 1 },
    { ledgersPerBatch: 7, batchesPerPartition: 3 },
  ])('may be cut as its manifest says: $ledgersPerBatch ledgers a file, $batchesPerPartition files a folder', async (cut) => {
    const source = sourceOf(await aLake({ ...cut, latest: 1_000_199 }))
    const { last } = await source.range()
    expect(last).toBeGreaterThan(1_000_185)
    expect(await readSequences(source, 1_000_003)).toEqual(numbers(1_000_003, last ?? 0))
  })

  it.each([1_000_000, 1_000_200, 999_000, 995_000, 1_002_900])('is found from a ledger near which it is: %d', async (near) => {
    const lake = await aLake({ ledgersPerBatch: 1, first: 1_000_050, latest: 1_003_000 })
    expect(await sourceOf(lake, { near }).range()).toMatchObject({ first: 1_000_050, last: 1_003_000 })
  })

  it('may be one that answers 403 for what is not there, as stores do where one may not list', async () => {
    const lake = await aLake({ absentStatus: 403 })
    const source = sourceOf(lake)
    expect(await source.range()).toMatchObject({ first: 1_000_000, last: 1_000_319 })
    expect(await readSequences(source, 1_000_300)).toEqual(numbers(1_000_300, 1_000_319))
  })

  it('is followed as files are written', async () => {
    const lake = await aLake({ ledgersPerBatch: 2, batchesPerPartition: 10 })
    const source = sourceOf(lake, { follows: true })
    expect(source.ends).toBe(false)
    const seen = await readSequences(source, 1_000_310, 1_000_325, (ledger) => {
      if (ledger >= 1_000_319 && ledger % 2 === 1) lake.advance(2)
    })
    expect(seen).toEqual(numbers(1_000_310, 1_000_325))
  })

  it('is asked little about what it is known to have', async () => {
    const lake = await aLake()
    const source = sourceOf(lake, { follows: true })
    await source.range()
    const before = lake.requests.length
    lake.advance(64)
    expect(await source.range()).toMatchObject({ first: 1_000_000, last: 1_000_383 })
    // The file behind the newest, by both extensions once it is not there, and the new one's bytes.
    expect(lake.requests.length - before).toBeLessThanOrEqual(6)
  })
})

describe('what goes away', () => {
  it('is a file that is late, while later ones are there', async () => {
    const lake = await aLake()
    lake.lose(1_000_070)
    setTimeout(() => lake.find(1_000_070), 300)
    expect(await readSequences(sourceOf(lake), 1_000_000)).toEqual(numbers(1_000_000, 1_000_319))
  })
})

describe('what does not go away', () => {
  it('is a file that is missing, named with its ledgers', async () => {
    const lake = await aLake()
    lake.lose(1_000_070)
    const reading = readSequences(sourceOf(lake), 1_000_000)
    await expect(reading).rejects.toMatchObject({
      kind: 'corrupt',
      code: 'ledgers_missing',
      context: { first: 1_000_064, last: 1_000_127 },
    })
  })

  it('is a file that ends in the middle every time it is read', async () => {
    const lake = await aLake()
    lake.truncate(1_000_070)
    const seen: number[] = []
    await expect(readSequences(sourceOf(lake), 1_000_000, undefined, (ledger) => seen.push(ledger))).rejects.toMatchObject({
      kind: 'corrupt',
      code: 'lake_file_broken',
      context: { path: expect.stringContaining('--1000064-1000127.xdr.zst') },
    })
    expect(seen.at(-1)).toBe(1_000_063)
  })

  it('is an address without a lake', async () => {
    const { url } = await aLake()
    const nowhere = lakeSource(lakeHttp(`${url}/nowhere`, { near: 1 }))
    await expect(nowhere.passphrase()).rejects.toMatchObject({ kind: 'invalid', code: 'lake_manifest_broken' })
  })

  it('is a lake without ledgers', async () => {
    const lake = await aLake({ latest: 1_000_003 })
    await expect(sourceOf(lake).range()).rejects.toThrow(/has no ledgers, as far as was looked.*--from-ledger/)
  })

  it('is a server that refuses us', async () => {
    const lake = await aLake()
    lake.misbehave({ kind: 'status', status: 401 })
    await expect(sourceOf(lake).passphrase()).rejects.toMatchObject({ kind: 'invalid', code: 'source_refused' })
  })
})
