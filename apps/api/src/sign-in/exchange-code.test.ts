import { afterEach, describe, expect, it } from 'vitest'
import type { ApiContext } from '../middleware/request-state.ts'
import { type HttpAnswer, httpAsk } from '../testing/http-ask.ts'
import { startTestApi, type TestApi } from '../testing/start-test-api.ts'
import { echo } from '../testing/toy-routes.ts'
import { EXCHANGE_PATH, exchangeCode } from './exchange-code.ts'
import { OneTimeCode } from './one-time-code.ts'

const NOON_MS = Date.UTC(2026, 0, 1, 12)
const MINUTE_MS = 60_000

let nowMs = NOON_MS
const clock = { nowMs: () => nowMs }
let api: TestApi | null = null
afterEach(async () => {
  await api?.[Symbol.asyncDispose]()
  api = null
  nowMs = NOON_MS
})

async function start(): Promise<{ readonly api: TestApi; readonly code: OneTimeCode }> {
  const code = new OneTimeCode(clock)
  api = await startTestApi({ routes: [echo], clock, codeOffer: { code, organization: 'test' } })
  return { api, code }
}

/** As the page of the explorer sends it; a header that is null is left out. */
function exchange({ url }: TestApi, code: unknown, changed: Readonly<Record<string, string | null>> = {}): Promise<HttpAnswer> {
  const { host, origin } = new URL(url)
  const all = { host, origin, 'content-type': 'application/json', 'sec-fetch-site': 'same-origin', ...changed }
  const headers = Object.fromEntries(Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== null))
  return httpAsk(url, EXCHANGE_PATH, { method: 'POST', headers, body: JSON.stringify({ code }) })
}

const bodyOf = ({ bytes }: HttpAnswer) =>
  JSON.parse(bytes.toString()) as { readonly key?: string; readonly expires_at?: string; readonly error?: { readonly code: string } }
const outcomeOf = (answer: HttpAnswer) => [answer.status, bodyOf(answer).error?.code]
const REFUSED = [401, 'unauthorized']
const FOREIGN = [403, 'forbidden']

describe('a one-time code', () => {
  it('has 128 random bits, of which no two codes have the same', () => {
    const codes = Array.from({ length: 100 }, () => new OneTimeCode(clock).text)
    expect(codes.every((code) => Buffer.from(code, 'base64url').length === 16 && /^[\w-]{22}$/.test(code))).toBe(true)
    expect(new Set(codes).size).toBe(100)
  })

  it('buys a key of twelve hours that reads data of the organization, and the answer is not cached', async () => {
    const { api, code } = await start()
    const answer = await exchange(api, code.text)
    expect([answer.status, answer.headers['cache-control']]).toEqual([201, 'no-store'])
    const { key = '', expires_at } = bodyOf(answer)
    expect(expires_at).toBe('2026-01-02T00:00:00Z')
    const ask = async () => (await api.ask('/v1/echo/word', { headers: { 'x-service-api-key': key } })).status
    expect(await ask()).toBe(200)
    const organization = await api.identity.organizationBySlug('test')
    const record = (await api.identity.apiKeys(organization?.id ?? '')).at(-1)
    expect(record).toMatchObject({ scopes: ['data:read'], expiresAtMs: NOON_MS + 12 * 60 * MINUTE_MS })
    nowMs += 12 * 60 * MINUTE_MS
    expect(await ask()).toBe(401)
  })

  it('is taken once, also of two requests at the same time', async () => {
    const { api, code } = await start()
    const answers = await Promise.all([exchange(api, code.text), exchange(api, code.text)])
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 401])
    expect(outcomeOf(await exchange(api, code.text))).toEqual(REFUSED)
  })

  it('is still worth a key where none could be made', async () => {
    const code = new OneTimeCode(clock)
    api = await startTestApi({ routes: [echo], clock, codeOffer: { code, organization: 'absent' } })
    expect((await exchange(api, code.text)).status).toBe(500)
    expect([code.redeem(code.text), code.redeem(code.text)]).toEqual([true, false])
    code.giveBack()
    expect([code.redeem(code.text), code.redeem(code.text)]).toEqual([true, false])
  })

  it('is taken within ten minutes', async () => {
    const { api, code } = await start()
    const other = new OneTimeCode(clock)
    nowMs += 10 * MINUTE_MS - 1
    expect(other.redeem(other.text)).toBe(true)
    nowMs += 1
    expect(outcomeOf(await exchange(api, code.text))).toEqual(REFUSED)
  })

  it('is void after ten wrong ones', async () => {
    const { api, code } = await start()
    const wrong = `${code.text.slice(0, -1)}${code.text.endsWith('A') ? 'Q' : 'A'}`
    for (let n = 0; n < 10; n++) expect(outcomeOf(await exchange(api, wrong))).toEqual(REFUSED)
    expect(outcomeOf(await exchange(api, code.text))).toEqual(REFUSED)
  })

  it('is in no log, and neither is the key', async () => {
    const { api, code } = await start()
    await exchange(api, 'a wrong code of this test')
    const { key = '' } = bodyOf(await exchange(api, code.text))
    await exchange(api, code.text)
    const logged = api.logged().join('\n')
    expect(logged).toContain(EXCHANGE_PATH)
    for (const secret of [code.text, key, 'a wrong code of this test']) expect(logged).not.toContain(secret)
  })
})

