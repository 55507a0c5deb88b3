import { NO_ROWS, type PositionSnapshotRow } from '@orrery/protocol-kit'
import { expect, it } from 'vitest'
import { keyOf } from '../management/testing/requests.ts'
import { setCheckpoint, VERSION, withFixtureApi } from '../routes/testing/fixture-api.ts'
import { BOB, closeTime, hashOf, LAST, POOL } from '../routes/testing/fixtures/network.ts'
import { type ReceivedEvent, readStream } from '../testing/read-stream.ts'
import { TESTER } from '../testing/start-test-api.ts'

const fixture = withFixtureApi(['blend'], { streamTimes: { followEvery: 20 } })
/** As docs/streams.md says. */
const WEEK_LEDGERS = 120_960
const BELOW = LAST + 1

/** The next ledger that the index has, at whose end a position of BOB has this health factor. */
async function writeLedger(ledger: number, healthFactor: string): Promise<void> {
  await fixture.store.writeLedgers([{ ledger, closeTimeSeconds: closeTime(ledger), hash: hashOf(ledger) }], BigInt(ledger))
  const snapshot: PositionSnapshotRow = {
    ...{ protocol: 'blend', address: BOB, pool: POOL, ledger, closeTimeSeconds: closeTime(ledger), heartbeat: true, open: true },
    ...{ suppliedUsd: '150', borrowedUsd: '100', depositedUsd: '150', netUsd: '50', netApy: null, unpricedAssets: 0, shares: 1n },
    ...{ effectiveCollateralUsd: '150', effectiveLiabilitiesUsd: '100', native: { health_factor: healthFactor } },
  }
  await fixture.store.write([{ ...NO_ROWS, positionSnapshots: [snapshot] }], VERSION)
  await setCheckpoint(fixture.store, ledger, ledger, 'blend')
}

const QUERY = `?addresses=${BOB}&events=health_factor,ledger&health_factor_below=1.1`
const open = (of: string, lastEventId?: number) =>
  readStream(
    `${fixture.api.url}/v1/stream${of}`,
    fixture.api.key,
    lastEventId === undefined ? {} : { 'last-event-id': String(lastEventId) },
  )

it.each([QUERY, QUERY.replace(`addresses=${BOB}`, 'protocols=blend')])(
  '%s: a position that was last below a week ago recovers, one that was below earlier alerts anew, and a stream that goes on at any ledger agrees',
  async (of) => {
    const { ledger: end } = await fixture.readModel.watermark()
    const first = Math.max(BELOW, end + 1)
    const second = first + WEEK_LEDGERS + 1
    const ledgers: readonly (readonly [number, string])[] = [
      [first, '1.09'],
      [first + 5, '1.11'],
      [first + WEEK_LEDGERS, '1.13'],
      [second, '1.09'],
      [second + 5, '1.11'],
      [second + WEEK_LEDGERS + 1, '1.13'],
      [second + WEEK_LEDGERS + 2, '1.11'],
      [second + WEEK_LEDGERS + 3, '1.09'],
    ]
    const expected = [
      [first, 'below'],
      [first + WEEK_LEDGERS, 'recovered'],
      [second, 'below'],
      [second + WEEK_LEDGERS + 3, 'below'],
    ]
    const crossings = (events: readonly ReceivedEvent[]) =>
      events.flatMap(({ event, data }) => (event === 'health_factor' ? [[data.ledger, data.crossed]] : []))
    const last = ledgers.at(-1)?.[0] ?? 0
    const isLast = ({ event, data }: ReceivedEvent) => event === 'ledger' && data.ledger === last
    await using stream = await open(of)
    for (const [ledger, healthFactor] of ledgers) await writeLedger(ledger, healthFactor)
    expect(crossings(await stream.until(isLast))).toEqual(expected)
    for (const [ledger] of ledgers.slice(0, -1)) {
      await using resumed = await open(of, ledger)
      expect(crossings(await resumed.until(isLast))).toEqual(expected.filter(([at]) => Number(at) > ledger))
    }
    await writeLedger(last + 1, '2')
  },
)

it('a stream that is refused for the cost of its past keeps no place', async () => {
  const { key, organization_id: id } = await keyOf(fixture.api, 'costly')
  await fixture.api.identity.overrideRateLimit(id, 9, TESTER)
  const ask = (query: string) =>
    fetch(`${fixture.api.url}/v1/stream${query}`, { method: 'HEAD', headers: { 'x-service-api-key': key } }).then(({ status }) => status)
  // More than a day of the past costs 10 units. The plan `free` has two places.
  for (let n = 0; n < 3; n++) expect(await ask(`?from_ledger=${LAST}`)).toBe(429)
  expect(await ask('')).toBe(200)
})
