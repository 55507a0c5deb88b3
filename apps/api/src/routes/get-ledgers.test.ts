import { describe, expect, it } from 'vitest'
import { withFixtureApi } from './testing/fixture-api.ts'
import { closeTime, hashOf, timestamp } from './testing/fixtures/network.ts'

// Ledgers 100 to 220 close every ten minutes from 2026-09-01T12:00:00Z: 106 at 13:00, 220 at 08:00 of the next day.
const fixture = withFixtureApi()

const at = (text: string) => fixture.data(`/v1/ledgers?at=${text}`)
const shown = (ledger: number) => ({ ledger, timestamp: timestamp(ledger), hash: hashOf(ledger) })

describe('GET /v1/ledgers', () => {
  it.each([
    ['the instant of a close', '2026-09-01T13:00:00Z', 106],
    ['an instant between two closes', '2026-09-01T13:09:59.999Z', 106],
    ['an instant with an offset', '2026-09-01T15:10:00%2B02:00', 107],
    ['the first close', '2026-09-01T12:00:00Z', 100],
    ['the last close', '2026-09-02T08:00:00Z', 220],
    ['an instant in the second of the last close', '2026-09-02T08:00:00.5Z', 220],
  ])('%s gives the last ledger that closed at or before it', async (_, instant, ledger) => {
    const { data, meta } = await at(instant)
    expect(data).toEqual(shown(ledger))
    expect(meta).toMatchObject({ partial_result: false, warnings: [], last_indexed_ledger: 220 })
  })

  it.each(['2026-09-02T08:00:01Z', '2030-01-01T00:00:00Z', '9999-12-31T23:59:59Z'])(
    'after the last close, %s, it gives the last ledger with a warning',
    async (instant) => {
      const { data, meta } = await at(instant)
      expect(data).toEqual(shown(220))
      expect(meta).toMatchObject({ partial_result: true, warnings: [{ code: 'outside_index', path: null }] })
    },
  )

  it.each(['2026-09-01T11:59:59Z', '2026-09-01T11:59:59.999Z', '1969-12-31T23:59:59Z'])(
    'before the first close, %s, it is 404',
    async (instant) => {
      const refusal = await fixture.refusal(`/v1/ledgers?at=${instant}`)
      expect(refusal).toMatchObject({ status: 404, code: 'not_found' })
      expect(refusal.message).toContain('2026-09-01T12:00:00Z')
    },
  )

  it('an answer may be kept for an hour where no later ledger can change it, and for a second where one can', async () => {
    const controlOf = async (instant: string) => (await fixture.api.ask(`/v1/ledgers?at=${instant}`)).headers['cache-control']
    expect(await controlOf('2026-09-01T13:00:00Z')).toBe('private, max-age=3600')
    expect(await controlOf('2026-09-02T07:59:59Z')).toBe('private, max-age=3600')
    expect(await controlOf('2026-09-02T08:00:00Z')).toBe('private, max-age=1')
    expect(await controlOf('2026-09-02T08:00:01Z')).toBe('private, max-age=1')
  })

  it('the answer of a tag is 304', async () => {
    const path = '/v1/ledgers?at=2026-09-01T13:00:00Z'
    const { headers } = await fixture.api.ask(path)
    expect((await fixture.api.ask(path, { headers: { 'if-none-match': headers.etag ?? '' } })).status).toBe(304)
  })
})

describe('GET /v1/ledgers/{sequence}', () => {
  it.each([100, 106, 219, 220])('%i is shown with its close time and hash', async (sequence) => {
    const { data, meta } = await fixture.data(`/v1/ledgers/${sequence}`)
    expect(data).toEqual(shown(sequence))
    expect(meta).toMatchObject({ partial_result: false, warnings: [] })
  })

  it.each(['99', '0', '221', '4294967295', '4294967296', '9223372036854775807'])('%s, which is not indexed, is 404', async (sequence) => {
    const refusal = await fixture.refusal(`/v1/ledgers/${sequence}`)
    expect(refusal).toMatchObject({ status: 404, code: 'not_found' })
    expect(refusal.message).toContain('from 100 to 220')
  })
})

it('an adapter that is behind does not hold ledgers back', async () => {
  await fixture.store.writeLedgers([{ ledger: 221, closeTimeSeconds: closeTime(221), hash: hashOf(221) }], 2n)
  expect((await fixture.data('/v1/ledgers/221')).data).toEqual(shown(221))
  const { data, meta } = await at(timestamp(221))
  expect(data).toEqual(shown(221))
  expect(meta).toMatchObject({ last_indexed_ledger: 221, partial_result: false })
})
