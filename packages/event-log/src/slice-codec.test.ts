import { gzipSync } from 'node:zlib'
import type { LedgerRecord, TransactionFacts } from '@orrery/ledger'
import type { Slice } from '@orrery/protocol-kit'
import { TEST_PROTOCOLS } from '@orrery/testkit/test-protocols'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { describeSlice } from './describe-slice.ts'
import { chainRollingHash, EMPTY_ROLLING_HASH, sliceRollingHash } from './rolling-hash.ts'
import { SliceAssembler } from './slice-assembler.ts'
import { decodeSlice, encodeNextSlice, encodeSlice } from './slice-codec.ts'
import { readSliceHeader } from './slice-header.ts'

const hex = (bytes: number): fc.Arbitrary<string> =>
  fc.uint8Array({ minLength: bytes, maxLength: bytes }).map((array) => Buffer.from(array).toString('hex'))
const u32 = fc.integer({ min: 0, max: 0xffff_ffff })
const xdr = fc.uint8Array({ maxLength: 80 }).map((bytes): Uint8Array => Buffer.from(bytes))
const address = fc.constantFrom('CAAA', 'CBBB', 'GCCC', 'Straße', '')
const durability = fc.constantFrom('temporary' as const, 'persistent' as const)

const transaction: fc.Arbitrary<TransactionFacts> = fc.record({
  hash: hex(32),
  txOrder: fc.integer({ min: 1, max: 1 << 20 }),
  source: address,
  feeSource: fc.option(address),
  innerHash: fc.option(hex(32)),
  feeCharged: fc.option(fc.bigInt({ min: 0n, max: (1n << 63n) - 1n })),
  memo: fc.option(xdr),
})

/** Any record of a slice with `transactions` transactions. */
function recordOf(transactions: number): fc.Arbitrary<LedgerRecord> {
  const place = { tx: fc.integer({ min: -1, max: transactions - 1 }), opIndex: fc.integer({ min: 0, max: 99 }) }
  const index = fc.integer({ min: 0, max: 1 << 20 })
  return fc.oneof(
    fc.record({
      kind: fc.constant('event' as const),
      ...place,
      index,
      contract: fc.option(address),
      type: fc.constantFrom('contract' as const, 'system' as const),
      topics: xdr,
      data: xdr,
    }),
    fc.record({
      kind: fc.constant('entry' as const),
      ...place,
      index,
      change: fc.constantFrom('created' as const, 'updated' as const, 'removed' as const, 'restored' as const, 'bootstrap' as const),
      contract: address,
      key: xdr,
      durability,
      value: fc.option(xdr),
      before: fc.option(xdr),
      liveUntil: fc.option(u32),
    }),
    fc.record({ kind: fc.constant('ttl' as const), ...place, contract: address, key: xdr, durability, liveUntil: u32 }),
    fc.record({ kind: fc.constant('evicted' as const), ...place, contract: address, key: xdr, durability }),
    fc.record({
      kind: fc.constant('call' as const),
      ...place,
      index,
      parent: fc.integer({ min: -1, max: 200 }),
      authorizer: fc.option(address),
      contract: address,
      function: fc.string(),
      args: xdr,
    }),
  )
}

const slices: fc.Arbitrary<Slice> = fc
  .tuple(fc.array(transaction, { maxLength: 4 }), fc.integer({ min: 0, max: 0xffff_fffe }))
  .chain(([transactions, after]) =>
    fc.record({
      network: fc.constantFrom('mainnet', 'forge-a', 'n'),
      protocol: fc.constantFrom(...TEST_PROTOCOLS),
      partition: fc.integer({ min: 0, max: 0xffff }),
      after: fc.constant(after),
      ledger: fc.integer({ min: after + 1, max: 0xffff_ffff }),
      closeTimeSeconds: fc.maxSafeNat(),
      hourStart: fc.boolean(),
      dayStart: fc.boolean(),
      ledgerHash: hex(32),
      rollingHash: hex(8),
      transactions: fc.constant(transactions),
      records: fc.array(
        fc.record({
          class: fc.constantFrom('owned' as const, 'shared' as const, 'context' as const),
          record: recordOf(transactions.length),
        }),
        {
          maxLength: 30,
        },
      ),
    }),
  )

