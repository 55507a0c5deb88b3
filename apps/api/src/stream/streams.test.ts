import { NO_ROWS, type PositionSnapshotRow } from '@orrery/protocol-kit'
import { describe, expect, it } from 'vitest'
import { keyOf, manage, memberOf } from '../management/testing/requests.ts'
import { setCheckpoint, VERSION, withFixtureApi } from '../routes/testing/fixture-api.ts'
import { ALICE, BOB, closeTime, hashOf, LAST, PAIR, POOL } from '../routes/testing/fixtures/network.ts'
import { leg } from '../routes/testing/fixtures/rows.ts'
import { type ReadStream, type ReceivedEvent, readStream } from '../testing/read-stream.ts'

const fixture = withFixtureApi(['soroswap', 'blend'], { streamTimes: { followEvery: 20, heartbeatEvery: 50, checkKeysEvery: 50 } })

const open = (query: string, headers?: Readonly<Record<string, string>>): Promise<ReadStream> =>
  readStream(`${fixture.api.url}/v1/stream${query}`, fixture.api.key, headers)

/** What the index has: events up to the ledger event of its end. */
async function past(query: string, headers?: Readonly<Record<string, string>>): Promise<ReceivedEvent[]> {
  await using stream = await open(query, headers)
  const { ledger: end } = await fixture.readModel.watermark()
  return await stream.until(({ event, data }) => event === 'ledger' && Number(data.ledger) >= end)
}

/** The next ledger with an activity of BOB and a snapshot of a position of his. */
async function writeLedger(ledger: number, position: Partial<PositionSnapshotRow> = {}): Promise<void> {
  await fixture.store.writeLedgers([{ ledger, closeTimeSeconds: closeTime(ledger), hash: hashOf(ledger) }], BigInt(ledger))
  const activity = leg({ ledger, tx: ledger, address: BOB })
  await fixture.store.write([{ ...NO_ROWS, activities: [activity], positionSnapshots: [snapshot({ ledger, ...position })] }], VERSION)
  for (const protocol of ['soroswap', 'blend']) await setCheckpoint(fixture.store, ledger, ledger, protocol)
}

function snapshot(change: Partial<PositionSnapshotRow>): PositionSnapshotRow {
  const ledger = change.ledger ?? LAST
  return {
    ...{ protocol: 'soroswap', address: BOB, pool: PAIR, ledger, closeTimeSeconds: closeTime(ledger), heartbeat: false, open: true },
    ...{ suppliedUsd: '7', borrowedUsd: '0', depositedUsd: '7', netUsd: '7', effectiveCollateralUsd: '0', effectiveLiabilitiesUsd: '0' },
    ...{ netApy: null, unpricedAssets: 0, shares: 1n, native: {} },
    ...change,
  }
}

describe('what the index has', () => {
  it('has the activities of an account as its feed shows them, in the order of ledgers', async () => {
    const feed = await fixture.data(`/v1/users/${ALICE}/activities?order=asc&limit=100`)
    const events = await past(`?from_ledger=0&addresses=${ALICE}&events=activity,ledger`)
    const activities = events.filter(({ event }) => event === 'activity')
    expect(activities.length).toBeGreaterThan(5)
    expect(activities.map(({ data }) => data)).toEqual(feed.data.activities)
    expect(activities.map(({ id }) => id)).toEqual(activities.map(({ data }) => `${data.ledger}/activity/${data.id}`))
  })

  it('goes on after any event, as if the connection had never been lost', async () => {
    const all = await past('?from_ledger=0')
    expect(new Set(all.map(({ event }) => event))).toEqual(new Set(['activity', 'position', 'ledger']))
    for (const [n, { id }] of all.entries()) {
      if (n === all.length - 1) break
      const rest = await past('?from_ledger=0', { 'last-event-id': id })
      // A portion may begin at another ledger, so only its end is the same.
      const contents = (events: readonly ReceivedEvent[]) => events.filter(({ event }) => event !== 'ledger')
      expect(contents(rest)).toEqual(contents(all.slice(n + 1)))
    }
  })

  it.each([
    ['protocols=blend', (event: ReceivedEvent) => event.data.protocol === 'blend'],
    [`contracts=${PAIR}`, ({ data }: ReceivedEvent) => (data.contract ?? data.pool_id) === PAIR],
    [`addresses=${BOB},${ALICE}`, ({ data }: ReceivedEvent) => data.address === BOB || data.address === ALICE],
    [
      `addresses=${ALICE}&contracts=${PAIR}&protocols=soroswap`,
      ({ data }: ReceivedEvent) => data.address === ALICE && (data.contract ?? data.pool_id) === PAIR,
    ],
    ['events=position,ledger', ({ event }: ReceivedEvent) => event === 'position'],
    [
      'activity_type=swap&events=activity,ledger',
      ({ event, data }: ReceivedEvent) => event === 'activity' && data.activity_type === 'swap',
    ],
  ])('with %s it has these events of all events and no others', async (filter, fits) => {
    const all = await past('?from_ledger=0')
    const found = (await past(`?from_ledger=0&${filter}`)).filter(({ event }) => event !== 'ledger')
    expect(found).toEqual(all.filter(({ event }) => event !== 'ledger').filter(fits))
    expect(found.length).toBeGreaterThan(0)
  })

  it('is an uncompressed stream that no proxy keeps', async () => {
    await using stream = await open('', { 'accept-encoding': 'gzip, br' })
    expect(Object.fromEntries(stream.headers)).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store, no-transform',
      'x-accel-buffering': 'no',
      'ratelimit-cost': '1',
    })
    expect(stream.headers.has('content-encoding')).toBe(false)
  })

  it('HEAD has the headers and no stream', async () => {
    const { status, headers } = await fetch(`${fixture.api.url}/v1/stream`, {
      method: 'HEAD',
      headers: { 'x-service-api-key': fixture.api.key },
    })
    expect([status, headers.get('content-type')]).toEqual([200, 'text/event-stream; charset=utf-8'])
  })
})

