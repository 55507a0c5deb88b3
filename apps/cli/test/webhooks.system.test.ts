// A webhook from its creation over HTTP to its events, with the recorded demo in one process and the client that a receiver uses.

import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient, verifyWebhook, type WebhookEvent } from '@orrery/client'
import { afterAll, expect, it } from 'vitest'
import { Orrery, type Ready, upArguments } from './orrery.ts'
import { shortLake } from './short-lake.ts'

const folder = mkdtempSync(join(tmpdir(), 'orrery-up-webhooks-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

it('`orrery up` sends the events that its stream has, signed with the secret of the webhook', async () => {
  const lake = shortLake(join(folder, 'lake'), 5)
  await using running = new Orrery([...upArguments(lake, join(folder, 'data')), '--webhook-allow-private'])
  const ready = await running.result<Ready>()
  await running.result()

  const received: { readonly body: string; readonly headers: Readonly<Record<string, string | readonly string[] | undefined>> }[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      received.push({ body: Buffer.concat(chunks).toString('utf8'), headers: request.headers })
      response.writeHead(204).end()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  await using stack = new AsyncDisposableStack()
  stack.defer(() => {
    server.closeAllConnections()
    server.close()
  })

  const open = createClient({ baseUrl: ready.url, apiKey: ready.apiKey })
  const { access_token } = await open.auth.logIn(ready.userEmail, readFileSync(ready.userPasswordFile, 'utf8').trim())
  const client = createClient({ baseUrl: ready.url, apiKey: ready.apiKey, accessToken: access_token })
  // What the stream has of the past, up to its end.
  const end = (await client.service.health()).meta.last_indexed_ledger ?? 0
  const expected: string[] = []
  for await (const { id, event } of client.stream({ from_ledger: 1, events: 'activity,position,ledger' })) {
    if (event === 'ledger' && Number(id) >= end) break
    if (event !== 'ledger' && id !== null) expected.push(id)
  }
  expect(expected.length).toBeGreaterThan(100)

  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`
  const { id, secret } = await client.webhooks.create({ url, from_ledger: 1 })
  await expect.poll(() => new Set(received.map(({ headers }) => headers['webhook-id'])).size).toBe(expected.length)
  const events: WebhookEvent[] = await Promise.all(received.map(({ body, headers }) => verifyWebhook(body, headers, secret)))
  expect([...new Set(events.map((event) => event.id))].sort()).toEqual([...expected].sort())

  const test = await client.webhooks.test(id)
  await expect.poll(async () => (await client.webhooks.deliveries(id, { limit: 1 })).deliveries[0]?.status).toBe('delivered')
  expect(received.at(-1)?.headers['webhook-id']).toBe(test.id)
  expect((await client.webhooks.get(id)).last_ledger).toBeGreaterThan(1_000_000)
  expect(running.stderr).not.toContain(secret.slice(6))
})
