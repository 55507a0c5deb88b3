import type { FakeLake } from '@orrery/testkit'
import { describe, expect, it } from 'vitest'
import { fakeLakes, numbers, readSequences } from '../test/fake-sources.ts'
import type { LakeFiles } from './lake-files.ts'
import { lakeHttp } from './lake-http.ts'
import { lakeSource } from './lake-source.ts'
import type { LedgerSource } from './ledger-source.ts'

const aLake = fakeLakes()

/** The same files; `read` is called instead of theirs. */
const withRead = (files: LakeFiles, read: LakeFiles['read']): LakeFiles =>
  new Proxy(files, {
    get: (target, name) => {
      const value = name === 'read' ? read : Reflect.get(target, name, target)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })

const sourceOf = ({ url }: FakeLake, { near = 1_000_000, follows = false } = {}): LedgerSource =>
  lakeSource(lakeHttp(url, { near }), { follows })

describe('a lake behind http', () => {
  it('a lake behind http reports its network and its range, and hides credentials of its address', async () => {
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
  ])('a lake of $ledgersPerBatch ledgers a file and $batchesPerPartition files a folder is read by its manifest', async (cut) => {
    const source = sourceOf(await aLake({ ...cut, latest: 1_000_199 }))
    const { last } = await source.range()
    expect(last).toBeGreaterThan(1_000_185)
    expect(await readSequences(source, 1_000_003)).toEqual(numbers(1_000_003, last ?? 0))
  })

  it.each([1_000_000, 1_000_200, 999_000, 995_000, 1_002_900])('the range of a lake is found by a search from ledger %d', async (near) => {
    const lake = await aLake({ ledgersPerBatch: 1, first: 1_000_050, latest: 1_003_000 })
    expect(await sourceOf(lake, { near }).range()).toMatchObject({ first: 1_000_050, last: 1_003_000 })
  })

  it('a lake whose store answers 403 for files that do not exist is read', async () => {
    const lake = await aLake({ absentStatus: 403 })
    const source = sourceOf(lake)
    expect(await source.range()).toMatchObject({ first: 1_000_000, last: 1_000_319 })
    expect(await readSequences(source, 1_000_300)).toEqual(numbers(1_000_300, 1_000_319))
  })

  it('a lake behind http is followed as files are written', async () => {
    const lake = await aLake({ ledgersPerBatch: 2, batchesPerPartition: 10 })
    const source = sourceOf(lake, { follows: true })
    expect(source.ends).toBe(false)
    const seen = await readSequences(source, 1_000_310, 1_000_325, (ledger) => {
      if (ledger >= 1_000_319 && ledger % 2 === 1) lake.advance(2)
    })
    expect(seen).toEqual(numbers(1_000_310, 1_000_325))
  })

  it('the range of a known lake is updated with few requests', async () => {
    const lake = await aLake()
    const source = sourceOf(lake, { follows: true })
    await source.range()
    const before = lake.requests.length
    lake.advance(64)
    expect(await source.range()).toMatchObject({ first: 1_000_000, last: 1_000_383 })
    // The file after the newest, with both extensions while it does not exist, and the new file's bytes.
    expect(lake.requests.length - before).toBeLessThanOrEqual(6)
  })
})

describe('a temporary fault of a lake', () => {
  it('reading waits for a file that arrives after later ones', async () => {
    const lake = await aLake()
    lake.lose(1_000_070)
    setTimeout(() => lake.find(1_000_070), 300)
    expect(await readSequences(sourceOf(lake), 1_000_000)).toEqual(numbers(1_000_000, 1_000_319))
  })
})

describe('a permanent fault of a lake', () => {
  it('a missing file ends reading with an error that names its ledgers', async () => {
    const lake = await aLake()
    lake.lose(1_000_070)
    const reading = readSequences(sourceOf(lake), 1_000_000)
    await expect(reading).rejects.toMatchObject({
      kind: 'corrupt',
      code: 'ledgers_missing',
      context: { first: 1_000_064, last: 1_000_127 },
    })
  })

  it('a file that is truncated at every attempt ends reading with an error', async () => {
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

  it('an address without a manifest is refused', async () => {
    const { url } = await aLake()
    const nowhere = lakeSource(lakeHttp(`${url}/nowhere`, { near: 1 }))
    await expect(nowhere.passphrase()).rejects.toMatchObject({ kind: 'invalid', code: 'lake_manifest_broken' })
  })

  it('a lake without ledgers is refused', async () => {
    const lake = await aLake({ latest: 1_000_003 })
    await expect(sourceOf(lake).range()).rejects.toThrow(/has no ledgers where they were looked for.*--from-ledger/)
  })

  it('a file that may not be read is not taken for a missing one', async () => {
    const lake = await aLake()
    lake.misbehave({ kind: 'status', status: 403 }, { path: '--1000064-1000127', times: 9 })
    const seen: number[] = []
    await expect(readSequences(sourceOf(lake), 1_000_000, undefined, (ledger) => seen.push(ledger))).rejects.toMatchObject({
      kind: 'invalid',
      code: 'source_refused',
      message: expect.stringMatching(/HTTP status 403 \(forbidden\) on a request for .*--1000064-1000127\.xdr\.zst/),
    })
    expect(seen.at(-1)).toBe(1_000_063)
  })

  it('a lake whose manifest may not be read is refused, with its status', async () => {
    const lake = await aLake()
    lake.misbehave({ kind: 'status', status: 403 }, { path: '.config.json', times: 9 })
    await expect(sourceOf(lake).passphrase()).rejects.toMatchObject({
      code: 'source_refused',
      message: expect.stringMatching(/403.*\.config\.json/),
    })
  })

  it('a missing file of a store that answers 403 for absent files is named with that status', async () => {
    const lake = await aLake({ absentStatus: 403 })
    lake.lose(1_000_070)
    await expect(readSequences(sourceOf(lake), 1_000_000)).rejects.toMatchObject({
      code: 'ledgers_missing',
      message: expect.stringMatching(/answers HTTP status 403 \(forbidden\), not 404, for every file that it does not have/),
    })
  })

  it('credentials that expire end reading, also at a store that answers 403 for absent files', async () => {
    const lake = await aLake({ absentStatus: 403, latest: 1_000_127 })
    const source = sourceOf(lake, { follows: true })
    await source.range()
    lake.misbehave({ kind: 'status', status: 403 }, { times: 99 })
    await expect(readSequences(source, 1_000_000)).rejects.toMatchObject({ code: 'source_refused', message: expect.stringMatching(/403/) })
  })

  it('no more requests than the option allows run at the same time', async () => {
    const lake = await aLake({ ledgersPerBatch: 1 })
    const most = async (requests: number): Promise<number> => {
      const files = lakeHttp(lake.url, { near: 1_000_000, requests })
      let [running, peak] = [0, 0]
      const counted = withRead(files, async (...given) => {
        peak = Math.max(peak, ++running)
        return await files.read(...given).finally(() => running--)
      })
      expect(await readSequences(lakeSource(counted), 1_000_000)).toEqual(numbers(1_000_000, 1_000_319))
      return peak
    }
    expect(await most(1)).toBe(1)
    expect(await most(7)).toBe(7)
  })

  it('no more than eight files are unpacked that have not been read', async () => {
    const lake = await aLake({ ledgersPerBatch: 1 })
    const files = lakeHttp(lake.url, { near: 1_000_000, requests: 64 })
    const packed: Uint8Array[] = []
    const kept = withRead(files, async (...given) => {
      const bytes = await files.read(...given)
      if (bytes !== null) packed.push(bytes)
      return bytes
    })
    let read = 0
    for await (const { sequence } of lakeSource(kept).read(1_000_000, new AbortController().signal)) {
      expect(sequence).toBe(1_000_000 + read)
      // The memory of a file is given to the thread that unpacks it.
      const unpacked = packed.filter(({ buffer }) => buffer instanceof ArrayBuffer && buffer.detached).length
      expect(unpacked - read).toBeLessThanOrEqual(8)
      read++
    }
    expect(read).toBe(320)
    expect(packed.filter(({ byteLength }) => byteLength > 0)).toHaveLength(1) // the manifest
  })

  it('a server that refuses access ends reading with an error', async () => {
    const lake = await aLake()
    lake.misbehave({ kind: 'status', status: 401 })
    await expect(sourceOf(lake).passphrase()).rejects.toMatchObject({ kind: 'invalid', code: 'source_refused' })
  })
})
