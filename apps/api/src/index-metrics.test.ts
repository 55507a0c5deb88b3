import { openReadModel, openStore } from '@orrery/read-model'
import { withDatabases } from '@orrery/read-model/testing'
import { createMetrics } from '@orrery/service-kit'
import { expect, it } from 'vitest'
import { reportIndexMetrics } from './index-metrics.ts'
import { setCheckpoint, VERSION } from './routes/testing/fixture-api.ts'
import { closeTime, LAST } from './routes/testing/fixtures/network.ts'

const databases = withDatabases()

it('the metrics of the index describe stored rows at each scrape, and are absent while the database does not answer', async () => {
  const database = await databases.database()
  const store = openStore(database.connect('writer'))
  const readModel = openReadModel(database.connect('api'), { tipForMs: 0 })
  const metrics = createMetrics({ of: 'api' })
  let nowMs = closeTime(LAST) * 1000
  const clock = { nowMs: () => nowMs }
  let isDown = false
  const query: typeof readModel.query = (...call) => (isDown ? Promise.reject(new Error('no answer')) : readModel.query(...call))
  reportIndexMetrics({ readModel: { ...readModel, query }, clock, metrics })
  const scrape = async () =>
    (await metrics.registry.metrics()).split('\n').filter((line) => /^orrery_(index|api_database)/.test(line) && !/ 0$/.test(line))

  expect(await scrape()).toEqual(['orrery_api_database_status 1'])
  await store.writeLedgers([{ ledger: LAST, closeTimeSeconds: closeTime(LAST), hash: '00' }], 1n)
  await store.activateIfNone('soroswap', VERSION, 1)
  await setCheckpoint(store, LAST, LAST + 10)
  const lag = async () => Number(/^orrery_index_lag_seconds (\S+)$/m.exec(await metrics.registry.metrics())?.[1])
  expect(await scrape()).toEqual(
    expect.arrayContaining([
      `orrery_index_ledger_number ${LAST}`,
      `orrery_index_version_number{protocol="soroswap"} ${VERSION}`,
      expect.stringMatching(/^orrery_index_partition_status\{protocol="soroswap",partition="0",status="\w+"\} 1$/),
    ]),
  )
  const before = await lag()
  nowMs += 90_000
  expect(await lag()).toBe(before + 90)
  expect(await scrape()).toContain('orrery_index_partition_status{protocol="soroswap",partition="0",status="stalled"} 1')

  isDown = true
  expect(await scrape()).toEqual([])
  expect(await metrics.registry.metrics()).toContain('\norrery_api_database_status 0\n')
})
