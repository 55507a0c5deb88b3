import { describe, expect, it } from 'vitest'
import { batchPaths, readBatchName, readLakeManifest, readPartitionName } from './lake-layout.ts'

const manifest = (ledgersPerBatch: number, batchesPerPartition: number) => ({
  networkPassphrase: 'p',
  compression: 'zstd' as const,
  ledgersPerBatch,
  batchesPerPartition,
})

describe('names in a lake', () => {
  // SEP-54 and the public lake: one ledger a batch, 64,000 batches a partition.
  it.each([
    [2, 'FFFFFFFF--0-63999/FFFFFFFD--2'],
    [50_457_424, 'FCFE77FF--50432000-50495999/FCFE14AF--50457424'],
    [57_500_008, 'FC930BFF--57472000-57535999/FC929E97--57500008'],
    [63_092_996, 'FC3E15FF--63040000-63103999/FC3D46FB--63092996'],
  ])('ledger %i is in %s', (ledger, path) => {
    expect(batchPaths(ledger, manifest(1, 64_000))).toEqual([`${path}.xdr.zst`, `${path}.xdr.zstd`])
  })

  it('the name of a batch of several ledgers has its first and last ledger', () => {
    expect(batchPaths(1_000_100, manifest(64, 1_000))[0]).toBe('FFF159FF--960000-1023999/FFF0BD7F--1000064-1000127.xdr.zst')
  })

  it('a batch has no folder where a partition is one batch', () => {
    expect(batchPaths(70, manifest(64, 1))).toEqual(['FFFFFFBF--64-127.xdr.zst', 'FFFFFFBF--64-127.xdr.zstd'])
  })

  it('names of batches and folders are read back as their ranges', () => {
    expect(readBatchName('FFFFFFBF--64-127.xdr.zst')).toEqual({ first: 64, last: 127 })
    expect(readBatchName('FFFFFFFD--2.xdr.zstd')).toEqual({ first: 2, last: 2 })
    expect(readPartitionName('FCFE77FF--50432000-50495999')).toEqual({ first: 50_432_000, last: 50_495_999 })
  })

  it('other names are ignored', () => {
    for (const name of ['.config.json', 'FFFFFFBF--64-127.xdr', 'FFFFFFBE--64-127.xdr.zst', 'FFFFFFBF--64-12.xdr.zst', 'readme.xdr.zst']) {
      expect(readBatchName(name)).toBeNull()
    }
    expect(readPartitionName('.git')).toBeNull()
  })
})

describe('a manifest', () => {
  const good = { networkPassphrase: 'Test', version: '1.0', compression: 'zstd', ledgersPerBatch: 64, batchesPerPartition: 1000 }

  it('a manifest is read', () => {
    expect(readLakeManifest(JSON.stringify(good), 'x')).toMatchObject({ networkPassphrase: 'Test', ledgersPerBatch: 64 })
  })

  it.each([
    ['not JSON', '{'],
    ['another compression', JSON.stringify({ ...good, compression: 'gzip' })],
    ['no passphrase', JSON.stringify({ ...good, networkPassphrase: undefined })],
    ['no ledgers in a batch', JSON.stringify({ ...good, ledgersPerBatch: 0 })],
  ])('a manifest with %s is refused', (_, text) => {
    expect(() => readLakeManifest(text, 'x')).toThrow(expect.objectContaining({ kind: 'invalid', code: 'lake_manifest_broken' }))
  })
})
