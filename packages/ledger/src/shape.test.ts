// Shapes read what contracts write, and name exactly what differs. Values are made with the SDK.

import { nativeToScVal, xdr } from '@stellar/stellar-sdk'
import { describe, expect, expectTypeOf, it } from 'vitest'
import { event, matchEvent, readEvent, topicName, topicText } from './event-shape.ts'
import { readInstance } from './instance.ts'
import { sc } from './sc.ts'
import type { ScVal } from './scval.ts'
import {
  address,
  any,
  bool,
  bytes,
  decode,
  dict,
  i128,
  literal,
  matches,
  nothing,
  oneOf,
  option,
  type Shape,
  string,
  struct,
  symbol,
  tuple,
  u32,
  u64,
  variant,
  vec,
} from './shape.ts'
import { encodeStrkey } from './strkey.ts'
import { writeScVal, writeScVals } from './write-scval.ts'

const pair = encodeStrkey('C', new Uint8Array(32).fill(1))
const holder = encodeStrkey('G', new Uint8Array(32).fill(2))
const where = { contract: pair, what: 'reserve data' }
const read = <T>(shape: Shape<T>, value: ScVal): T => decode(shape, writeScVal(value), where)
const problemOf = (shape: Shape<unknown>, value: ScVal): unknown => {
  try {
    return read(shape, value)
  } catch (error) {
    return (error as { context: unknown }).context
  }
}

describe('a shape', () => {
  it('a struct is read as the SDK writes it, in any order and with further members', () => {
    const written = nativeToScVal(
      { zeta: 7n, owner: holder, rate: -3n, flag: true },
      { type: { owner: ['symbol', 'address'], rate: ['symbol', 'i128'], zeta: ['symbol', 'u64'], flag: ['symbol'] } },
    )
    const shape = struct({ rate: i128, owner: address, zeta: u64 })
    const value = decode(shape, Uint8Array.from(written.toXdr()), where)
    expectTypeOf(value).toEqualTypeOf<{ readonly rate: bigint; readonly owner: string; readonly zeta: bigint }>()
    expect(value).toEqual({ rate: -3n, owner: holder, zeta: 7n })
  })

  it('tuples, vectors, options, maps and enums of Rust are read', () => {
    const shape = tuple(vec(u32), option(string), option(bool), dict(u32, address), variant({ Balance: [address], Total: [] }), any)
    const written = sc.vec(
      sc.vec(sc.u32(1), sc.u32(2)),
      sc.void(),
      sc.bool(false),
      sc.map([sc.u32(5), sc.address(pair)]),
      sc.vec(sc.symbol('Balance'), sc.address(holder)),
      sc.bytes(Uint8Array.of(1)),
    )
    expect(read(shape, written)).toEqual([
      [1, 2],
      null,
      false,
      [[5, pair]],
      { name: 'Balance', values: [holder] },
      sc.bytes(Uint8Array.of(1)),
    ])
    expect(read(variant({ Total: [] }), sc.vec(sc.symbol('Total')))).toEqual({ name: 'Total', values: [] })
  })

  it('a shape can be one of several', () => {
    const amount = oneOf([i128, struct({ amount: i128, to_muxed_id: any })])
    expect(read(amount, sc.i128(5n))).toBe(5n)
    expect(read(amount, sc.struct({ amount: sc.i128(6n), to_muxed_id: sc.u64(1n) }))).toEqual({ amount: 6n, to_muxed_id: sc.u64(1n) })
    expect(problemOf(vec(amount), sc.vec(sc.u32(1)))).toMatchObject({
      path: '[0]',
      problem: expect.stringContaining('as i128: expected i128, found u32'),
    })
  })

  it('a symbol and a string with the same letters are distinguished', () => {
    expect(read(literal('symbol', 'swap'), sc.symbol('swap'))).toBe('swap')
    expect(matches(literal('symbol', 'swap'), writeScVal(sc.string('swap')))).toBeNull()
    expect(matches(literal('string', 'swap'), writeScVal(sc.string('sync')))).toBeNull()
  })

  it.each<[string, Shape<unknown>, ScVal, object]>([
    ['a wrong type at the root', i128, sc.u32(1), { path: '', problem: 'expected i128, found u32' }],
    [
      'a wrong type deep inside',
      struct({ a: vec(tuple(u32, bool)) }),
      sc.struct({ a: sc.vec(sc.vec(sc.u32(1), sc.u32(1))) }),
      { path: '.a[0][1]', problem: 'expected bool, found u32' },
    ],
    [
      'members that are missing',
      struct({ a: u32, b: u32, c: u32 }),
      sc.struct({ b: sc.u32(1) }),
      { path: '', problem: 'member a, c is missing' },
    ],
    ['a tuple of another length', tuple(u32), sc.vec(), { problem: 'expected 1 items, found 0' }],
    ['an unknown variant', variant({ A: [] }), sc.vec(sc.symbol('B')), { problem: 'unknown variant "B"' }],
    ['a variant with other values', variant({ A: [u32] }), sc.vec(sc.symbol('A')), { problem: 'variant A has 0 values, expected 1' }],
    ['a map where the key is of another type', dict(u32, u32), sc.map([sc.symbol('x'), sc.u32(1)]), { path: '[key 0]' }],
    ['void where something must be', nothing, sc.bool(true), { problem: 'expected void, found bool' }],
    ['bytes where text must be', symbol, sc.bytes(Uint8Array.of(1)), { problem: 'expected symbol, found bytes' }],
  ])('the error names contract, entry and path of %s', (_, shape, value, expected) => {
    expect(problemOf(shape, value)).toMatchObject({ contract: pair, what: 'reserve data', ...expected })
    expect(matches(shape, writeScVal(value))).toBeNull()
  })

  it('bytes after the value, and bytes that are no value, are refused', () => {
    expect(() => decode(u32, Uint8Array.of(0, 0, 0, 3, 0, 0, 0, 1, 0), where)).toThrow(
      expect.objectContaining({ code: 'ledger_unreadable' }),
    )
    expect(() => matches(bytes, Uint8Array.of(0, 0, 0, 13, 0xff, 0xff, 0xff, 0xff))).toThrow(
      expect.objectContaining({ code: 'ledger_unreadable' }),
    )
  })
})

