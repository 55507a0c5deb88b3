import { PROTOCOL_IDS } from '@orrery/protocol-kit'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type ControlRecord, decodeControl, encodeControl, summarizeControl } from './control-codec.ts'

const u32 = fc.integer({ min: 0, max: 0xffff_ffff })
const xdr = fc.uint8Array({ maxLength: 40 }).map((bytes): Uint8Array => Buffer.from(bytes))
const name = fc.string({ minLength: 1 })
const protocol = fc.constantFrom(...PROTOCOL_IDS)

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
    kind: fc.constant('adopted' as const),
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
  fc.record({ kind: fc.constant('source_end' as const), ledger: u32 }),
  fc.record({ kind: fc.constant('source_tip' as const), ledger: u32, closeTimeSeconds: fc.maxSafeNat(), heardAtMs: fc.maxSafeNat() }),
)

describe('control records', () => {
  it('are given back as they were told', () => {
    fc.assert(
      fc.property(fc.array(records, { maxLength: 8 }), (told) => {
        expect(decodeControl(encodeControl(told))).toEqual(told)
      }),
    )
  })

  it('say what they are about without being decoded', () => {
    fc.assert(
      fc.property(fc.array(records, { minLength: 1, maxLength: 8 }), (told) => {
        const ledgers = told.flatMap((record) => {
          if (record.kind === 'start') return record.firstLedger
          return record.kind === 'source_tip' ? [] : record.ledger // not told yet
        })
        expect(summarizeControl(encodeControl(told))).toEqual({
          kinds: new Set(told.map(({ kind }) => kind)),
          firstLedger: ledgers.length === 0 ? 0 : Math.min(...ledgers),
          lastLedger: Math.max(0, ...ledgers),
        })
      }),
    )
  })

  it('are broken when any bit is another one or any byte is missing', () => {
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
