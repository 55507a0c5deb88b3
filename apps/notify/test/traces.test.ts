// Spans of requests to receivers of webhooks, received over OTLP.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { withDatabases } from '@orrery/read-model/testing'
import { startTraceReceiver } from '@orrery/testkit'
import { startTracing } from '@orrery/tracing'
import { afterAll, afterEach, expect, it, vi } from 'vitest'
import { openDelivery } from './delivery.ts'
import { ACCOUNTS, indexedLedgers } from './indexed-ledgers.ts'
import { startReceiver } from './receiver.ts'

const folder = mkdtempSync(join(tmpdir(), 'orrery-notify-traces-'))
afterAll(() => rmSync(folder, { recursive: true }))
const databases = withDatabases()
afterEach(() => vi.unstubAllEnvs())

it('each request to a receiver is a span with the host and the number of the attempt, and one that fails says with which status', async () => {
  await using traces = await startTraceReceiver()
  vi.stubEnv('OTEL_EXPORTER_OTLP_ENDPOINT', traces.url)
  vi.stubEnv('OTEL_EXPORTER_OTLP_PROTOCOL', 'http/json')
  vi.stubEnv('OTEL_BSP_SCHEDULE_DELAY', '50')
  await using _ = await startTracing({ service: 'orrery-notify', onProblem: () => undefined })
  await using index = await indexedLedgers(await databases.database())
  await using delivery = await openDelivery(`sqlite:${join(folder, 'identity.sqlite')}`, index.readModel)
  await using receiver = await startReceiver()
  let requests = 0
  receiver.behave = () => (++requests === 1 ? 503 : 204)
  const { webhook, secret } = await delivery.addWebhook(receiver.url)
  await index.write(ACCOUNTS.slice(0, 1))
  delivery.start()

  const failed = await traces.span(({ attributes }) => attributes['orrery.attempt'] === 1)
  const second = await traces.span(({ attributes }) => attributes['orrery.attempt'] === 2)
  const [first] = receiver.received
  const common = { service: 'orrery-notify', name: 'deliver_webhook', kind: 3, parentSpanId: '' }
  const attributes = {
    'http.request.method': 'POST',
    'server.address': new URL(receiver.url).host,
    'orrery.webhook_id': webhook.id,
    'orrery.delivery_id': first?.id,
  }
  expect(failed).toMatchObject({ ...common, status: 2, attributes: { ...attributes, 'error.type': '503' } })
  expect(second).toMatchObject({ ...common, status: 0, attributes })
  expect(second.attributes).not.toHaveProperty('error.type')
  // Neither is a secret in a trace, nor does a receiver learn the trace.
  const sent = JSON.stringify(traces.requests)
  for (const hidden of [secret, new URL(receiver.url).pathname, first?.account ?? '']) expect(sent).not.toContain(hidden)
  expect(first?.headers.traceparent).toBeUndefined()
})
