// Client certificates and tokens, against a real broker and a real token endpoint.

import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { makeTestCertificates, withKafka } from '@orrery/testkit/kafka'
import { afterAll, describe, expect, it } from 'vitest'
import type { EventLog } from '../event-log.ts'
import { openLog } from '../open.ts'
import type { KafkaOptions } from './kafka-options.ts'

const folder = mkdtempSync(join(tmpdir(), 'orrery-kafka-auth-'))
afterAll(() => rmSync(folder, { recursive: true }))
const certificates = makeTestCertificates(folder)
const { caFile, certFile, keyFile, passphraseFile: keyPassphraseFile } = certificates

const SESSION_MS = 4_000
const OAUTH = 'org.apache.kafka.common.security.oauthbearer.OAuthBearerLoginModule required unsecuredLoginStringClaim_sub="broker";'
const kafka = withKafka(() => [
  { name: 'mutual', protocol: 'SSL', settings: { ...certificates.listener, 'ssl.client.auth': 'required' } },
  {
    name: 'oauth',
    protocol: 'SASL_PLAINTEXT',
    settings: {
      'sasl.enabled.mechanisms': 'OAUTHBEARER',
      'oauthbearer.sasl.jaas.config': OAUTH,
      'oauthbearer.connections.max.reauth.ms': String(SESSION_MS),
    },
  },
])
const open = (listener: string, options: KafkaOptions): Promise<EventLog> =>
  openLog(`kafka:${kafka.broker.addressOf(listener)}`, { retryForMs: 5_000, ...options })

let topics = 0
/** Appends and reads for `forMs`, and returns what was read. */
async function flow(log: EventLog, forMs: number): Promise<{ readonly written: readonly string[]; readonly read: readonly string[] }> {
  const at = { topic: `flow.${topics++}`, partition: 0 }
  await log.ensureTopic(at.topic, { partitions: 1, retentionSeconds: null, retentionBytes: null })
  const written: string[] = []
  const read: string[] = []
  const reading = (async () => {
    for await (const batch of log.read(at, 0n, new AbortController().signal)) {
      read.push(...batch.map(({ value }) => Buffer.from(value).toString()))
      if (read.at(-1) === 'last') return
    }
  })()
  const endMs = performance.now() + forMs
  while (performance.now() < endMs) {
    const value = String(written.length)
    await log.append(at, [Buffer.from(value)])
    written.push(value)
    await log.end(at)
    await delay(50)
  }
  await log.append(at, [Buffer.from('last')])
  await reading
  return { written: [...written, 'last'], read }
}

/** A JWT without a signature, which the default handler of Kafka accepts. */
function token(lifeSeconds: number, claims: object = {}): string {
  const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')
  const nowSeconds = Math.floor(Date.now() / 1000)
  return `${part({ alg: 'none' })}.${part({ sub: 'orrery', iat: nowSeconds, exp: nowSeconds + lifeSeconds, ...claims })}.`
}

describe('client certificates', () => {
  it('a client with a certificate and an encrypted key appends and reads where the broker requires one', async () => {
    await using log = await open('mutual', { ssl: true, caFile, certFile, keyFile, keyPassphraseFile })
    const { written, read } = await flow(log, 200)
    expect(read).toEqual(written)
  })

  it('a client without a certificate, or with one of another authority, is refused with the reason', async () => {
    const retryForMs = 1_000
    const denied = { kind: 'invalid', code: 'log_access_denied' }
    await expect(open('mutual', { ssl: true, caFile, retryForMs })).rejects.toMatchObject(denied)
    const stranger = { certFile: certificates.strangerCertFile, keyFile: certificates.strangerKeyFile }
    await expect(open('mutual', { ssl: true, caFile, retryForMs, ...stranger })).rejects.toMatchObject(denied)
  })

  it('files that cannot be used are refused before anything is started', async () => {
    const invalid = { kind: 'invalid', code: 'log_options_invalid' }
    await expect(open('mutual', { ssl: true, certFile })).rejects.toMatchObject(invalid)
    await expect(open('mutual', { certFile, keyFile })).rejects.toThrow('ORRERY_KAFKA_SSL=true')
    await expect(open('mutual', { ssl: true, certFile, keyFile: join(folder, 'absent') })).rejects.toMatchObject(invalid)
    writeFileSync(join(folder, 'wrong'), 'close sesame')
    await expect(open('mutual', { ssl: true, certFile, keyFile, keyPassphraseFile: join(folder, 'wrong') })).rejects.toMatchObject(invalid)
  })
})

