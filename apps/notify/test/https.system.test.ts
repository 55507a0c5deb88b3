// Receivers with TLS on loopback: openssl makes an authority that this process does not trust.

import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TLSSocket } from 'node:tls'
import { promisify } from 'node:util'
import { makeTestCertificates } from '@orrery/testkit/kafka'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openReceivers } from '../src/send-request.ts'

const folder = mkdtempSync(join(tmpdir(), 'orrery-https-'))
const received: (string | false | null)[] = []
let port = 0
let caFile = ''
let server: ReturnType<typeof createServer>

beforeAll(async () => {
  caFile = makeTestCertificates(folder).caFile
  // Valid for localhost.
  const [key, cert] = ['broker.key', 'broker.pem'].map((name) => readFileSync(join(folder, name)))
  server = createServer({ key, cert }, (request, response) => {
    received.push((request.socket as TLSSocket).servername)
    request.resume().on('end', () => response.writeHead(204).end())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  port = (server.address() as AddressInfo).port
})
afterAll(() => {
  server.close()
  rmSync(folder, { recursive: true, force: true })
})

/** The outcome in a process that trusts the authority: Node reads `NODE_EXTRA_CA_CERTS` when it starts. Every name is resolved to this machine. */
async function sentWithTrust(host: string): Promise<unknown> {
  const program = `
    const { openReceivers } = await import(${JSON.stringify(new URL('../src/send-request.ts', import.meta.url).href)})
    const lookup = (name, options, callback) => callback(null, [{ address: '127.0.0.1', family: 4 }])
    const receivers = openReceivers({ allowPrivate: true, lookup })
    const message = { url: 'https://${host}:${port}/hook', headers: {}, body: '{}' }
    console.log(JSON.stringify(await receivers.send(message, new AbortController().signal)))
    await receivers.close()`
  const env = { NODE_EXTRA_CA_CERTS: caFile }
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', program], { env })
  return JSON.parse(stdout)
}

it('a receiver whose certificate is valid gets the request, on the checked address and under its own name', async () => {
  received.length = 0
  expect(await sentWithTrust('localhost')).toEqual({ is: 'answered', status: 204, retryAfterMs: null })
  expect(received).toEqual(['localhost'])
})

it('a certificate of another name is refused with the reason, and nothing is sent', async () => {
  received.length = 0
  expect(await sentWithTrust('hooks.example.org')).toEqual({
    is: 'failed',
    error: 'the certificate of the host is not valid (ERR_TLS_CERT_ALTNAME_INVALID)',
  })
  expect(received).toEqual([])
})

it('a certificate of an unknown authority is refused with the reason, and nothing is sent', async () => {
  received.length = 0
  const receivers = openReceivers({ allowPrivate: true })
  const message = { url: `https://localhost:${port}/hook`, headers: {}, body: '{}' }
  expect(await receivers.send(message, new AbortController().signal)).toEqual({
    is: 'failed',
    error: 'the certificate of the host is not valid (UNABLE_TO_VERIFY_LEAF_SIGNATURE)',
  })
  await receivers.close()
  expect(received).toEqual([])
})
