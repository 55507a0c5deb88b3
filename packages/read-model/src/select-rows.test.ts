import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { TupleParam } from '@clickhouse/client'
import { describe, expect, it } from 'vitest'
import { openRowReader, type RowReader } from './select-rows.ts'
import { withDatabases } from './testing/with-clickhouse.ts'

const databases = withDatabases()

async function setUp() {
  const database = await databases.databaseOfTest()
  return database.connect('admin').client
}

describe('rows of a small statement', () => {
  it('come as objects or as lists of values, as the client of ClickHouse gives them', async () => {
    const client = await setUp()
    const query = `SELECT number AS n, toString(number) AS text, number = 1 ? NULL : number AS other, [number] AS list FROM numbers(3)`
    expect(await client.select({ query, format: 'JSONEachRow' })).toEqual(
      await (await client.query({ query, format: 'JSONEachRow' })).json(),
    )
    expect(await client.select({ query, format: 'JSONCompactEachRow' })).toEqual([
      ['0', '0', '0', ['0']],
      ['1', '1', null, ['1']],
      ['2', '2', '2', ['2']],
    ])
    expect(await client.select({ query: 'SELECT 1 WHERE 0', format: 'JSONEachRow' })).toEqual([])
  })

  it('get their parameters as they are: every kind of value, and texts with any character', async () => {
    const client = await setUp()
    const text = 'a\tb\nc\rd\\e\'f"g&h=i%20j+k\u0000l é 日本 😀'
    const query = `SELECT {text:String} AS text, {texts:Array(String)} AS texts, {pairs:Array(Tuple(String, UInt16))} AS pairs,
      {nothing:Nullable(String)} AS nothing, {some:Array(Nullable(UInt8))} AS some, {on:Bool} AS on`
    const pairs = [new TupleParam([text, 7]), new TupleParam(["'", 8])]
    const query_params = { text, texts: [text, '', "\\'"], pairs, nothing: null, some: [1, null], on: true }
    const asked = { query, query_params, format: 'JSONEachRow' } as const
    const given = {
      text,
      texts: [text, '', "\\'"],
      pairs: [
        { '1': text, '2': 7 },
        { '1': "'", '2': 8 },
      ],
      nothing: null,
      some: [1, null],
      on: true,
    }
    const [row] = await client.select<typeof given>({ ...asked, clickhouse_settings: { output_format_json_named_tuples_as_objects: 0 } })
    expect(row).toEqual({ ...given, pairs: pairs.map(({ values }) => values) })
  })

  it('get long lists of parameters in the body, where no proxy counts them', async () => {
    const client = await setUp()
    const keys = Array.from({ length: 5_000 }, (_, n) => `key '${n}'\n`)
    const query = 'SELECT length({keys:Array(String)}) AS count, arrayElement({keys:Array(String)}, -1) AS last, {one:UInt8} AS one'
    expect(await client.select({ query, query_params: { keys, one: 1 }, format: 'JSONCompactEachRow' })).toEqual([
      [`${keys.length}`, keys.at(-1), 1],
    ])
  })

  it('apply settings of the statement over those of the connection', async () => {
    const client = await setUp()
    const query = "SELECT getSetting('max_threads') AS threads, getSetting('async_insert') AS waits"
    const clickhouse_settings = { max_threads: 1, async_insert: 1 as const }
    expect(await client.select({ query, clickhouse_settings, format: 'JSONCompactEachRow' })).toEqual([[1, true]])
    expect(await client.select({ query: "SELECT getSetting('async_insert')", format: 'JSONCompactEachRow' })).toEqual([[false]])
  })

  it('are an error with the code of the server when it refuses the statement, and when it fails after rows were sent', async () => {
    const client = await setUp()
    const refused = client.select({ query: 'SELECT * FROM no_such_table', format: 'JSONEachRow' })
    await expect(refused).rejects.toMatchObject({ code: '60', type: 'UNKNOWN_TABLE' })
    const query = 'SELECT repeat(toString(number), 1000) AS long, throwIf(number = 5000) AS late FROM system.numbers'
    const clickhouse_settings = { max_threads: 1, max_block_size: '100' }
    const late = client.select({ query, clickhouse_settings, format: 'JSONEachRow' })
    await expect(late).rejects.toMatchObject({ code: '395', type: 'FUNCTION_THROW_IF_VALUE_IS_NON_ZERO' })
    expect(await client.select({ query: 'SELECT 1 AS one', format: 'JSONEachRow' })).toEqual([{ one: 1 }])
  })

  it('end on the server when the request for them is aborted', async () => {
    const client = await setUp()
    const running = async () => {
      const query = "SELECT count() AS running FROM system.processes WHERE query LIKE 'SELECT sleepEachRow(1)%'"
      return (await client.select<{ running: string }>({ query, format: 'JSONEachRow' }))[0]?.running
    }
    const leaving = new AbortController()
    const asked = client.select({
      query: 'SELECT sleepEachRow(1) FROM numbers(100)',
      clickhouse_settings: { max_block_size: '1', readonly: '2', cancel_http_readonly_queries_on_client_close: 1 },
      abort_signal: leaving.signal,
      format: 'JSONEachRow',
    })
    await expect.poll(running).toBe('1')
    leaving.abort(new Error('the client has left'))
    await expect(asked).rejects.toThrow('the client has left')
    await expect.poll(running, { timeout: 10_000 }).toBe('0')
  })
})

