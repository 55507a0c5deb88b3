import { NO_ROWS } from '@orrery/protocol-kit'
import { expect, it } from 'vitest'
import { setCheckpoint, VERSION, withFixtureApi } from '../routes/testing/fixture-api.ts'
import { BOB, closeTime, hashOf, LAST } from '../routes/testing/fixtures/network.ts'
import { leg } from '../routes/testing/fixtures/rows.ts'
import { readStream } from '../testing/read-stream.ts'

const fixture = withFixtureApi(['soroswap'], { streamTimes: { followEvery: 20 } })
const LEDGER = LAST + 1

async function idsOfLedger(): Promise<string[]> {
  await using stream = await readStream(`${fixture.api.url}/v1/stream?from_ledger=${LEDGER}&addresses=${BOB}`, fixture.api.key)
  const events = await stream.until(({ event, data }) => event === 'ledger' && data.ledger === LEDGER)
  return events.map(({ event, id }) => `${event} ${id}`)
}

it('an event that another adapter version writes again has the same id', async () => {
  const { store } = fixture
  const one = leg({ ledger: LEDGER, tx: LEDGER, address: BOB })
  const activities = [1, 2, 3].map((txOrder) => ({ ...one, key: { ...one.key, txOrder } }))
  await store.writeLedgers([{ ledger: LEDGER, closeTimeSeconds: closeTime(LEDGER), hash: hashOf(LEDGER) }], BigInt(LEDGER))
  await store.write([{ ...NO_ROWS, activities }], VERSION)
  await setCheckpoint(store, LEDGER)
  const before = await idsOfLedger()
  expect(before.filter((text) => text.startsWith('activity '))).toHaveLength(3)

  const wanted = { protocol: 'soroswap', adapterVersion: 99, partitions: 1, purpose: 'upgrade' } as const
  const next = await store.findOrCreateIndexVersion(wanted)
  expect(next.indexVersion).not.toBe(VERSION)
  await store.write([{ ...NO_ROWS, activities }], next.indexVersion)
  const at = { closeTimeSeconds: closeTime(LEDGER), offset: 1n, rollingHash: '0'.repeat(16) }
  await store.moveCheckpoint({ protocol: 'soroswap', partition: 0 }, next.indexVersion, { ledger: LEDGER, ...at })
  expect(await store.activateIfComplete(next)).toBe(true)
  expect(await idsOfLedger()).toEqual(before)
})
