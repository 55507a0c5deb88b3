import { startTraceReceiver } from '@orrery/testkit'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { isTracingWanted } from './env.ts'
import { startRequestSpan, startTracing, traced } from './index.ts'

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736'
const PARENT = '00f067aa0ba902b7'
const problems: string[] = []
const start = () => startTracing({ service: 'orrery-test', onProblem: (reason) => problems.push(reason) })
const sendTo = (url: string, protocol = 'http/json') => {
  vi.stubEnv('OTEL_EXPORTER_OTLP_ENDPOINT', url)
  vi.stubEnv('OTEL_EXPORTER_OTLP_PROTOCOL', protocol)
}
afterEach(() => {
  vi.unstubAllEnvs()
  problems.length = 0
})

describe('tracing', () => {
  it('is off when the environment names no receiver, an empty one, no exporter, or a disabled SDK', () => {
    const receiver = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318' }
    expect(isTracingWanted({})).toBe(false)
    expect(isTracingWanted({ OTEL_EXPORTER_OTLP_ENDPOINT: '', OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: '' })).toBe(false)
    expect(isTracingWanted({ ...receiver, OTEL_TRACES_EXPORTER: 'none' })).toBe(false)
    expect(isTracingWanted({ ...receiver, OTEL_SDK_DISABLED: 'TRUE' })).toBe(false)
    expect(isTracingWanted(receiver)).toBe(true)
    expect(
      isTracingWanted({ OTEL_EXPORTER_OTLP_ENDPOINT: '', OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://127.0.0.1:4318/v1/traces' }),
    ).toBe(true)
  })

  it('makes no span, no attribute and no context while it is off', async () => {
    await using _ = await start()
    const attributes = vi.fn(() => ({}))
    expect(await traced({ name: 'a', attributes }, async () => 7)).toBe(7)
    await expect(traced({ name: 'a', attributes }, () => Promise.reject(new Error('no')))).rejects.toThrow('no')
    expect(attributes).not.toHaveBeenCalled()
    expect(startRequestSpan({ traceparent: `00-${TRACE}-${PARENT}-01` }, {})).toBeNull()
  })

  it('sends nested spans with names, kinds, attributes and errors, as parts of the trace that a request names, before it stops', async () => {
    await using receiver = await startTraceReceiver()
    sendTo(receiver.url)
    vi.stubEnv('OTEL_RESOURCE_ATTRIBUTES', 'deployment.environment.name=test')
    const tracing = await start()
    const request = startRequestSpan({ traceparent: `00-${TRACE}-${PARENT}-01` }, { 'http.request.method': 'GET' })
    await request?.run(async () => {
      await traced({ name: 'tvl', kind: 'client', onlyInside: true, attributes: () => ({ rows: 3 }) }, async () =>
        traced({ name: 'inner' }, async () => undefined),
      )
      const secret = Object.assign(new Error('the password is hunter2'), { code: 'read_model_timeout' })
      await expect(traced({ name: 'slow' }, () => Promise.reject(secret))).rejects.toBe(secret)
      await traced({ name: 'refused', failure: (result: string) => result }, async () => 'endpoint')
    })
    await traced({ name: 'of a timer', onlyInside: true }, async () => undefined)
    await traced({ name: 'another trace' }, async () => undefined)
    request?.end('GET /v1/pools/{id}', { 'http.route': '/v1/pools/{id}' }, false)
    await tracing[Symbol.asyncDispose]()

    const found = Object.fromEntries(receiver.spans.map((span) => [span.name, span]))
    expect(Object.keys(found).sort()).toEqual(['GET /v1/pools/{id}', 'another trace', 'inner', 'refused', 'slow', 'tvl'])
    const root = found['GET /v1/pools/{id}']
    expect(root).toMatchObject({ service: 'orrery-test', kind: 2, traceId: TRACE, parentSpanId: PARENT, status: 0 })
    expect(root?.attributes).toEqual({ 'http.request.method': 'GET', 'http.route': '/v1/pools/{id}' })
    expect(found.tvl).toMatchObject({ kind: 3, traceId: TRACE, parentSpanId: root?.spanId, attributes: { rows: 3 } })
    expect(found.inner).toMatchObject({ kind: 1, traceId: TRACE, parentSpanId: found.tvl?.spanId })
    expect(found.slow).toMatchObject({ traceId: TRACE, status: 2, attributes: { 'error.type': 'read_model_timeout' } })
    expect(found.refused).toMatchObject({ status: 2, attributes: { 'error.type': 'endpoint' } })
    expect(found['another trace']?.parentSpanId).toBe('')
    expect(found['another trace']?.traceId).not.toBe(TRACE)
    expect(receiver.requests.map(({ path }) => path)).toEqual(['/v1/traces'])
    const [sent] = receiver.requests
    expect(sent?.body).toContain('deployment.environment.name')
    // Neither the text of an error nor the arguments of the process.
    expect(sent?.body).not.toMatch(/hunter2|process\.command/)
  })

  it('sends protobuf unless another protocol is chosen, and the headers of the variable', async () => {
    await using receiver = await startTraceReceiver()
    sendTo(receiver.url, '')
    vi.stubEnv('OTEL_EXPORTER_OTLP_HEADERS', 'x-tenant=orrery')
    const tracing = await start()
    await traced({ name: 'a statement' }, async () => undefined)
    await tracing[Symbol.asyncDispose]()
    expect(receiver.requests).toMatchObject([{ headers: { 'content-type': 'application/x-protobuf', 'x-tenant': 'orrery' } }])
    expect(receiver.requests[0]?.body).toContain('a statement')
  })

  it('follows the sampler of the environment', async () => {
    await using receiver = await startTraceReceiver()
    sendTo(receiver.url)
    vi.stubEnv('OTEL_TRACES_SAMPLER', 'parentbased_always_off')
    const tracing = await start()
    await traced({ name: 'not sampled' }, async () => undefined)
    const request = startRequestSpan({ traceparent: `00-${TRACE}-${PARENT}-01` }, {})
    request?.end('sampled by its client', {}, true)
    await tracing[Symbol.asyncDispose]()
    expect(receiver.spans).toMatchObject([{ name: 'sampled by its client', traceId: TRACE, status: 2 }])
  })

  it('reports once that the receiver refuses, and goes on', async () => {
    await using receiver = await startTraceReceiver({ status: 400 })
    sendTo(receiver.url)
    vi.stubEnv('OTEL_BSP_SCHEDULE_DELAY', '10')
    const tracing = await start()
    for (let n = 1; n <= 3; n++) {
      expect(await traced({ name: 'a' }, async () => n)).toBe(n)
      await vi.waitFor(() => expect(receiver.requests).toHaveLength(n))
    }
    await tracing[Symbol.asyncDispose]()
    expect(problems).toHaveLength(1)
    expect(problems[0]).toMatch(/\S/)
    expect(problems[0]?.length).toBeLessThanOrEqual(300)
  })
})