describe('a small insert', () => {
  const countOf = async (client: Awaited<ReturnType<typeof setUp>>) =>
    client.select({ query: 'SELECT count() AS count, max(text) AS text FROM notes', format: 'JSONEachRow' })

  it('stores rows of any text, and is acknowledged when they can be read', async () => {
    const client = await setUp()
    await client.command({ query: 'CREATE TABLE notes (n UInt32, text String) ENGINE = MergeTree ORDER BY n' })
    const text = 'a\tb\nc\\d"é 日本 😀'
    await client.insertSmall('INSERT INTO notes (n, text) FORMAT JSONCompactEachRow', Buffer.from(`${JSON.stringify([7, text])}\n`))
    expect(await countOf(client)).toEqual([{ count: '1', text }])
  })

  it('is an error with the code of the server when it refuses the statement or a row, and stores no row then', async () => {
    const client = await setUp()
    await client.command({ query: 'CREATE TABLE notes (n UInt32, text String) ENGINE = MergeTree ORDER BY n' })
    const rows = Buffer.from('[1,"a"]\n[2,"b"]\n["three","c"]\n')
    await expect(client.insertSmall('INSERT INTO nowhere FORMAT JSONCompactEachRow', rows)).rejects.toMatchObject({ code: '60' })
    await expect(client.insertSmall('INSERT INTO notes FORMAT JSONCompactEachRow', rows)).rejects.toMatchObject({ code: '27' })
    expect(await countOf(client)).toEqual([{ count: '0', text: '' }])
  })
})

describe('a reader of rows', () => {
  /** A server whose answers are cut after some rows. */
  async function cut(): Promise<{ reader: RowReader; asked: string[]; stop: () => Promise<void> }> {
    const asked: string[] = []
    const server = createServer((request, response) => {
      const { pathname, searchParams } = new URL(request.url ?? '', 'http://x')
      asked.push(`${request.headers.authorization} ${pathname} ${searchParams.get('database')}`)
      request.resume()
      response.writeHead(200, { 'content-length': 100 }).write('{"n":1}\n')
      setTimeout(() => response.destroy(), 50)
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const url = `http://a%40b:y@127.0.0.1:${(server.address() as AddressInfo).port}/other?pathname=%2Fbehind%2Fa%2Fproxy`
    const options = { user: 'x', password: 'z', database: 'd', settings: {}, connections: 1, timeoutMs: 5_000 }
    const reader = openRowReader({ url, ...options })
    const stop = async () => {
      reader.close()
      server.close()
      await once(server, 'close')
    }
    return { reader, asked, stop }
  }

  it('never gives a part of an answer for all of it', async () => {
    const { reader, asked, stop } = await cut()
    await expect(reader.select({ query: 'SELECT 1', format: 'JSONEachRow' })).rejects.toMatchObject({ code: 'ECONNRESET' })
    // As the client understands such a URL.
    expect(asked).toEqual([`Basic ${Buffer.from('a@b:y').toString('base64')} /behind/a/proxy other`])
    await expect(reader.insert('INSERT', Buffer.from('[]'))).rejects.toMatchObject({ code: 'ECONNRESET' })
    await stop()
  })

  it('gives up a statement that waits for a socket when its request is aborted', async () => {
    const { reader, asked, stop } = await cut()
    const first = reader.select({ query: 'SELECT 1', format: 'JSONEachRow' })
    const leaving = new AbortController()
    const second = reader.select({ query: 'SELECT 2', format: 'JSONEachRow', abort_signal: leaving.signal })
    let isFirstOver = false
    const over = first.catch(() => {
      isFirstOver = true
    })
    leaving.abort(new Error('the client has left'))
    await expect(second).rejects.toThrow('the client has left')
    expect(isFirstOver).toBe(false)
    await over
    expect(asked).toHaveLength(1)
    await stop()
  })

  it('can be used again after its sockets were ended', async () => {
    const { reader, stop } = await cut()
    reader.close()
    await expect(reader.select({ query: 'SELECT 1', format: 'JSONEachRow' })).rejects.toMatchObject({ code: 'ECONNRESET' })
    await stop()
  })
})