describe('an instance', () => {
  const instance = sc.instance({ kind: 'wasm', hash: 'ab'.repeat(32) }, [sc.symbol('Factory'), sc.address(pair)], [sc.u32(2), sc.i128(9n)])

  it('the storage of an instance is looked up by key', () => {
    const { executable, get, entries } = readInstance(writeScVal(instance))
    expect(executable).toEqual({ kind: 'wasm', hash: 'ab'.repeat(32) })
    expect([get(sc.symbol('Factory'), address), get(writeScVal(sc.u32(2)), i128), get(sc.u32(3), i128), entries.length]).toEqual([
      pair,
      9n,
      null,
      2,
    ])
    expect(() => get(sc.u32(2), bool)).toThrow(expect.objectContaining({ code: 'unexpected_shape' }))
  })

  it('an instance may run an asset, or code that another contract names', () => {
    expect(readInstance(writeScVal(sc.instance({ kind: 'stellar_asset' })))).toMatchObject({
      executable: { kind: 'stellar_asset' },
      entries: [],
    })
    const reference = { kind: 'external_ref', owner: pair, tag: 'pool' } as const
    const written = writeScVal(sc.instance(reference))
    expect(readInstance(written).executable).toEqual(reference)
    expect(Uint8Array.from(xdr.ScVal.fromXdr(written).toXdr())).toEqual(written)
  })

  it('a value of another type is no instance', () => {
    expect(() => readInstance(writeScVal(sc.u32(1)), where)).toThrow(expect.objectContaining({ code: 'unexpected_shape' }))
  })
})

describe('an event', () => {
  const record = { topics: writeScVals([sc.string('SoroswapPair'), sc.symbol('swap')]), data: writeScVal(sc.i128(3n)) }
  const swap = event([literal('string', 'SoroswapPair'), literal('symbol', 'swap')], i128)

  it('an event is read by its topics and its data', () => {
    expect(readEvent(swap, record, where)).toEqual({ topics: ['SoroswapPair', 'swap'], data: 3n })
  })

  it('another event is no match, and an error where it must match', () => {
    for (const topics of [[sc.string('SoroswapPair'), sc.symbol('sync')], [sc.string('SoroswapPair')], []]) {
      const other = { ...record, topics: writeScVals(topics) }
      expect(matchEvent(swap, other)).toBeNull()
      expect(() => readEvent(swap, other, where)).toThrow(expect.objectContaining({ code: 'unexpected_shape' }))
    }
    expect(matchEvent(swap, { ...record, data: writeScVal(sc.u32(3)) })).toBeNull()
  })

  it('the first topics of an event can be read alone', () => {
    expect([topicName(record), topicText(record, 0), topicText(record, 1), topicText(record, 2)]).toEqual([
      'SoroswapPair',
      { type: 'string', text: 'SoroswapPair' },
      { type: 'symbol', text: 'swap' },
      null,
    ])
    expect(topicName({ topics: writeScVals([sc.u32(1)]) })).toBeNull()
  })
})