describe('OAUTHBEARER', () => {
  const mechanism = 'oauthbearer'

  it('records flow over several sessions with a token from a file that is read again each time', async () => {
    const tokenFile = join(folder, 'token')
    writeFileSync(tokenFile, `${token(5)}\n`)
    const renewing = setInterval(() => writeFileSync(tokenFile, token(5)), 1_000)
    try {
      let retries = 0
      await using log = await open('oauth', { mechanism, tokenFile, onRetry: () => retries++ })
      const { written, read } = await flow(log, 3 * SESSION_MS)
      expect(read).toEqual(written)
      expect(retries).toBe(0)
    } finally {
      clearInterval(renewing)
    }
  })

  it('a token from an endpoint is shared by all connections until shortly before it expires', async () => {
    const requests: { readonly authorization: string | undefined; readonly body: string; readonly atMs: number }[] = []
    const server = createServer(async (request, response) => {
      let body = ''
      for await (const chunk of request) body += chunk
      requests.push({ authorization: request.headers.authorization, body, atMs: performance.now() })
      const right = request.headers.authorization === `Basic ${Buffer.from('orrery%3A1:open%20sesame').toString('base64')}`
      response.writeHead(right ? 200 : 401, { 'content-type': 'application/json' })
      response.end(JSON.stringify(right ? { access_token: token(12), token_type: 'Bearer', expires_in: 10 } : { error: 'invalid_client' }))
    })
    await once(server.listen(0, '127.0.0.1'), 'listening')
    const tokenUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/token`
    const clientSecretFile = join(folder, 'secret')
    writeFileSync(clientSecretFile, 'open sesame\n')
    const options = { mechanism, tokenUrl, clientId: 'orrery:1', clientSecretFile, scope: 'kafka' } as const
    {
      await using log = await open('oauth', options)
      const { written, read } = await flow(log, 3 * SESSION_MS)
      expect(read).toEqual(written)
    }
    expect(requests[0]?.body).toBe('grant_type=client_credentials&scope=kafka')
    // Twelve seconds and tokens that are used for eight of their ten: the first and a second one, for connections of admin, producer and readers.
    expect(requests).toHaveLength(2)
    expect((requests[1]?.atMs ?? 0) - (requests[0]?.atMs ?? 0)).toBeGreaterThanOrEqual(8_000)

    writeFileSync(clientSecretFile, 'close sesame')
    await expect(open('oauth', options)).rejects.toMatchObject({ kind: 'invalid', code: 'log_token_unavailable' })
    await once(server.close(), 'close')
    await expect(open('oauth', { ...options, retryForMs: 1_000 })).rejects.toMatchObject({ kind: 'unavailable', code: 'log_unreachable' })
  })

  it('an expired token and a missing file are refused, and so are contradicting options', async () => {
    const tokenFile = join(folder, 'expired')
    writeFileSync(tokenFile, token(-60))
    await expect(open('oauth', { mechanism, tokenFile })).rejects.toMatchObject({ kind: 'invalid', code: 'log_access_denied' })
    const absent = join(folder, 'absent')
    await expect(open('oauth', { mechanism, tokenFile: absent })).rejects.toMatchObject({ kind: 'invalid', code: 'log_token_unavailable' })
    await expect(open('oauth', { mechanism })).rejects.toMatchObject({ kind: 'invalid', code: 'log_options_invalid' })
    await expect(open('oauth', { tokenFile })).rejects.toMatchObject({ kind: 'invalid', code: 'log_options_invalid' })
  })
})