const emptySlice: Slice = {
  network: 'forge-a',
  protocol: 'soroswap',
  partition: 3,
  after: 1_000_004,
  ledger: 1_000_007,
  closeTimeSeconds: 1_788_224_400,
  hourStart: true,
  dayStart: false,
  ledgerHash: 'ab'.repeat(32),
  rollingHash: '0123456789abcdef',
  transactions: [],
  records: [],
}

/** A slice whose compressed body still needs several parts. */
function giantSlice(): Slice {
  const noise = gzipSync(Buffer.from(Array.from({ length: 4_000 }, (_, n) => (n * 2_654_435_761) >>> 0).join()))
  const records = Array.from({ length: 4 }, (_, index) => ({
    class: 'owned' as const,
    record: {
      kind: 'event' as const,
      tx: -1,
      opIndex: 0,
      index,
      contract: 'CAAA',
      type: 'contract' as const,
      topics: noise.subarray(index),
      data: noise,
    },
  }))
  return { ...emptySlice, records }
}

describe('a slice', () => {
  it('a slice is decoded as it was encoded, with any content', () => {
    fc.assert(
      fc.property(slices, (slice) => {
        expect(decodeSlice(encodeSlice(slice))).toEqual(slice)
      }),
    )
  })

  it('a slice is decoded from parts of any size', () => {
    fc.assert(
      fc.property(slices, fc.integer({ min: 7, max: 200 }), (slice, maxPartBytes) => {
        const values = encodeSlice(slice, { maxPartBytes })
        const assembler = new SliceAssembler()
        const assembled = values.map((value, n) => assembler.push(value, BigInt(n)))
        expect(assembled.slice(0, -1).every((one) => one === null)).toBe(true)
        expect(assembled.at(-1)).toEqual(slice)
      }),
    )
  })

  // Laid out by hand from docs/slices.md.
  it('a slice has the documented bytes', () => {
    const [value] = encodeSlice(emptySlice)
    const bytes = Buffer.from(value as Uint8Array)
    expect(bytes.toString('hex').replace(/^(.{8}).{16}/, '$1................')).toBe(
      [
        '01', // format
        '01', // flags: hour start
        '03', // protocol: Soroswap
        '07', // bytes of the network's name
        '................', // checksum
        '0003', // partition
        '0001', // part
        '0001', // of parts
        '0000', // reserved
        '000f4244', // after 1,000,004
        '000f4247', // ledger 1,000,007
        '000000006a962390', // close time 1,788,224,400
        'ab'.repeat(32), // ledger hash
        '0123456789abcdef', // rolling hash
        '00000000', // records
        '00000003', // body bytes
        Buffer.from('forge-a').toString('hex'),
        '00', // texts
        '00', // transactions
        '00', // records
      ].join(''),
    )
  })

  it('a slice with a changed bit or a missing byte is reported as broken', () => {
    const [value] = encodeSlice(giantSlice(), { maxPartBytes: 1 << 20 })
    const [small] = encodeSlice(emptySlice)
    for (const bytes of [value, small]) {
      fc.assert(
        fc.property(fc.nat((bytes?.length ?? 0) * 8 - 1), (bit) => {
          const flipped = Uint8Array.from(bytes ?? [])
          flipped[bit >> 3] = (flipped[bit >> 3] ?? 0) ^ (1 << (bit & 7))
          expect(() => decodeSlice(flipped)).toThrow(expect.objectContaining({ kind: 'corrupt', code: 'slice_broken' }))
        }),
      )
      fc.assert(
        fc.property(fc.nat((bytes?.length ?? 0) - 1), (length) => {
          expect(() => decodeSlice((bytes ?? new Uint8Array()).subarray(0, length))).toThrow(
            expect.objectContaining({ kind: 'corrupt', code: 'slice_broken' }),
          )
        }),
      )
    }
  })

  it('a slice is refused when parts are missing or in another order', () => {
    const [first, second, third] = encodeSlice(giantSlice(), { maxPartBytes: 9_000 }) as [Uint8Array, Uint8Array, Uint8Array]
    for (const parts of [[first], [first, third], [second, first, third], []]) {
      expect(() => decodeSlice(parts)).toThrow(expect.objectContaining({ kind: 'corrupt', code: 'slice_broken' }))
    }
  })

  it('a slice of a quiet ledger takes less than 100 bytes', () => {
    expect(encodeSlice(emptySlice)[0]?.length).toBeLessThan(100)
  })
})

