// The SDK is the reference: this package reads what the SDK writes, and the reverse.

import { StrKey, scValToNative, xdr } from '@stellar/stellar-sdk'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { sc } from './sc.ts'
import { readScVal, readScVals, type ScVal } from './scval.ts'
import { encodeStrkey } from './strkey.ts'
import { writeScVal, writeScVals } from './write-scval.ts'

const key = fc.uint8Array({ minLength: 32, maxLength: 32 })
const address = fc.oneof(
  key.map((bytes) => encodeStrkey('G', bytes)),
  key.map((bytes) => encodeStrkey('C', bytes)),
  key.map((bytes) => encodeStrkey('L', bytes)),
  key.map((bytes) => encodeStrkey('B', Uint8Array.of(0, ...bytes))),
  fc.uint8Array({ minLength: 40, maxLength: 40 }).map((bytes) => encodeStrkey('M', bytes)),
)
const signed = (bits: number) => fc.bigInt({ min: -(1n << BigInt(bits - 1)), max: (1n << BigInt(bits - 1)) - 1n })
const unsigned = (bits: number) => fc.bigInt({ min: 0n, max: (1n << BigInt(bits)) - 1n })

const { value: anyScVal } = fc.letrec<{ value: ScVal }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.boolean().map(sc.bool),
    fc.constant(sc.void()),
    fc.constant(sc.instanceKey()),
    fc.nat({ max: 0xffffffff }).map(sc.u32),
    fc.integer().map(sc.i32),
    unsigned(64).map(sc.u64),
    signed(64).map(sc.i64),
    unsigned(128).map(sc.u128),
    signed(128).map(sc.i128),
    unsigned(256).map(sc.u256),
    signed(256).map((value): ScVal => ({ type: 'i256', value })),
    unsigned(64).map((value): ScVal => ({ type: 'timepoint', value })),
    unsigned(64).map((value): ScVal => ({ type: 'duration', value })),
    signed(64).map((value): ScVal => ({ type: 'nonce_key', value })),
    fc.uint8Array({ maxLength: 70 }).map(sc.bytes),
    fc.string({ unit: 'grapheme', maxLength: 40 }).map(sc.string),
    fc.stringMatching(/^[A-Za-z0-9_]{0,32}$/).map(sc.symbol),
    fc.nat({ max: 0xffffffff }).map((code): ScVal => ({ type: 'error', kind: 'contract', code })),
    fc.nat({ max: 9 }).map((code): ScVal => ({ type: 'error', kind: 'storage', code })),
    address.map(sc.address),
    fc.array(tie('value'), { maxLength: 4 }).map((items) => sc.vec(...items)),
    fc.array(fc.tuple(tie('value'), tie('value')), { maxLength: 4 }).map((pairs) => sc.map(...pairs)),
    fc.array(fc.tuple(tie('value'), tie('value')), { maxLength: 4 }).map((pairs) => sc.instance({ kind: 'stellar_asset' }, ...pairs)),
  ),
}))