describe('new ledgers', () => {
  it('are sent after what the index had, without a gap and without a repetition, while ledgers are being written', async () => {
    const { ledger: end } = await fixture.readModel.watermark()
    await using early = await open(`?from_ledger=0&addresses=${BOB}`)
    const written = (async () => {
      for (let ledger = end + 1; ledger <= end + 10; ledger++) await writeLedger(ledger)
    })()
    await using late = await open(`?addresses=${BOB}&from_ledger=${end + 5}`)
    const isLast = ({ event, data }: ReceivedEvent) => event === 'ledger' && Number(data.ledger) >= end + 10
    const [fromStart, fromMiddle] = await Promise.all([early.until(isLast), late.until(isLast)])
    await written
    const placesFrom = (events: readonly ReceivedEvent[], from: number) =>
      events
        .filter(({ event, data }) => event !== 'ledger' && Number(data.ledger) >= from)
        .map(({ event, data }) => `${data.ledger} ${event}`)
    const ledgers = (from: number) =>
      Array.from({ length: end + 11 - from }, (_, n) => [`${from + n} activity`, `${from + n} position`]).flat()
    expect(placesFrom(fromStart, end + 1)).toEqual(ledgers(end + 1))
    expect(placesFrom(fromMiddle, 0)).toEqual(ledgers(end + 5))
    expect(new Set(fromStart.map(({ id }) => id)).size).toBe(fromStart.length)
  })

  it('a ledger that the index does not have yet can be the first one', async () => {
    const { ledger: end } = await fixture.readModel.watermark()
    await using stream = await open(`?from_ledger=${end + 2}&events=activity`)
    await writeLedger(end + 1)
    await writeLedger(end + 2)
    expect(await stream.take(1)).toMatchObject([{ event: 'activity', data: { ledger: end + 2 } }])
  })

  it('a quiet stream is kept open by comments', async () => {
    await using stream = await open('?events=activity')
    const { ledger: end } = await fixture.readModel.watermark()
    await expect.poll(() => fixture.api.metrics.apiStreams.get().then(({ values }) => values[0]?.value)).toBeGreaterThan(0)
    await new Promise((resolve) => setTimeout(resolve, 200))
    await writeLedger(end + 1)
    await stream.take(1)
    expect(stream.comments).toContain('heartbeat')
  })
})

