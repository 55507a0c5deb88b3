// One declaration gives a type, the bytes and the names: every kind of value, with its bytes written out.

import { describe, expect, it } from 'vitest'
import {
  choice,
  decodeValue,
  encodeValue,
  flag,
  integer,
  list,
  type Members,
  mapOf,
  named,
  nullable,
  number,
  object,
  only,
  optional,
  optionalObject,
  stored,
  text,
  tuple,
  usd,
} from './stored-value.ts'

const pair = object({ token0: text, kLast: nullable(integer), feesEnabled: flag, rate: named('bstop_rate', number) })
const place = object({ account: text, index: integer }, 'lowest')
const ticks = stored(list(list(integer)), {
  toStored: (of: ReadonlyMap<number, bigint>) => [...of].map(([tick, amount]) => [BigInt(tick), amount]),
  fromStored: (rows) => new Map(rows.map(([tick = 0n, amount = 0n]) => [Number(tick), amount])),
})

/** Value, its bytes, and the value that the bytes give. */
function same<T>(of: Members<T>, value: T, json: string): void {
  expect(encodeValue(of, value)).toBe(json)
  expect(decodeValue(of, json)).toEqual(value)
  expect(of.isSame(value, decodeValue(of, json))).toBe(true)
}

describe('a stored value', () => {
  it('a stored value has its members in the order of the declaration, in snake_case or under their own name', () => {
    same(
      pair,
      { token0: 'C', kLast: -1n, feesEnabled: true, rate: 7 },
      '{"token_0":"C","k_last":"-1","fees_enabled":true,"bstop_rate":"7"}',
    )
    same(
      pair,
      { token0: '', kLast: null, feesEnabled: false, rate: 0 },
      '{"token_0":"","k_last":null,"fees_enabled":false,"bstop_rate":"0"}',
    )
    expect(pair.names).toEqual(['token_0', 'k_last', 'fees_enabled', 'bstop_rate'])
  })

  it('a stored value that is an object in an object has flat members, which are all null together', () => {
    const totals = object({ lowest: nullable(place), debt: integer })
    same(totals, { lowest: { account: 'G', index: 5n }, debt: 1n }, '{"lowest_account":"G","lowest_index":"5","debt":"1"}')
    same(totals, { lowest: null, debt: 1n }, '{"lowest_account":null,"lowest_index":null,"debt":"1"}')
    expect(totals.names).toEqual(['lowest_account', 'lowest_index', 'debt'])
  })

  it('a stored value leaves out a member with its default value', () => {
    const pool = object({ share: optional(text, ''), ramp: optionalObject(object({ initial: integer, decimals: nullable(list(number)) })) })
    same(pool, { share: '', ramp: null }, '{}')
    same(pool, { share: 'C', ramp: { initial: 1n, decimals: null } }, '{"share":"C","initial":"1","decimals":null}')
    same(pool, { share: 'C', ramp: { initial: 1n, decimals: [7, 6] } }, '{"share":"C","initial":"1","decimals":["7","6"]}')
  })

  it('a stored value may be a list, a map, a choice, USD, another form, or the only member', () => {
    same(
      only('amounts', mapOf(integer)),
      new Map([
        ['C', 1n],
        ['A', 2n],
      ]),
      '{"amounts":{"C":"1","A":"2"}}',
    )
    same(only('ticks', ticks), new Map([[-5, 9n]]), '{"ticks":[["-5","9"]]}')
    same(only('confidence', choice('exact', 'inferred')), 'exact', '{"confidence":"exact"}')
    same(only('usd', usd), -150_000_001n, '{"usd":"-1.50000001"}')
  })

  it('a stored value differs from another one when one byte of its JSON differs', () => {
    expect(
      pair.isSame({ token0: 'C', kLast: 1n, feesEnabled: true, rate: 7 }, { token0: 'C', kLast: null, feesEnabled: true, rate: 7 }),
    ).toBe(false)
    expect(only('ticks', ticks).isSame(new Map([[1, 1n]]), new Map([[1, 2n]]))).toBe(false)
    const amounts = only('amounts', mapOf(integer))
    expect(
      amounts.isSame(
        new Map([
          ['C', 1n],
          ['A', 2n],
        ]),
        new Map([
          ['A', 2n],
          ['C', 1n],
        ]),
      ),
    ).toBe(false)
    expect(amounts.isSame(new Map([['C', 1n]]), new Map([['C', 1n]]))).toBe(true)
  })

  it('a stored tuple is a list of a fixed length', () => {
    const records = only('records', list(tuple(text, integer)))
    same(records, [['C', 5n]], '{"records":[["C","5"]]}')
    expect(records.isSame([['C', 5n]], [['C', 6n]])).toBe(false)
    for (const json of ['[["C"]]', '[["C","5","6"]]', '[["C",5]]', '["C"]'])
      expect(() => decodeValue(records, `{"records":${json}}`)).toThrow(expect.objectContaining({ member: 'records' }))
  })

  it('a stored value names the member that is missing or of another kind', () => {
    const broken = (member: string) => expect.objectContaining({ member })
    const read = (json: string) => () => decodeValue(pair, json)
    expect(read('{"token_0":"C","k_last":null,"fees_enabled":true}')).toThrow(broken('bstop_rate'))
    expect(read('{"token_0":"C","k_last":"1.5","fees_enabled":true,"bstop_rate":"1"}')).toThrow(broken('k_last'))
    expect(read('{"token_0":1,"k_last":null,"fees_enabled":true,"bstop_rate":"1"}')).toThrow(broken('token_0'))
    expect(read('[]')).toThrow(broken('value'))
    expect(read('{')).toThrow(broken('value'))
    expect(() => decodeValue(only('usd', usd), '{"usd":"1.123456789"}')).toThrow(broken('usd'))
    expect(() => decodeValue(only('kind', choice('a', 'b')), '{"kind":"c"}')).toThrow(broken('kind'))
    expect(() => decodeValue(only('amounts', mapOf(integer)), '{"amounts":["1"]}')).toThrow(broken('amounts'))
  })
})
