import { openWebhookSecret } from '@orrery/identity'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestApi, TESTER, type TestAnswer, type TestApi } from '../../testing/start-test-api.ts'
import { echo } from '../../testing/toy-routes.ts'
import { manage, memberOf } from '../testing/requests.ts'

const NOON_MS = Date.UTC(2026, 0, 1, 12)
const URL = 'https://example.org/orrery'
const ALICE = 'GBV7SV5IPY26UHPSZFQFBUUIY2DA7YOEJPAWZZRYSTDZH7M67BM2MK6W'
const POOL = 'CCR2NKA6IUKF53JBUQLTJX6MNUE3AEHCBZLXHJR2IAUS2TTDGRUCRE64'
let nowMs = NOON_MS
let api: TestApi
beforeAll(async () => {
  api = await startTestApi({ routes: [echo], clock: { nowMs: () => nowMs } })
})
afterAll(() => api[Symbol.asyncDispose]())

/** A member of an organization that may have many webhooks. */
async function member(slug: string): Promise<(method: string, path: string, json?: unknown) => Promise<TestAnswer>> {
  const { access_token: bearer } = await memberOf(api, slug)
  const { id } = (await api.identity.organizationBySlug(slug)) ?? { id: '' }
  await api.identity.changePlan(id, 'enterprise', TESTER)
  return (method, path, json) => manage(api, method, `/v1/org/webhooks${path}`, { bearer, ...(json !== undefined && { json }) })
}

interface Made {
  readonly id: string
  readonly secret: string
}
type Refused = readonly [body: object, message: RegExp]
const REFUSED_THRESHOLDS = ['0', '-1', '1.12345678', '10000', 'x', '1e3'].map(
  (value): Refused => [{ url: URL, health_factor_below: value }, /^`health_factor_below` must be/],
)
const REFUSED_LEDGERS = [0, 1.5, 4_294_967_296, '7'].map(
  (value): Refused => [{ url: URL, from_ledger: value }, /^`from_ledger` must be a whole number/],
)
const problemOf = ({ status, body }: TestAnswer) => [status, body?.error?.code, body?.error?.message]

