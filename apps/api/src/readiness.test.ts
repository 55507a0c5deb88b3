import { openReadModel, openStore } from '@orrery/read-model'
import { withDatabases } from '@orrery/read-model/testing'
import { expect, it } from 'vitest'
import { watchReadiness } from './readiness.ts'
import { setCheckpoint, VERSION } from './routes/testing/fixture-api.ts'
import { closeTime, FIRST, LAST } from './routes/testing/fixtures/network.ts'

const databases = withDatabases()

it('a new API is ready as soon as one ledger is complete, also while an adapter is stalled; lag counts only with a limit', async () => {
  const database = await databases.database()
  const store = openStore(database.connect('writer'))
  const readModel = openReadModel(database.connect('api'), { tipForMs: 0 })
  const clock = { nowMs: () => closeTime(FIRST) * 1000 + 75_000 }
  const ready = watchReadiness({ readModel, clock })
  expect(await ready()).toEqual({ ok: false, why: 'Nothing is indexed yet.' })

  await store.writeLedgers([{ ledger: LAST, closeTimeSeconds: closeTime(LAST), hash: '00' }], 1n)
  await store.activateIfNone('soroswap', VERSION, 1)
  await setCheckpoint(store, FIRST, LAST) // far behind the tip, and its last report is older than a minute
  expect(await ready()).toEqual({ ok: true, why: '' })

  expect(await watchReadiness({ readModel, clock, maxLagSeconds: 75 })()).toEqual({ ok: true, why: '' })
  expect(await watchReadiness({ readModel, clock, maxLagSeconds: 74 })()).toEqual({
    ok: false,
    why: `Ledger ${FIRST}, the newest that is complete, closed 75 s ago; the limit is 74 s.`,
  })
})

it('an API whose database does not answer is not ready', async () => {
  const watermark = () => Promise.reject(new Error('no connection'))
  await expect(watchReadiness({ readModel: { watermark }, clock: { nowMs: () => 0 } })()).rejects.toThrow('no connection')
})
