import { describe, expect, it } from 'vitest'
import { partitionOf } from './partition.ts'

describe('the partition of a contract', () => {
  it('the partition of a contract is xxhash64 with seed 0 of the raw bytes, modulo the number of partitions', () => {
    // Published test vectors of xxHash: XXH64("") = ef46db3751d8e999, XXH64("abc") = 44bc2cf5ad770999.
    expect(partitionOf(new Uint8Array(0), 1_000)).toBe(Number(0xef46db3751d8e999n % 1_000n))
    expect(partitionOf(new TextEncoder().encode('abc'), 4)).toBe(Number(0x44bc2cf5ad770999n % 4n))
    expect(partitionOf(new Uint8Array(32), 1)).toBe(0)
  })
})
