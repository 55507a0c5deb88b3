import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { defineQuery, ifGiven, statementOf } from './query.ts'

const row = z.object({ one: z.number() })

describe('a query', () => {
  it('a query knows the parameters that its SQL binds', () => {
    const query = defineQuery({
      name: 'some_rows',
      params: z.object({ pools: z.array(z.string()), watermark: z.int() }),
      row,
      watermark: 'required',
      sql: `SELECT 1 AS one FROM state_v1 WHERE contract IN {pools:Array(String)} AND ledger <= {watermark:UInt32}
        AND (protocol, adapter_version) IN {active:Array(Tuple(String, UInt16))}`,
    })
    expect([...query.bound]).toEqual(['pools', 'watermark', 'active'])
  })

  it('a query is refused when it needs a watermark and is not bounded by one', () => {
    const unbounded = () => defineQuery({ name: 'a', params: z.object({}), row, watermark: 'required', sql: 'SELECT 1 AS one' })
    expect(unbounded).toThrow(/\{watermark:UInt32\}/)
  })

  it('a query is refused when SQL and schema name different parameters', () => {
    const params = z.object({ a: z.string() })
    expect(() => defineQuery({ name: 'a', params, row, watermark: 'none', sql: 'SELECT 1 AS one' })).toThrow(/does not use/)
    expect(() => defineQuery({ name: 'a', params, row, watermark: 'none', sql: 'SELECT {a:String}, {b:UInt8}' })).toThrow(/parameter b/)
  })

  it('a part of a statement is sent only if its parameter is given', () => {
    const sql = `SELECT 1 AS one WHERE 1 ${ifGiven('pool', 'AND {pool:String} = 1')}${ifGiven('types', 'AND has({types:Array(String)}, 1)')}${ifGiven('after', 'AND 2 > {after:UInt32}')}`
    const query = defineQuery({
      name: 'some_rows',
      params: z.object({ pool: z.string(), types: z.array(z.string()), after: z.int().nullable() }),
      row,
      watermark: 'none',
      sql,
    })
    expect(statementOf(query, { pool: '', types: [], after: null }).sql).toBe('SELECT 1 AS one WHERE 1 ')
    expect(statementOf(query, { pool: 'C', types: [], after: null })).toEqual({
      sql: 'SELECT 1 AS one WHERE 1 AND {pool:String} = 1',
      params: { pool: 'C', types: [] },
    })
    expect(statementOf(query, { pool: '', types: ['swap'], after: 0 }).sql).toBe(
      'SELECT 1 AS one WHERE 1 AND has({types:Array(String)}, 1)AND 2 > {after:UInt32}',
    )
  })

  it('a query is refused when its watermark is in a part that may be left out', () => {
    const params = z.object({ pool: z.string(), watermark: z.int() })
    const sql = `SELECT 1 AS one WHERE 1 ${ifGiven('pool', 'AND {pool:String} = 1 AND {watermark:UInt32} > 1')}`
    expect(() => defineQuery({ name: 'a', params, row, watermark: 'required', sql })).toThrow(/\{watermark:UInt32\}/)
  })

  it('a query has a name in snake_case', () => {
    expect(() => defineQuery({ name: 'A-b', params: z.object({}), row, watermark: 'none', sql: 'SELECT 1 AS one' })).toThrow(/snake_case/)
  })
})