describe('health factors', () => {
  it('a position alerts once when it falls below the threshold and once when it has recovered, and a resumed stream agrees', async () => {
    const { ledger: end } = await fixture.readModel.watermark()
    const owed = { protocol: 'blend', pool: POOL, borrowedUsd: '100', effectiveCollateralUsd: '150', effectiveLiabilitiesUsd: '100' }
    const factors = ['1.5', '1.09', '1.11', '1.08', '1.1219999', '1.122', '1.05', null]
    const query = `?addresses=${BOB}&protocols=blend&events=health_factor,ledger&health_factor_below=1.1`
    await using stream = await open(query)
    for (const [n, health_factor] of factors.entries()) {
      // The third row is one of the hour, and the last one repays.
      const repaid = health_factor === null ? { borrowedUsd: '0', effectiveLiabilitiesUsd: '0' } : {}
      await writeLedger(end + 1 + n, { ...owed, ...repaid, heartbeat: n === 2, native: { health_factor } })
    }
    const isLast = ({ event, data }: ReceivedEvent) => event === 'ledger' && Number(data.ledger) >= end + factors.length
    const crossings = (events: readonly ReceivedEvent[]) =>
      events.flatMap(({ event, data }) =>
        event === 'health_factor' ? [[Number(data.ledger) - end, data.crossed, data.health_factor]] : [],
      )
    const expected = [
      [2, 'below', '1.09'],
      [6, 'recovered', '1.122'],
      [7, 'below', '1.05'],
      [8, 'recovered', null],
    ]
    const events = await stream.until(isLast)
    expect(crossings(events)).toEqual(expected)
    expect(events.find(({ event }) => event === 'health_factor')).toMatchObject({
      id: `${end + 2}/health_factor/blend/${POOL}/${BOB}`,
      data: { address: BOB, pool_id: POOL, protocol: 'blend', threshold: '1.1' },
    })
    for (let after = end; after < end + factors.length; after++) {
      await using resumed = await open(query, { 'last-event-id': String(after) })
      expect(crossings(await resumed.until(isLast))).toEqual(expected.filter(([ledger]) => Number(ledger) > after - end))
    }
  })
})

describe('health factors between snapshots', () => {
  const owed = { protocol: 'blend', pool: POOL, borrowedUsd: '100', effectiveCollateralUsd: '150', effectiveLiabilitiesUsd: '100' }

  /** The next ledger, in which a position of BOB enters the step of a health factor. */
  async function writeStep(ledger: number, healthFactor: string): Promise<void> {
    await fixture.store.writeLedgers([{ ledger, closeTimeSeconds: closeTime(ledger), hash: hashOf(ledger) }], BigInt(ledger))
    const value = JSON.stringify({ health_factor: healthFactor, step: String(Math.floor(Number(healthFactor) * 100)) })
    const of = { protocol: 'blend', contract: POOL, key: `@${BOB}:health_step`, owner: BOB, scope: 0 } as const
    const step = {
      ...of,
      ledger,
      closeTimeSeconds: closeTime(ledger),
      liveUntil: 0,
      durability: 'fact',
      removed: false,
      inferred: false,
      value,
    } as const
    await fixture.store.write([{ ...NO_ROWS, state: [step] }], VERSION)
    for (const protocol of ['soroswap', 'blend']) await setCheckpoint(fixture.store, ledger, ledger, protocol)
  }

  it.each([`addresses=${BOB}`, 'protocols=blend'])(
    'with %s a crossing by interest or prices alone alerts at its ledger, and a stream that goes on at any ledger agrees',
    async (of) => {
      const { ledger: end } = await fixture.readModel.watermark()
      const query = `?${of}&events=position,health_factor,ledger&health_factor_below=1.1`
      await using stream = await open(query)
      await writeLedger(end + 1, { ...owed, native: { health_factor: '1.15' } })
      await writeStep(end + 2, '1.1099999')
      await writeStep(end + 3, '1.0999999')
      await writeStep(end + 4, '1.1')
      await writeStep(end + 5, '1.13')
      const isLast = ({ event, data }: ReceivedEvent) => event === 'ledger' && Number(data.ledger) >= end + 5
      const events = await stream.until(isLast)
      const own = (all: readonly ReceivedEvent[]) =>
        all.flatMap(({ event, data }) => (event === 'ledger' ? [] : [[Number(data.ledger) - end, event, data.crossed, data.health_factor]]))
      const expected = [
        [1, 'position', undefined, '1.15'],
        [3, 'health_factor', 'below', '1.0999999'],
        [5, 'health_factor', 'recovered', '1.13'],
      ]
      expect(own(events)).toEqual(expected)
      for (let after = end; after < end + 5; after++) {
        await using resumed = await open(query, { 'last-event-id': String(after) })
        expect(own(await resumed.until(isLast))).toEqual(expected.filter(([ledger]) => Number(ledger) > after - end))
      }
    },
  )

  it('a snapshot and a step of the same ledger are one crossing', async () => {
    const { ledger: end } = await fixture.readModel.watermark()
    const query = `?from_ledger=${end + 1}&addresses=${BOB}&events=position,health_factor,ledger&health_factor_below=1.1`
    await writeStep(end + 1, '1.05')
    await writeLedger(end + 1, { ...owed, native: { health_factor: '1.05' } })
    await using stream = await open(query)
    const events = await stream.until(({ event }) => event === 'ledger')
    expect(events.map(({ event, data }) => [event, data.health_factor])).toEqual([
      ['position', '1.05'],
      ['health_factor', '1.05'],
      ['ledger', undefined],
    ])
  })
})

