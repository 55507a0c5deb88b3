// Traces of a whole system, received over OTLP.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { recording, startFakeRpc, startTraceReceiver } from '@orrery/testkit'
import { afterAll, expect, it } from 'vitest'
import { Orrery, type Ready } from './orrery.ts'

const folder = mkdtempSync(join(tmpdir(), 'orrery-traces-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const LAST = 1_000_191
const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736'
const PARENT = '00f067aa0ba902b7'

it('orrery up sends spans of requests with their route and statements, of batches of ledgers with their inserts, and of RPC calls', async () => {
  const { lakeDir, registryFile } = recording()
  await using receiver = await startTraceReceiver()
  await using node = await startFakeRpc({ ledgers: lakeDir, latest: LAST })
  const args = ['up', '--json', '--port', '0', '--internal-port', '0', '--network', registryFile, '--data', join(folder, 'data')]
  const env = { OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url, OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json', OTEL_BSP_SCHEDULE_DELAY: '100' }
  await using run = new Orrery([...args, '--rpc', node.url], env)
  const { url, apiKey } = await run.result<Ready>()
  await run.result()

  const headers = { connection: 'close', 'x-service-api-key': apiKey, traceparent: `00-${TRACE}-${PARENT}-01` }
  const answer = await fetch(`${url}/v1/protocols/soroswap/tvl`, { headers })
  expect(answer.status).toBe(200)
  const request = await receiver.span(({ parentSpanId }) => parentSpanId === PARENT)
  expect(request).toMatchObject({
    ...{ service: 'orrery', name: 'GET /v1/protocols/:id/tvl', kind: 2, traceId: TRACE, status: 0 },
    attributes: {
      'http.request.method': 'GET',
      'http.route': '/v1/protocols/:id/tvl',
      'http.response.status_code': 200,
      'orrery.request_id': answer.headers.get('x-request-id'),
    },
  })
  const statements = receiver.spans.filter(({ traceId, name }) => traceId === TRACE && name !== request.name)
  expect(statements.length).toBeGreaterThan(0)
  for (const { kind, name, parentSpanId, attributes } of statements) {
    expect({ kind, parentSpanId }).toEqual({ kind: 3, parentSpanId: request.spanId })
    expect(attributes).toMatchObject({ 'db.system.name': 'clickhouse', 'db.query.summary': name })
  }

  const unknown = await fetch(`${url}/v1/nothing`, { headers: { connection: 'close' } })
  expect(unknown.status).toBe(404)
  const refused = await receiver.span(({ attributes }) => attributes['orrery.request_id'] === unknown.headers.get('x-request-id'))
  expect(refused).toMatchObject({ name: 'GET', parentSpanId: '', attributes: { 'http.response.status_code': 404 } })

  const batch = await receiver.span(({ name, attributes }) => name === 'store_ledgers' && attributes['orrery.ledger.last'] === LAST)
  expect(batch.attributes).toMatchObject({ 'orrery.protocol': expect.any(String), 'orrery.partition': expect.any(Number) })
  // Partitions share inserts: one is part of the batch that sent it, so a batch need not have any.
  const insert = await receiver.span(({ name }) => name === 'insert_state_v1')
  expect(insert).toMatchObject({ kind: 3, attributes: { 'db.system.name': 'clickhouse' } })
  expect(await receiver.span(({ spanId }) => spanId === insert.parentSpanId)).toMatchObject({
    name: 'store_ledgers',
    traceId: insert.traceId,
  })

  const call = await receiver.span(({ name }) => name === 'getLedgers')
  expect(call).toMatchObject({ kind: 3, status: 0, attributes: { 'rpc.system.name': 'jsonrpc', 'server.address': new URL(node.url).host } })
  expect(JSON.stringify(receiver.requests)).not.toContain(apiKey)

  run.signal('SIGTERM')
  expect(await run.exited, run.stderr).toBe(0)
})
