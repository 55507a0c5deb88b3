import { openReadModel, openStore } from '@orrery/read-model'
import { withClickHouse } from '@orrery/read-model/testing'
import { expect, it } from 'vitest'
import { watchReadiness } from './readiness.ts'
import { setCheckpoint, VERSION } from './routes/testing/fixture-api.ts'
import { closeTime, FIRST, LAST, NETWORK } from './routes/testing/fixtures/network.ts'

const clickhouse = withClickHouse()

it('the API is ready when every adapter has reached the tip of the source, and stays ready if one falls behind later', async () => {
  const database = await clickhouse.database()
  const store = openStore(database.connect('writer'))
  const readModel = openReadModel(database.connect('api'), { tipForMs: 0 })
  const clock = { nowMs: () => closeTime(LAST) * 1000 }
  const ready = watchReadiness({ readModel, network: NETWORK, protocols: [{ id: 'soroswap' }], clock })
  expect(await ready()).toEqual({ ok: false, why: 'Nothing is indexed yet.' })

  await store.writeLedgers([{ ledger: LAST, closeTimeSeconds: closeTime(LAST), hash: '00' }], 1n)
  await store.activateIfNone('soroswap', VERSION, 1)
  await setCheckpoint(store, FIRST, LAST)
  expect(await ready()).toEqual({ ok: false, why: 'Not caught up yet: soroswap.' })

  await setCheckpoint(store, LAST)
  expect(await ready()).toEqual({ ok: true, why: '' })

  await setCheckpoint(store, LAST, LAST + 10)
  expect(await ready()).toEqual({ ok: true, why: '' })
})