describe('the end of a stream', () => {
  it('comes when its key is revoked, with the place to go on from', async () => {
    const { api_key_id: id, key } = await keyOf(fixture.api, 'revoked')
    const { access_token: bearer } = await memberOf(fixture.api, 'revoked')
    await using stream = await readStream(`${fixture.api.url}/v1/stream?from_ledger=0&events=ledger`, key)
    const before = await stream.take(1)
    const { status } = await manage(fixture.api, 'DELETE', `/v1/org/api-keys/${id}`, { bearer })
    expect(status).toBe(204)
    const rest = await stream.rest()
    expect(rest.at(-1)).toMatchObject({ event: 'end', id: '' })
    const last = [...before, ...rest].findLast(({ event }) => event === 'ledger')
    expect(rest.at(-1)?.data).toEqual({ reason: 'key_invalid', last_event_id: last?.id })
  })

  it('frees its place: an organization has as many streams as its plan allows', async () => {
    const { key } = await keyOf(fixture.api, 'small')
    const url = `${fixture.api.url}/v1/stream`
    await using first = await readStream(url, key)
    const second = await readStream(url, key)
    const refused = await fetch(url, { headers: { 'x-service-api-key': key } })
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '10'])
    expect(await refused.json()).toMatchObject({ error: { code: 'rate_limited' } })
    await second[Symbol.asyncDispose]()
    await expect.poll(async () => (await fetch(url, { method: 'HEAD', headers: { 'x-service-api-key': key } })).status).toBe(200)
    expect(first.status).toBe(200)
  })
})

describe('many streams at once', () => {
  it('of 20 requests at the same time an organization of the plan `free` gets two streams, and 18 refusals that cost one unit', async () => {
    const { key } = await keyOf(fixture.api, 'crowd')
    const stop = new AbortController()
    // All of them wait for the same read of the index, and go on together.
    fixture.readModel.forgetTip()
    const answers = await Promise.all(
      Array.from({ length: 20 }, () =>
        fetch(`${fixture.api.url}/v1/stream`, { headers: { 'x-service-api-key': key }, signal: stop.signal }),
      ),
    )
    const refused = answers.filter(({ status }) => status !== 200)
    expect(answers.length - refused.length).toBe(2)
    for (const { status, headers } of refused)
      expect([status, headers.get('retry-after'), headers.get('ratelimit-cost')]).toEqual([429, '10', '1'])
    for (const answer of refused) expect(await answer.json()).toMatchObject({ error: { code: 'rate_limited' } })
    stop.abort()
  })

  it('HEAD keeps no place', async () => {
    const { key } = await keyOf(fixture.api, 'head')
    for (let n = 0; n < 5; n++) {
      const { status } = await fetch(`${fixture.api.url}/v1/stream`, { method: 'HEAD', headers: { 'x-service-api-key': key } })
      expect(status).toBe(200)
    }
  })
})

describe('refusals', () => {
  it.each([
    ['?from_ledger=x', 'invalid_parameter'],
    ['?addresses=GABC', 'invalid_parameter'],
    ['?contracts=fxdao:', 'invalid_parameter'],
    ['?health_factor_below=0', 'invalid_parameter'],
    ['?events=health_factor', 'missing_parameter'],
    ['?events=activity&health_factor_below=1.1', 'conflicting_parameters'],
    ['?limit=5', 'unknown_parameter'],
  ])('%s: 400 %s', async (query, code) => {
    expect(await fixture.refusal(`/v1/stream${query}`)).toMatchObject({ status: 400, code })
  })

  it.each(['x', '1/activity/00', '1/position/blend', '1/other/x', '4294967296', `2/activity/${'0'.repeat(32)}`, '01'])(
    'Last-Event-ID %s: 400 invalid_parameter',
    async (id) => {
      const { status, body } = await fixture.api.ask('/v1/stream', { headers: { 'last-event-id': id } })
      expect([status, body?.error?.code]).toEqual([400, 'invalid_parameter'])
    },
  )
})

// The last one: nothing answers after it.
it('a stop ends all streams with their place, and does not wait for them', async () => {
  const { ledger } = await fixture.readModel.watermark()
  await using behind = await open(`?from_ledger=${ledger}&events=ledger`)
  await using live = await open('')
  const before = await behind.take(1)
  await fixture.api.stop()
  expect(await behind.rest()).toMatchObject([{ event: 'end', data: { reason: 'server_stopping', last_event_id: before[0]?.id } }])
  expect(await live.rest()).toMatchObject([{ event: 'end', data: { reason: 'server_stopping', last_event_id: null } }])
})
