import { expect, it } from 'vitest'
import { z } from 'zod'
import { type ClickHouseConnection, openClickHouse } from './connection.ts'
import { defineQuery } from './query.ts'
import { openReadModel } from './read-model.ts'
import { withClickHouse } from './testing/with-clickhouse.ts'

// The user `writer` has no limits of its own, writes, and its statements continue when their connection is closed: an ordinary user of an
// ordinary server.
const clickhouse = withClickHouse()
const OPTIONS = { tag: { route: 'test', requestId: 'r' } }

function queryOf<Row extends z.ZodObject>(sql: string, row: Row, settings = {}) {
  return defineQuery({ name: 'test', watermark: 'none', params: z.object({}), row, sql, settings })
}

async function ordinaryUser(): Promise<ClickHouseConnection> {
  return (await clickhouse.database()).connect('writer')
}

it('every statement that reads carries the limits that the API relies on, for any profile of its user', async () => {
  await using readModel = openReadModel(await ordinaryUser(), { statementSeconds: 7 })
  const names = ['readonly', 'cancel_http_readonly_queries_on_client_close', 'max_execution_time', 'max_memory_usage', 'max_threads']
  const sql = `SELECT ${names.map((name) => `toString(getSetting('${name}')) AS ${name}`).join(', ')}`
  const row = z.object(Object.fromEntries(names.map((name) => [name, z.string()])))
  expect(await readModel.query(queryOf(sql, row), {}, OPTIONS)).toEqual([
    {
      readonly: '2',
      cancel_http_readonly_queries_on_client_close: 'true',
      max_execution_time: '7',
      max_memory_usage: '1073741824',
      max_threads: '1',
    },
  ])
})

it('a statement of a reader ends when its time is over', async () => {
  await using readModel = openReadModel(await ordinaryUser(), { statementSeconds: 1 })
  const endless = queryOf('SELECT max(number) AS n FROM numbers(1000000000000000)', z.object({ n: z.string() }))
  await expect(readModel.query(endless, {}, OPTIONS)).rejects.toMatchObject({ kind: 'unavailable', code: 'timeout' })
})

it('a statement of a reader ends when its request is aborted', async () => {
  await using readModel = openReadModel(await ordinaryUser(), { statementSeconds: 600 })
  await using admin = openClickHouse({ ...clickhouse.engine.address('admin'), database: 'system' })
  const leaving = new AbortController()
  const sql = 'SELECT sleepEachRow(1) AS n FROM numbers(600)'
  const settings = { max_block_size: '1', function_sleep_max_microseconds_per_block: '0' }
  const answer = readModel.query(queryOf(sql, z.object({ n: z.number() }), settings), {}, { ...OPTIONS, signal: leaving.signal })
  const query = "SELECT count() AS running FROM system.processes WHERE user = 'writer'"
  const running = async () => (await (await admin.client.query({ query, format: 'JSONEachRow' })).json<{ running: string }>())[0]?.running
  await expect.poll(running).toBe('1')
  leaving.abort('the caller left')
  await expect(answer).rejects.toBe('the caller left')
  await expect.poll(running, { timeout: 60_000 }).toBe('0')
})

it('a statement of a reader takes a gibibyte at most, and writes nothing', async () => {
  await using readModel = openReadModel(await ordinaryUser())
  const row = z.object({ n: z.string() })
  const large = queryOf('SELECT length(groupArray(number)) AS n FROM numbers(300000000)', row)
  await expect(readModel.query(large, {}, OPTIONS)).rejects.toMatchObject({ context: { serverCode: '241' } })
  const writing = queryOf("INSERT INTO ledgers_v1 SELECT 1, 1, 'aa'", row)
  await expect(readModel.query(writing, {}, OPTIONS)).rejects.toMatchObject({ context: { serverCode: '164' } })
})

it('a read model reports whether its engine answers', async () => {
  await using readModel = openReadModel(await ordinaryUser())
  expect(await readModel.answers()).toBe(true)
})