describe('slices of several partitions with the same records', () => {
  const ofOracles = giantSlice()

  it('slices of several partitions are decoded as they were encoded, in any order, whether their records are the same or not', () => {
    const slices = [0, 1, 2].map((partition) => ({ ...ofOracles, partition, rollingHash: `000000000000000${partition}` }))
    const other = { ...ofOracles, partition: 3, records: ofOracles.records.slice(1) }
    const values = [...slices, other].map((slice) => encodeSlice(slice))
    for (const n of [3, 0, 2, 1, 3, 0]) expect(decodeSlice(values[n] ?? [])).toEqual([...slices, other][n])
    const [first, second, fourth] = [0, 1, 3].map((n) => decodeSlice(values[n] ?? []).records)
    expect(second).toBe(first) // read once
    expect(fourth).not.toBe(first)
  })

  it('slices of several partitions are found by what was read, also when the memory that it was read from is used again', () => {
    const [value = new Uint8Array()] = encodeSlice({ ...ofOracles, ledger: 2_000_000 }, { maxPartBytes: 1 << 20 })
    const memory = Uint8Array.from(value)
    const { records } = decodeSlice(memory)
    memory.fill(0)
    expect(decodeSlice(value).records).toBe(records)
  })

  it('slices of several partitions have the rolling hash of their own body, as it is stored', () => {
    const assembler = new SliceAssembler()
    for (const slice of [ofOracles, { ...ofOracles, records: ofOracles.records.slice(1) }, ofOracles]) {
      for (const value of encodeSlice(slice)) assembler.push(value)
      expect(sliceRollingHash(EMPTY_ROLLING_HASH, slice, assembler.body)).toBe(sliceRollingHash(EMPTY_ROLLING_HASH, slice))
    }
  })
})

describe('parts of a large slice', () => {
  const giant = giantSlice()
  const parts = encodeSlice(giant, { maxPartBytes: 9_000 })
  const quiet = encodeSlice({ ...emptySlice, after: 1_000_007, ledger: 1_000_008 })[0] as Uint8Array

  it('parts of a large slice are joined, and the offset to resume at is that of part 1 until then', () => {
    expect(parts.length).toBeGreaterThan(2)
    const assembler = new SliceAssembler()
    for (const [n, part] of parts.entries()) {
      const slice = assembler.push(part, BigInt(50 + n))
      const whole = n === parts.length - 1
      expect(slice).toEqual(whole ? giant : null)
      expect(assembler.resumeOffset).toBe(whole ? BigInt(50 + parts.length) : 50n)
    }
  })

  it('parts are discarded when a new part 1 follows, because their writer died and appended the ledger again', () => {
    const assembler = new SliceAssembler()
    assembler.push(parts[0] as Uint8Array, 1n)
    assembler.push(parts[1] as Uint8Array, 2n)
    const again = parts.map((part, n) => assembler.push(part, BigInt(3 + n)))
    expect(again.at(-1)).toEqual(giant)
    expect(again.slice(0, -1)).toEqual(parts.slice(1).map(() => null))
  })

  it('parts are discarded when another slice follows before they are complete', () => {
    const assembler = new SliceAssembler()
    assembler.push(parts[0] as Uint8Array, 1n)
    expect(assembler.push(quiet, 2n)?.ledger).toBe(1_000_008)
    expect(assembler.resumeOffset).toBe(3n)
    expect(assembler.push(parts[1] as Uint8Array, 3n)).toBeNull()
    expect(assembler.resumeOffset).toBe(4n)
  })

  it('parts are skipped when reading began after part 1', () => {
    const assembler = new SliceAssembler()
    expect(parts.slice(1).map((part, n) => assembler.push(part, BigInt(n)))).toEqual(parts.slice(1).map(() => null))
    expect(assembler.push(quiet, 9n)?.ledger).toBe(1_000_008)
  })
})