describe('the exchange refuses', () => {
  it.each([
    ['another origin', { origin: 'http://example.com' }],
    ['an origin of another port', { origin: 'http://127.0.0.1:1' }],
    ['an origin with another scheme', { origin: 'https://127.0.0.1' }],
    ['a page without an origin', { origin: 'null' }],
    ['a request without an origin, as programs send it', { origin: null }],
    ['a request that a browser calls cross-site', { 'sec-fetch-site': 'cross-site' }],
    ['a name that leads to this machine', { host: 'rebound.example.com:80', origin: 'http://rebound.example.com:80' }],
    ['an address of the network', { host: '192.0.2.1', origin: 'http://192.0.2.1' }],
    ['a name that begins like a loopback address', { host: '127.0.0.1.example.com', origin: 'http://127.0.0.1.example.com' }],
    ['what a proxy forwards', { 'x-forwarded-for': '127.0.0.1' }],
    ['what a proxy forwards, by the standard', { forwarded: 'for=127.0.0.1' }],
    ['what a proxy forwards, by its name', { via: '1.1 proxy' }],
  ] as const)('%s, and the code stays valid', async (_, changed) => {
    const { api, code } = await start()
    expect(outcomeOf(await exchange(api, code.text, changed))).toEqual(FOREIGN)
    expect((await exchange(api, code.text)).status).toBe(201)
  })

  it.each(['192.0.2.1', '::ffff:192.0.2.1', '2001:db8::1', '10.0.0.1', '128.0.0.1', ''])('a socket of %s', async (remoteAddress) => {
    const code = new OneTimeCode(clock)
    const offer = { code, organization: 'test' }
    const identity = {} as TestApi['identity']
    const headers: Record<string, string> = { host: 'localhost', origin: 'http://localhost' }
    const ctx = {
      req: { headers, socket: { remoteAddress } },
      state: { address: remoteAddress },
      get: (name: string) => headers[name] ?? '',
      set: () => undefined,
    }
    const middleware = exchangeCode({ offer, access: { identity }, clock, deadlineMs: 1_000 })
    await expect(Promise.resolve(middleware(ctx as unknown as ApiContext, async () => undefined))).rejects.toMatchObject({
      code: 'forbidden',
    })
    expect(code.redeem(code.text)).toBe(true)
  })

  it.each([
    ['a body that is no JSON', { 'content-type': 'text/plain' }, [415, 'unsupported_media_type']],
    [
      'a form, which a page of any origin may send',
      { 'content-type': 'application/x-www-form-urlencoded' },
      [415, 'unsupported_media_type'],
    ],
  ] as const)('%s', async (_, changed, expected) => {
    const { api, code } = await start()
    expect(outcomeOf(await exchange(api, code.text, changed))).toEqual(expected)
  })

  it.each([[1], [null], ['x'.repeat(101)], [['a']]])('the code %j', async (code) => {
    const { api } = await start()
    expect(outcomeOf(await exchange(api, code))).toEqual([400, 'invalid_body'])
  })

  it('every code where none was made', async () => {
    api = await startTestApi({ routes: [echo], clock })
    const answer = await exchange(api, new OneTimeCode(clock).text)
    expect(outcomeOf(answer)).toEqual([405, 'method_not_allowed'])
  })

  it('every other method, with the page of the explorer for GET', async () => {
    const { api } = await start()
    expect((await httpAsk(api.url, EXCHANGE_PATH, { method: 'DELETE' })).status).toBe(405)
    expect((await httpAsk(api.url, EXCHANGE_PATH)).bytes.toString()).not.toContain('ory_')
  })
})
