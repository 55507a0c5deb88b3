import { once } from 'node:events'
import { connect } from 'node:net'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type InternalServer, type Readiness, startInternalServer } from './internal-server.ts'
import { createMetrics } from './metrics.ts'

let ready: () => Readiness | Promise<Readiness>
let server: InternalServer
beforeEach(async () => {
  ready = () => ({ ok: true, why: '' })
  server = await startInternalServer({ port: 0, ready: () => ready(), metrics: createMetrics() })
})
afterEach(() => server.stop())

const ask = async (path: string) => {
  const response = await fetch(`${server.url}${path}`)
  return [response.status, await response.text()]
}

describe('/livez', () => {
  it('/livez answers 200 while the process runs, ready or not', async () => {
    ready = () => ({ ok: false, why: 'Catching up.' })
    expect(await ask('/livez')).toEqual([200, 'ok\n'])
  })
})

describe('/readyz', () => {
  it('/readyz answers 503 with the reason until the process can work', async () => {
    ready = async () => ({ ok: false, why: 'Catching up: ledger 5 of 9.' })
    expect(await ask('/readyz')).toEqual([503, 'Catching up: ledger 5 of 9.\n'])
    ready = () => ({ ok: true, why: '' })
    expect(await ask('/readyz?verbose')).toEqual([200, 'ok\n'])
  })

  it('/readyz answers 503 when the readiness check throws', async () => {
    ready = () => Promise.reject(new Error('cannot reach ClickHouse'))
    expect(await ask('/readyz')).toEqual([503, 'cannot reach ClickHouse\n'])
  })

  it('/readyz answers 503 when the readiness check does not end', async () => {
    const impatient = await startInternalServer({
      ...{ port: 0, metrics: createMetrics(), limits: { readyWithinMs: 50 } },
      ready: () => new Promise(() => undefined),
    })
    const response = await fetch(`${impatient.url}/readyz`)
    const why = 'what this process needs does not answer (no answer within 0.05 s)\n'
    expect([response.status, await response.text()]).toEqual([503, why])
    await impatient.stop()
  })
})

describe('/metrics', () => {
  it('/metrics answers in the format of Prometheus', async () => {
    const response = await fetch(`${server.url}/metrics`)
    expect(response.headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/)
    expect(await response.text()).toContain('# TYPE orrery_fetch_ledgers_total counter')
  })
})

it('another path answers 404 with the names of the pages', async () => {
  expect(await ask('/')).toEqual([404, 'Here are /livez, /readyz and /metrics.\n'])
})

it('a taken port is reported with a way out', async () => {
  const port = Number(new URL(server.url).port)
  await expect(startInternalServer({ port, ready, metrics: createMetrics() })).rejects.toMatchObject({
    code: 'port_taken',
    message: expect.stringContaining('`--internal-port` or ORRERY_INTERNAL_PORT'),
  })
})

it('/status answers with the JSON of the process, or 503 with the reason, and only where the process has one', async () => {
  let status = (): unknown => ({ status: 'ok' })
  const running = await startInternalServer({ port: 0, ready, status: () => status(), metrics: createMetrics() })
  await using _ = { [Symbol.asyncDispose]: () => running.stop() }
  const page = await fetch(`${running.url}/status`)
  expect([page.status, await page.json()]).toEqual([200, { status: 'ok' }])
  status = () => {
    throw new Error('The database did not answer.')
  }
  const failed = await fetch(`${running.url}/status`)
  expect([failed.status, await failed.text()]).toEqual([503, 'The database did not answer.\n'])
  expect((await fetch(`${server.url}/status`)).status).toBe(404)
})

it('connections without a request and connections beyond the limit are closed', async () => {
  const limits = { headersTimeout: 40, requestTimeout: 50, connectionsCheckingInterval: 10, connections: 2 }
  await using limited = await stoppable(limits)
  const open = () => connect({ host: '127.0.0.1', port: Number(new URL(limited.url).port) })
  const [first, second, third] = [open(), open(), open()]
  // Without a read a socket does not notice that it was ended.
  for (const socket of [first, second, third]) socket.resume()
  await Promise.all([first, second, third].map((socket) => once(socket, 'close')))
  expect((await fetch(`${limited.url}/livez`)).headers.get('x-content-type-options')).toBe('nosniff')
})

async function stoppable(limits: Parameters<typeof startInternalServer>[0]['limits'] & object) {
  const running = await startInternalServer({ port: 0, ready, metrics: createMetrics(), limits })
  return { url: running.url, [Symbol.asyncDispose]: () => running.stop() }
}