describe('the rolling hash', () => {
  it('the rolling hash is unchanged by a slice without records, and changes with any record or its ledger', () => {
    const slice = giantSlice()
    expect(sliceRollingHash('00000000000000aa', emptySlice)).toBe('00000000000000aa')
    const hash = sliceRollingHash(EMPTY_ROLLING_HASH, slice)
    expect(hash).toMatch(/^[0-9a-f]{16}$/)
    const others = [
      { ...slice, ledger: slice.ledger + 1 },
      { ...slice, records: slice.records.slice(1) },
      { ...slice, records: slice.records.map(({ record }) => ({ class: 'context' as const, record })) },
    ]
    expect(new Set([hash, ...others.map((other) => sliceRollingHash(EMPTY_ROLLING_HASH, other))]).size).toBe(4)
    expect(sliceRollingHash('0000000000000001', slice)).not.toBe(hash)
  })

  it('the rolling hash does not depend on coalescing', () => {
    const slice = giantSlice()
    const { rollingHash } = encodeNextSlice(EMPTY_ROLLING_HASH, slice)
    expect(encodeNextSlice(EMPTY_ROLLING_HASH, { ...slice, after: 5, hourStart: false }).rollingHash).toBe(rollingHash)
    expect(encodeNextSlice(rollingHash, emptySlice).rollingHash).toBe(rollingHash)
  })

  it('the rolling hash is stored with each slice', () => {
    const { values, rollingHash } = encodeNextSlice('00000000000000aa', giantSlice())
    expect(readSliceHeader(values[0] as Uint8Array).rollingHash).toBe(rollingHash)
    expect(sliceRollingHash('00000000000000aa', decodeSlice(values))).toBe(rollingHash)
  })

  // Ledger 0x61626364 and an empty body are the text "abcd": its XXH64 with seed 0 is a known answer.
  it('the rolling hash is xxhash64 over ledger and body', () => {
    expect(chainRollingHash(EMPTY_ROLLING_HASH, 0x61626364, new Uint8Array())).toBe('de0327b0d25d92cc')
  })
})

describe('a slice as plain JSON', () => {
  it('a description has all fields of a slice', () => {
    fc.assert(
      fc.property(slices, (slice) => {
        const described = describeSlice(...encodeSlice(slice))
        expect(JSON.parse(JSON.stringify(described))).toEqual(described)
        expect(described).toMatchObject({
          format: 1,
          ledger: slice.ledger,
          after: slice.after,
          recordCount: slice.records.length,
          part: 1,
          parts: 1,
        })
        expect(described.records).toHaveLength(slice.records.length)
      }),
    )
  })

  it('a description of one part of a large slice has its header', () => {
    const [first] = encodeSlice(giantSlice(), { maxPartBytes: 9_000 })
    expect(describeSlice(first as Uint8Array)).toMatchObject({ part: 1, recordCount: 4, ledger: 1_000_007 })
    expect(describeSlice(first as Uint8Array)).not.toHaveProperty('records')
  })
})
