import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { NO_ROWS } from '@orrery/protocol-kit'
import { createParser } from 'eventsource-parser'
import { expect, it } from 'vitest'
import { setCheckpoint, VERSION, withFixtureApi } from '../routes/testing/fixture-api.ts'
import { BOB, closeTime, hashOf, LAST } from '../routes/testing/fixtures/network.ts'
import { leg } from '../routes/testing/fixtures/rows.ts'
import { type ReceivedEvent, readStream } from '../testing/read-stream.ts'
import { startTestApi } from '../testing/start-test-api.ts'
import { toyAnswer, toyRoute } from '../testing/toy-routes.ts'

/** A client that reads again has as long for what waits. */
const PATIENCE_MS = 12_000
const fixture = withFixtureApi(['soroswap'], {
  streamTimes: { followEvery: 20 },
  streamConnection: { waitingBytes: 64 * 1024, patienceMs: PATIENCE_MS },
})
/** As text more than the buffers of a socket on loopback. */
const MANY = 30_000

/** The next ledger, with `count` activities of BOB. */
async function writeLedger(ledger: number, count: number): Promise<void> {
  await fixture.store.writeLedgers([{ ledger, closeTimeSeconds: closeTime(ledger), hash: hashOf(ledger) }], BigInt(ledger))
  const one = leg({ ledger, tx: ledger, address: BOB })
  const activities = Array.from({ length: count }, (_, n) => ({ ...one, key: { ...one.key, txOrder: 1 + n } }))
  await fixture.store.write([{ ...NO_ROWS, activities }], VERSION)
  await setCheckpoint(fixture.store, ledger)
}

/** A stream of which nothing is read until the test reads its response. */
async function unread(query: string): Promise<IncomingMessage> {
  const request = get(`${fixture.api.url}/v1/stream${query}`, { headers: { 'x-service-api-key': fixture.api.key }, agent: false })
  const [response] = (await once(request, 'response')) as [IncomingMessage]
  return response
}

/** Everything until the server closes the connection. */
async function readAll(response: IncomingMessage): Promise<ReceivedEvent[]> {
  const events: ReceivedEvent[] = []
  const parser = createParser({
    onEvent: ({ id = '', event = '', data }) => events.push({ id, event, data: JSON.parse(data) as ReceivedEvent['data'] }),
  })
  for await (const chunk of response.setEncoding('utf8')) parser.feed(chunk as string)
  return events
}

async function endedAsSlow(): Promise<number> {
  const { values } = await fixture.api.metrics.apiStreamsEnded.get()
  return values.find(({ labels }) => labels.reason === 'slow_client')?.value ?? 0
}

/** What the client got before its end, and what it gets when it goes on from there, is everything. */
async function expectToGoOn(events: readonly ReceivedEvent[], query: string): Promise<void> {
  const [end, last] = [events.at(-1), events.at(-2)]
  expect(end).toEqual({ id: '', event: 'end', data: { reason: 'slow_client', last_event_id: last?.id } })
  const idsOf = (all: readonly ReceivedEvent[]) => all.flatMap(({ event, id }) => (event === 'activity' ? [id] : []))
  const { ledger } = await fixture.readModel.watermark()
  const untilNow = async (headers: Readonly<Record<string, string>>) => {
    await using stream = await readStream(`${fixture.api.url}/v1/stream${query}`, fixture.api.key, headers)
    return idsOf(await stream.until(({ event, data }) => event === 'ledger' && Number(data.ledger) >= ledger))
  }
  const got = idsOf(events)
  expect(got.length).toBeGreaterThan(0)
  const rest = await untilNow({ 'last-event-id': last?.id ?? '' })
  expect([...got, ...rest]).toEqual(await untilNow({}))
}

it('a client that does not read new ledgers is ended with its place, and goes on from there without a gap', async () => {
  const query = `?from_ledger=${LAST + 1}&addresses=${BOB}&events=activity,ledger`
  const response = await unread(query)
  await writeLedger(LAST + 1, MANY)
  for (let ledger = LAST + 2; (await endedAsSlow()) === 0; ledger++) await writeLedger(ledger, 1)
  await expectToGoOn(await readAll(response), query)
})

it('a client that does not read the past is ended with its place after its patience, and goes on from there without a gap', async () => {
  const before = await endedAsSlow()
  const query = `?from_ledger=${LAST + 1}&addresses=${BOB}&events=activity,ledger`
  const response = await unread(query)
  while ((await endedAsSlow()) === before) await delay(20)
  const events = await readAll(response)
  expect(events.filter(({ event }) => event === 'activity').length).toBeLessThan(MANY)
  await expectToGoOn(events, query)
})

it('a stream goes on after the deadline of requests', async () => {
  const never = toyRoute(() => delay(600_000, toyAnswer(null), { ref: false }), { path: '/v1/never' })
  await using api = await startTestApi({
    ...{ routes: [never], shared: { readModel: fixture.readModel }, deadlineMs: 2_000, streamTimes: { followEvery: 20 } },
  })
  await using stream = await readStream(`${api.url}/v1/stream?events=ledger`, api.key)
  // Begun after the stream, and cancelled at the deadline.
  expect((await api.ask('/v1/never')).status).toBe(504)
  const { ledger } = await fixture.readModel.watermark()
  await writeLedger(ledger + 1, 1)
  expect(await stream.take(1)).toMatchObject([{ event: 'ledger', data: { ledger: ledger + 1 } }])
})
