import { TEST_PROTOCOLS } from '@orrery/testkit/test-protocols'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type ControlRecord, controlValues, decodeControl, encodeControl, summarizeControl } from './control-codec.ts'

const u32 = fc.integer({ min: 0, max: 0xffff_ffff })
const xdr = fc.uint8Array({ maxLength: 40 }).map((bytes): Uint8Array => Buffer.from(bytes))
const name = fc.string({ minLength: 1 })
const protocol = fc.constantFrom(...TEST_PROTOCOLS)

const records: fc.Arbitrary<ControlRecord> = fc.oneof(
  fc.record({
    kind: fc.constant('start' as const),
    network: name,
    passphrase: name,
    firstLedger: u32,
    partitions: fc.dictionary(protocol, fc.integer({ min: 1, max: 1024 }), { noNullPrototype: true }),
  }),
  fc.record({
    kind: fc.constant('ledger' as const),
    ledger: u32,
    hash: fc.uint8Array({ minLength: 32, maxLength: 32 }).map((bytes) => Buffer.from(bytes).toString('hex')),
    closeTimeSeconds: fc.maxSafeNat(),
    hourStart: fc.boolean(),
    dayStart: fc.boolean(),
  }),
  fc.record({
    kind: fc.constant('tracked' as const),
    ledger: u32,
    contract: fc.record({
      protocol,
      contract: name,
      role: name,
      home: fc.option(name),
      balances: fc.array(name, { maxLength: 3 }),
      fromLedger: u32,
    }),
  }),
  fc.record({
    kind: fc.constant('bootstrap' as const),
    ledger: u32,
    protocol,
    contract: name,
    key: xdr,
    durability: fc.constantFrom('temporary' as const, 'persistent' as const),
    value: xdr,
    asOfLedger: u32,
    lastModifiedLedger: u32,
    liveUntilLedger: u32,
  }),
  fc.record({ kind: fc.constant('registry' as const), ledger: u32, document: fc.json() }),
  fc.record({ kind: fc.constant('protocol' as const), ledger: u32, version: u32 }),
  fc.record({ kind: fc.constant('source_end' as const), ledger: u32 }),
  fc.record({ kind: fc.constant('source_tip' as const), ledger: u32, closeTimeSeconds: fc.maxSafeNat(), heardAtMs: fc.maxSafeNat() }),
)

describe('control records', () => {
  it('control records are decoded as they were encoded', () => {
    fc.assert(
      fc.property(fc.array(records, { maxLength: 8 }), (appended) => {
        expect(decodeControl(encodeControl(appended))).toEqual(appended)
      }),
    )
  })

  it('a value has a summary that is read without decoding its records', () => {
    fc.assert(
      fc.property(fc.array(records, { minLength: 1, maxLength: 8 }), (appended) => {
        const ledgers = appended.flatMap((record) => {
          if (record.kind === 'start') return record.firstLedger
          return record.kind === 'source_tip' ? [] : record.ledger // not in the log yet
        })
        expect(summarizeControl(encodeControl(appended))).toEqual({
          kinds: new Set(appended.map(({ kind }) => kind)),
          firstLedger: ledgers.length === 0 ? 0 : Math.min(...ledgers),
          lastLedger: Math.max(0, ...ledgers),
        })
      }),
    )
  })

  it('a registry and a protocol version have the bytes that docs/slices.md specifies', () => {
    const value = encodeControl([
      { kind: 'registry', ledger: 0x0102_0304, document: '{"network":"é"}' },
      { kind: 'protocol', ledger: 0x0102_0305, version: 31 },
    ])
    // format 1, kinds 6 and 7, checksum, smallest and largest ledger, two records.
    expect([...value.subarray(0, 2), ...value.subarray(10, 19)]).toEqual([1, 0b1100_0000, 1, 2, 3, 4, 1, 2, 3, 5, 2])
    // kind, ledger, bytes of the text, then the text: é has two bytes.
    expect([...value.subarray(19, 25)]).toEqual([6, 1, 2, 3, 4, 16])
    expect(new TextDecoder().decode(value.subarray(25, 41))).toBe('{"network":"é"}')
    expect([...value.subarray(41)]).toEqual([7, 1, 2, 3, 5, 0, 0, 0, 31])
  })

  it('control records are divided into values below the limit of a broker, and a large registry has a value of its own', () => {
    const registry = (ledger: number): ControlRecord => ({ kind: 'registry', ledger, document: JSON.stringify('x'.repeat(400_000)) })
    const end: ControlRecord = { kind: 'source_end', ledger: 9 }
    const values = controlValues([end, registry(7), registry(8), end])
    expect(values.map(decodeControl)).toEqual([
      [end, registry(7)],
      [registry(8), end],
    ])
    expect(Math.max(...values.map(({ length }) => length))).toBeLessThan(1_000_000)
  })

  it('a value of a later format ends reading with both formats, as docs/slices.md specifies for a ninth kind', () => {
    const value = encodeControl([{ kind: 'protocol', ledger: 1, version: 31 }])
    const later = Uint8Array.from(value, (byte, n) => (n === 0 ? 2 : byte))
    for (const read of [decodeControl, summarizeControl])
      expect(() => read(later)).toThrow(
        expect.objectContaining({
          code: 'control_record_broken',
          message: expect.stringContaining('format 2, while this build reads format 1,'),
        }),
      )
  })

  it('the kinds of a value are one byte, which eight kinds fill', () => {
    const value = encodeControl(fc.sample(records, { numRuns: 200, seed: 1 }))
    expect(value[1]).toBe(0xff)
    expect(summarizeControl(value).kinds.size).toBe(8)
  })

  it('a value with a changed bit or a missing byte is reported as broken', () => {
    const value = encodeControl(fc.sample(records, { numRuns: 12, seed: 5 }))
    fc.assert(
      fc.property(fc.nat(value.length * 8 - 1), (bit) => {
        const flipped = Uint8Array.from(value)
        flipped[bit >> 3] = (flipped[bit >> 3] ?? 0) ^ (1 << (bit & 7))
        expect(() => decodeControl(flipped)).toThrow(expect.objectContaining({ kind: 'corrupt', code: 'control_record_broken' }))
      }),
    )
    fc.assert(
      fc.property(fc.nat(value.length - 1), (length) => {
        expect(() => decodeControl(value.subarray(0, length))).toThrow(
          expect.objectContaining({ kind: 'corrupt', code: 'control_record_broken' }),
        )
      }),
    )
  })
})