describe('POST /v1/org/webhooks', () => {
  it('the answer has the webhook with its defaults and its secret, which is stored encrypted and never shown again', async () => {
    const ask = await member('creator')
    const { status, json } = await ask('POST', '', { url: URL })
    const { secret, ...webhook } = json as Made
    const nothing = { description: null, disabled_reason: null, disabled_at: null, health_factor_below: null, last_ledger: null }
    expect([status, webhook]).toEqual([
      201,
      {
        ...{ id: expect.any(String), url: URL, enabled: true, ...nothing, failing_since: null, previous_secret_valid_until: null },
        ...{ addresses: [], protocols: [], contracts: [], activity_types: [], events: ['activity', 'position'] },
        ...{ created_at: '2026-01-01T12:00:00Z', updated_at: '2026-01-01T12:00:00Z' },
      },
    ])
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{32}$/)
    for (const path of ['', `/${webhook.id}`]) expect((await ask('GET', path)).text).not.toContain(secret.slice(6))
    expect((await ask('GET', '')).json).toEqual([webhook])
    expect((await ask('GET', `/${webhook.id}`)).json).toEqual(webhook)
    const [leased] = await api.identity.webhooks.lease('test', 1_000)
    expect(leased?.sealedSecret).not.toContain(secret.slice(6))
    expect(openWebhookSecret(new Uint8Array(32).fill(7), webhook.id, leased?.sealedSecret ?? '')).toBe(secret)
    expect(leased?.url).toBe(URL)
    await api.identity.webhooks.release('test')
    expect(api.logged().some((line) => line.includes(secret.slice(6)))).toBe(false)
  })

  it('takes every member, sorts choices, and begins at the ledger that is given', async () => {
    const ask = await member('filtering')
    const members = {
      ...{ url: 'https://EXAMPLE.org', description: ' Alerts ', enabled: false, addresses: [ALICE], contracts: [POOL, 'fxdao:USD'] },
      ...{ protocols: ['soroswap', 'blend', 'blend'], activity_types: ['swap'], events: ['health_factor', 'activity'] },
      ...{ health_factor_below: '1.05', from_ledger: 1_000_000 },
    }
    expect((await ask('POST', '', members)).json).toMatchObject({
      ...{ url: 'https://example.org/', description: 'Alerts', enabled: false, disabled_at: '2026-01-01T12:00:00Z', disabled_reason: null },
      ...{ addresses: [ALICE], contracts: [POOL, 'fxdao:USD'], protocols: ['blend', 'soroswap'], events: ['activity', 'health_factor'] },
      ...{ health_factor_below: '1.05', last_ledger: 999_999 },
    })
    expect((await ask('POST', '', { url: URL, health_factor_below: '1.1' })).json).toMatchObject({
      events: ['activity', 'position', 'health_factor'],
    })
  })

  it.each([
    [{}, /^`url` is required\.$/],
    [{ url: 7 }, /^`url` must be text/],
    [{ url: 'http://example.org/' }, /^`url` must begin with `https:/],
    [{ url: 'https://127.0.0.1/' }, /^`url` must not name a private/],
    [{ url: 'https://a:b@example.org/' }, /^`url` must not contain credentials/],
    [{ url: URL, secret: 'whsec_x' }, /^`secret` is not a member/],
    [{ url: URL, description: '' }, /^`description` must be/],
    [{ url: URL, enabled: 'yes' }, /^`enabled` must be true or false/],
    [{ url: URL, addresses: ALICE }, /^`addresses` must be a list/],
    [{ url: URL, addresses: [`${ALICE.slice(0, -1)}A`] }, /^`addresses` must be/],
    [{ url: URL, addresses: [ALICE, ALICE] }, /^`addresses` must be .* different/],
    [{ url: URL, contracts: ['fxdao'] }, /^`contracts` must be/],
    [{ url: URL, protocols: ['uniswap'] }, /^`protocols` must be a list of `blend`/],
    [{ url: URL, activity_types: ['dance'] }, /^`activity_types` must be/],
    [{ url: URL, events: ['ledger'] }, /^`events` must be/],
    [{ url: URL, events: [] }, /^`events` must be a list of at least one/],
    [{ url: URL, events: ['health_factor'] }, /^`events` has `health_factor`, which needs a threshold/],
    [{ url: URL, events: ['activity'], health_factor_below: '1' }, /^`health_factor_below` is given, but `events` lacks/],
    ...REFUSED_THRESHOLDS,
    [{ url: URL, health_factor_below: 1.1 }, /^`health_factor_below` must be text/],
    ...REFUSED_LEDGERS,
  ] as readonly Refused[])('answers 400 to %j', async (json, message) => {
    const ask = await member(`refused-${crypto.randomUUID()}`)
    expect(problemOf(await ask('POST', '', json))).toEqual([400, 'invalid_body', expect.stringMatching(message)])
    expect((await ask('GET', '')).json).toEqual([])
  })

  it('the number of webhooks is that of the plan', async () => {
    const { access_token: bearer } = await memberOf(api, 'free-plan')
    const create = () => manage(api, 'POST', '/v1/org/webhooks', { bearer, json: { url: URL } })
    expect([(await create()).status, (await create()).status]).toEqual([201, 201])
    expect(problemOf(await create())).toEqual([
      ...[400, 'invalid_body'],
      'The organization has 2 webhooks, as many as its plan allows. Delete one, or use one webhook for several accounts.',
    ])
  })

  it('a server without a key for secrets answers 503 and creates nothing', async () => {
    await using keyless = await startTestApi({ routes: [echo], access: { webhooks: { key: null, allowPrivate: false } } })
    const { access_token: bearer } = await memberOf(keyless, 'keyless')
    const answer = await manage(keyless, 'POST', '/v1/org/webhooks', { bearer, json: { url: URL } })
    expect(problemOf(answer)).toEqual([503, 'unavailable', expect.stringContaining('ORRERY_WEBHOOK_KEY')])
    expect((await manage(keyless, 'GET', '/v1/org/webhooks', { bearer })).json).toEqual([])
  })

  it('a server that allows private addresses takes one', async () => {
    await using local = await startTestApi({ routes: [echo], access: { webhooks: { key: new Uint8Array(32), allowPrivate: true } } })
    const { access_token: bearer } = await memberOf(local, 'local')
    const answer = await manage(local, 'POST', '/v1/org/webhooks', { bearer, json: { url: 'http://127.0.0.1:3000/hook' } })
    expect(answer.status).toBe(201)
  })
})

describe('a webhook', () => {
  it('changes in the members that are given, and keeps the others', async () => {
    const ask = await member('changer')
    const { id } = (await ask('POST', '', { url: URL, addresses: [ALICE], health_factor_below: '1.1' })).json as Made
    const { json: before } = await ask('GET', `/${id}`)
    expect((await ask('PATCH', `/${id}`, {})).json).toEqual(before)
    nowMs = NOON_MS + 1_000
    const changed = await ask('PATCH', `/${id}`, { description: 'Mine', enabled: false, protocols: ['fxdao'] })
    const expected = {
      ...(before as object),
      description: 'Mine',
      enabled: false,
      protocols: ['fxdao'],
      disabled_at: '2026-01-01T12:00:01Z',
    }
    expect(changed.json).toEqual({ ...expected, updated_at: '2026-01-01T12:00:01Z' })
    const again = { description: null, enabled: true, addresses: [], events: ['activity'], health_factor_below: null }
    expect((await ask('PATCH', `/${id}`, again)).json).toMatchObject({ ...again, protocols: ['fxdao'], disabled_at: null })
    expect(problemOf(await ask('PATCH', `/${id}`, { health_factor_below: '2' }))[2]).toMatch(/`events` lacks `health_factor`/)
    expect(problemOf(await ask('PATCH', `/${id}`, { url: 'https://10.0.0.1/' }))[2]).toMatch(/^`url` must not name/)
    expect(problemOf(await ask('PATCH', `/${id}`, { from_ledger: 5 }))[2]).toMatch(/^`from_ledger` is not a member/)
    nowMs = NOON_MS
  })

  it('gets another secret, while the one before signs for 24 hours', async () => {
    const ask = await member('rotator')
    const { id, secret } = (await ask('POST', '', { url: URL })).json as Made
    const { status, json, headers } = await ask('POST', `/${id}/rotate-secret`)
    expect([status, json, headers['cache-control']]).toEqual([
      200,
      { secret: expect.stringMatching(/^whsec_/), previous_secret_valid_until: '2026-01-02T12:00:00Z' },
      'no-store',
    ])
    expect((json as Made).secret).not.toBe(secret)
    expect((await ask('GET', `/${id}`)).json).toMatchObject({ previous_secret_valid_until: '2026-01-02T12:00:00Z' })
  })

  it('has a log of deliveries in pages, and sends one of them again', async () => {
    const ask = await member('logger')
    const { id } = (await ask('POST', '', { url: URL })).json as Made
    const tests: { readonly id: string }[] = []
    for (let n = 0; n < 3; n++) {
      const { status, json } = await ask('POST', `/${id}/test`)
      expect(status).toBe(201)
      tests.unshift(json as { id: string })
    }
    expect(tests[0]).toEqual({
      ...{ id: expect.stringMatching(/^msg_test_/), webhook_id: id, event: 'test', event_id: 'test', address: null, ledger: null },
      ...{ status: 'pending', attempts: 0, last_attempt_at: null, next_attempt_at: '2026-01-01T12:00:00Z', response_status: null },
      ...{ error: null, created_at: '2026-01-01T12:00:00Z' },
    })
    const page = async (query: string) => (await ask('GET', `/${id}/deliveries${query}`)).json
    expect(await page('')).toEqual({ deliveries: tests, next_cursor: null })
    const first = (await page('?limit=2')) as { readonly next_cursor: string }
    expect(first).toEqual({ deliveries: tests.slice(0, 2), next_cursor: tests[1]?.id })
    expect(await page(`?limit=2&cursor=${first.next_cursor}`)).toEqual({ deliveries: tests.slice(2), next_cursor: null })
    await api.identity.webhooks.lease('logger', 1_000_000)
    const lease = { instance: 'logger', webhookId: id }
    const dead = { is: 'failed', status: 500, error: 'the receiver answered 500', retryAtMs: null } as const
    await api.identity.webhooks.finish(lease, tests[0]?.id ?? '', dead)
    const found = { ...tests[0], status: 'dead', attempts: 1, last_attempt_at: '2026-01-01T12:00:00Z', next_attempt_at: null }
    expect(await page('?status=dead')).toEqual({
      deliveries: [{ ...found, response_status: 500, error: 'the receiver answered 500' }],
      next_cursor: null,
    })
    const again = await ask('POST', `/${id}/deliveries/${tests[0]?.id}/redeliver`)
    expect([again.status, again.json]).toMatchObject([200, { id: tests[0]?.id, status: 'pending', attempts: 1 }])
    for (const query of ['?limit=0', '?limit=101', '?status=lost', '?nope=1'])
      expect((await ask('GET', `/${id}/deliveries${query}`)).status).toBe(400)
    for (const cursor of ['msg_test_0', 'x', '%00', "'%20OR%201"]) {
      expect(problemOf(await ask('GET', `/${id}/deliveries?cursor=${cursor}`)).slice(0, 2)).toEqual([400, 'invalid_cursor'])
    }
  })

  it('is gone after it was deleted', async () => {
    const ask = await member('deleter')
    const { id } = (await ask('POST', '', { url: URL })).json as Made
    await ask('POST', `/${id}/test`)
    expect([(await ask('DELETE', `/${id}`)).status, (await ask('DELETE', `/${id}`)).status]).toEqual([204, 404])
    expect((await ask('GET', '')).json).toEqual([])
  })

  it('of another organization gets 404 from every operation and stays as it is', async () => {
    const [owner, stranger] = [await member('owner'), await member('other-org')]
    const { id } = (await owner('POST', '', { url: URL })).json as Made
    const { id: delivery } = (await owner('POST', `/${id}/test`)).json as Made
    const { json: before } = await owner('GET', `/${id}`)
    for (const target of [id, crypto.randomUUID(), 'x', '%00', '%27%20OR%20%271%27=%271']) {
      for (const [method, path, json] of [
        ['GET', '', undefined],
        ['PATCH', '', { enabled: false }],
        ['DELETE', '', undefined],
        ['POST', '/rotate-secret', undefined],
        ['POST', '/test', undefined],
        ['GET', '/deliveries', undefined],
        ['POST', `/deliveries/${delivery}/redeliver`, undefined],
      ] as const) {
        expect(problemOf(await stranger(method, `/${target}${path}`, json)).slice(0, 2), `${method} ${path}`).toEqual([404, 'not_found'])
      }
    }
    expect((await owner('GET', `/${id}`)).json).toEqual(before)
  })

  it('has an audit entry for each change, with the user who made it', async () => {
    const ask = await member('auditee')
    const { id } = (await ask('POST', '', { url: URL })).json as Made
    const { id: delivery } = (await ask('POST', `/${id}/test`)).json as Made
    await ask('PATCH', `/${id}`, { enabled: false })
    await ask('POST', `/${id}/rotate-secret`)
    await ask('POST', `/${id}/deliveries/${delivery}/redeliver`)
    await ask('DELETE', `/${id}`)
    const organization = await api.identity.organizationBySlug('auditee')
    const user = await api.identity.userByEmail('auditee@example.org')
    const entries = [...(await api.identity.auditLog(organization?.id ?? '', 6))].reverse()
    expect(entries.map(({ action }) => action)).toEqual([
      ...['webhook.create', 'webhook.test', 'webhook.change', 'webhook.rotate_secret', 'webhook.redeliver', 'webhook.delete'],
    ])
    for (const { by, target } of entries) expect([by.kind, by.id, target]).toEqual(['user', user?.id, id])
  })
})
