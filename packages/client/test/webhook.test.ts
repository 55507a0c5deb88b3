import { Webhook } from 'standardwebhooks'
import { describe, expect, it } from 'vitest'
import { verifyWebhook, WebhookVerificationError } from '../src/index.ts'

// The library of Standard Webhooks signs.
const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
const OTHER = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD'
const BODY = '{"type":"test","id":"test","timestamp":"2026-10-15T20:35:42Z","webhook_id":"w","data":{"text":"\u00e4\u{1f511}"}}'
const NOW_MS = Date.UTC(2026, 9, 15, 20, 35, 42)

const headersOf = (secret = SECRET, { body = BODY, atMs = NOW_MS, id = 'msg_1' } = {}) => ({
  'webhook-id': id,
  'webhook-timestamp': String(atMs / 1000),
  'webhook-signature': new Webhook(secret).sign(id, new Date(atMs), body),
})
const verify = (
  body: string | Uint8Array,
  headers: Parameters<typeof verifyWebhook>[1],
  secrets: string | string[] = SECRET,
  nowMs = NOW_MS,
) => verifyWebhook(body, headers, secrets, { nowMs })
const problem = (asked: Promise<unknown>) =>
  asked.then(
    () => null,
    (error: unknown) => (error instanceof WebhookVerificationError ? error.problem : error),
  )

describe('verifyWebhook', () => {
  it('a request that the library of Standard Webhooks signed has its event, as text and as bytes', async () => {
    expect(await verify(BODY, headersOf())).toEqual(JSON.parse(BODY))
    expect(await verify(new TextEncoder().encode(BODY), new Headers(headersOf()))).toEqual(JSON.parse(BODY))
    const capitals = Object.fromEntries(Object.entries(headersOf()).map(([name, value]) => [name.toUpperCase(), value]))
    expect(await verify(BODY, capitals)).toMatchObject({ type: 'test' })
  })

  it('the example of the specification is accepted', async () => {
    // https://github.com/standard-webhooks/standard-webhooks/blob/main/libraries/javascript/src/index.test.ts, "sign function works"
    const headers = {
      'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      'webhook-timestamp': '1614265330',
      'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    }
    expect(await verify('{"test": 2432232314}', headers, SECRET, 1_614_265_330_000)).toEqual({ test: 2_432_232_314 })
  })

  it('while a secret is rotated, either of two secrets fits either of two signatures', async () => {
    const both = { ...headersOf(), 'webhook-signature': `${headersOf(OTHER)['webhook-signature']} ${headersOf()['webhook-signature']}` }
    for (const secrets of [SECRET, OTHER, [OTHER, SECRET]]) expect(await verify(BODY, both, secrets)).toMatchObject({ type: 'test' })
    expect(await verify(BODY, headersOf(), [OTHER, SECRET])).toMatchObject({ type: 'test' })
    const unknown = { ...headersOf(), 'webhook-signature': `v2,AAAA ${headersOf()['webhook-signature']} v1,%%%` }
    expect(await verify(BODY, unknown)).toMatchObject({ type: 'test' })
  })

  it.each([
    ['another secret', () => verify(BODY, headersOf(), OTHER)],
    ['no secret', () => verify(BODY, headersOf(), [])],
    ['a changed body', () => verify(BODY.replace('"w"', '"x"'), headersOf())],
    ['the body written again with spaces', () => verify(JSON.stringify(JSON.parse(BODY), null, 1), headersOf())],
    ['another id', () => verify(BODY, { ...headersOf(), 'webhook-id': 'msg_2' })],
    ['another time', () => verify(BODY, { ...headersOf(), 'webhook-timestamp': String(NOW_MS / 1000 + 1) })],
    ['no scheme', () => verify(BODY, { ...headersOf(), 'webhook-signature': headersOf()['webhook-signature'].slice(3) })],
    [
      'a signature that was cut',
      () => verify(BODY, { ...headersOf(), 'webhook-signature': headersOf()['webhook-signature'].slice(0, 30) }),
    ],
  ])('a request with %s is refused', async (_, asked) => {
    expect(await problem(asked())).toBe('invalid_signature')
  })

  it('a request without a header, with a strange time or with an old one is refused', async () => {
    for (const name of ['webhook-id', 'webhook-timestamp', 'webhook-signature']) {
      expect(await problem(verify(BODY, { ...headersOf(), [name]: undefined }))).toBe('missing_header')
      expect(await problem(verify(BODY, { ...headersOf(), [name]: ['a', 'b'] }))).toBe('missing_header')
    }
    for (const text of ['soon', '-1', '1e9', '0x10', '1760560542.5']) {
      expect(await problem(verify(BODY, { ...headersOf(), 'webhook-timestamp': text }))).toBe('invalid_timestamp')
    }
    for (const differenceMs of [300_000, -300_000]) expect(await verify(BODY, headersOf(), SECRET, NOW_MS + differenceMs)).toBeDefined()
    for (const differenceMs of [301_000, -301_000]) {
      expect(await problem(verify(BODY, headersOf(), SECRET, NOW_MS + differenceMs))).toBe('timestamp_out_of_range')
    }
  })

  it('a signed body that is not JSON, and a secret that is not base64, are errors of their own', async () => {
    expect(await problem(verify('no json', headersOf(SECRET, { body: 'no json' })))).toBe('invalid_body')
    await expect(verify(BODY, headersOf(), 'whsec_%%')).rejects.toBeInstanceOf(TypeError)
  })
})