describe('contract values', () => {
  it('values are read as they were written, and the SDK writes the same bytes', () => {
    fc.assert(
      fc.property(anyScVal, (value) => {
        const bytes = writeScVal(value)
        expect(readScVal(bytes)).toEqual(value)
        expect(Uint8Array.from(xdr.ScVal.fromXdr(bytes).toXdr())).toEqual(bytes)
      }),
      { numRuns: 500 },
    )
  })

  it('numbers are equal to those of the SDK', () => {
    const number = fc.oneof(
      unsigned(128).map(sc.u128),
      signed(128).map(sc.i128),
      unsigned(256).map(sc.u256),
      unsigned(64).map(sc.u64),
      signed(64).map(sc.i64),
    )
    fc.assert(
      fc.property(number, (value) => {
        expect(scValToNative(xdr.ScVal.fromXdr(writeScVal(value)))).toEqual((value as { value: bigint }).value)
      }),
    )
  })

  it('lists of values are read as topics and arguments', () => {
    const values = [sc.symbol('transfer'), sc.i128(-1n)]
    expect(readScVals(writeScVals(values))).toEqual(values)
  })

  it('a string that is not UTF-8 keeps its bytes', () => {
    const bytes = Uint8Array.of(0, 0, 0, 14, 0, 0, 0, 2, 0xff, 0xfe, 0, 0)
    const value = readScVal(bytes)
    expect(value).toEqual({ type: 'string', value: '\ufffd\ufffd', raw: Uint8Array.of(0xff, 0xfe) })
    expect(writeScVal(value)).toEqual(bytes)
  })

  it('values may be nested 1,500 deep and no deeper', () => {
    const nested = (depth: number): Uint8Array => {
      // Discriminant vec, present, one item; the innermost is void.
      const words = new Uint32Array(depth * 3 + 1).fill(1)
      for (let n = 0; n < depth; n++) words[n * 3] = 16
      const bytes = new Uint8Array(words.length * 4)
      const view = new DataView(bytes.buffer)
      for (const [n, word] of words.entries()) view.setUint32(n * 4, word)
      return bytes
    }
    expect(writeScVal(readScVal(nested(1500)))).toEqual(nested(1500))
    expect(() => readScVal(nested(1501))).toThrow(expect.objectContaining({ kind: 'corrupt', code: 'ledger_unreadable' }))
    expect(() => readScVal(nested(100_000))).toThrow(expect.objectContaining({ code: 'ledger_unreadable' }))
  })

  it('invalid values are refused with their offset', () => {
    const refused = (...bytes: number[]) => {
      try {
        return readScVal(Uint8Array.from(bytes))
      } catch (error) {
        return (error as { context: object }).context
      }
    }
    expect(refused(0, 0, 0, 23)).toMatchObject({ type: 'ScVal', offset: 0, found: 23 })
    expect(refused(0, 0, 0, 0, 0, 0, 0, 2)).toMatchObject({ type: 'ScVal.bool', offset: 4, found: 2 })
    expect(refused(0, 0, 0, 16, 0, 0, 0, 1, 0x7f, 0xff, 0xff, 0xff)).toMatchObject({ type: 'ScVec', offset: 8, found: 0x7fffffff })
    expect(refused(0, 0, 0, 13, 0xff, 0xff, 0xff, 0xff)).toMatchObject({ type: 'ScVal.bytes', offset: 4 })
    expect(refused(0, 0, 0, 13, 0, 0, 0, 1, 7, 0, 1, 0)).toMatchObject({ offset: 10, found: 1 })
    expect(refused(0, 0, 0, 1, 0, 0, 0, 0)).toMatchObject({ type: 'ScVal', offset: 4, found: 4 })
    expect(refused(0, 0, 0)).toMatchObject({ type: 'ScVal', offset: 0 })
  })

  it('addresses have the same text as in the SDK', () => {
    fc.assert(
      fc.property(key, (bytes) => {
        expect(encodeStrkey('C', bytes)).toBe(StrKey.encodeContract(Buffer.from(bytes)))
        expect(encodeStrkey('G', bytes)).toBe(StrKey.encodeEd25519PublicKey(Buffer.from(bytes)))
        expect(encodeStrkey('L', bytes)).toBe(StrKey.encodeLiquidityPool(Buffer.from(bytes)))
        expect(encodeStrkey('B', Uint8Array.of(0, ...bytes))).toBe(StrKey.encodeClaimableBalance(Buffer.from([0, ...bytes])))
        expect(encodeStrkey('M', Uint8Array.of(...bytes, 0, 0, 0, 0, 0, 0, 0, 9))).toBe(
          StrKey.encodeMed25519PublicKey(Buffer.from([...bytes, 0, 0, 0, 0, 0, 0, 0, 9])),
        )
      }),
    )
  })
})
