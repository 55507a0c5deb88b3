// TVL of days that are over, beside ledgers that come, versions that become active and partitions that are quarantined.

import type { IndexTip } from '@orrery/read-model'
import { expect, it } from 'vitest'
import { openKeptDays } from './kept-days.ts'
import { setCheckpoint, withFixtureApi } from './routes/testing/fixture-api.ts'
import { closeTime, hashOf, LAST } from './routes/testing/fixtures/network.ts'

const fixture = withFixtureApi(['soroswap'], { keptDays: openKeptDays() })
const TVL = '/v1/protocols/soroswap/tvl'
const STATEMENT = 'pool_days'
const SHOWN = 'protocol_tvl_by_day'
let tip = LAST

async function nextLedger(): Promise<void> {
  tip += 1
  await fixture.store.writeLedgers([{ ledger: tip, closeTimeSeconds: closeTime(tip), hash: hashOf(tip) }], BigInt(tip))
  await setCheckpoint(fixture.store, tip)
}

async function ask(
  path = TVL,
): Promise<{ readonly days: readonly string[]; readonly ledgers: readonly number[]; readonly isRead: boolean }> {
  const statements = await fixture.statements(path)
  const { data } = await fixture.data(path)
  const points = data.points as { readonly timestamp: string; readonly tvl_usd: string; readonly ledger: number }[]
  return {
    days: points.map((point) => `${point.timestamp} ${point.tvl_usd}`),
    ledgers: points.map(({ ledger }) => ledger),
    isRead: statements.includes(STATEMENT),
  }
}

it('days that are over are read once for the ledgers of a minute; the last day follows the ledger', async () => {
  const first = await ask()
  expect(first.isRead).toBe(true)
  await nextLedger()
  const second = await ask()
  expect(second).toEqual({ days: first.days, ledgers: [...first.ledgers.slice(0, -1), tip], isRead: false })
})

it('windows with the same days that are over share them', async () => {
  await ask()
  expect((await ask(`${TVL}?as_of_ledger=150`)).isRead).toBe(false)
  const day = '2026-09-01T00:00:00Z'
  expect(await ask(`${TVL}?from=${day}&to=${day}`)).toMatchObject({ days: [`${day} 4600`], isRead: false })
  expect((await ask(`${TVL}?from=2026-09-02T00:00:00Z`)).isRead).toBe(false)
})

it('the statement of a request that would have its days from here is shown all the same', async () => {
  await ask()
  const path = `/v1/queries/${SHOWN}?request=${encodeURIComponent(TVL)}`
  expect((await fixture.data(path)).data).toMatchObject({ name: SHOWN })
})

it('a reading is shared by requests that arrive meanwhile, made again after a failure, after another version became active, and while a partition is quarantined', async () => {
  const kept = openKeptDays()
  const adapter = { protocol: 'soroswap', version: 1, checkpoints: [null], quarantined: [] as readonly number[] }
  let tip: IndexTip = { adapters: [adapter], ledgers: null }
  const readModel = { tip: async () => tip, watermark: async () => ({ ledger: 1, closeTimeSeconds: endsSeconds }) }
  let endsSeconds = 86_400
  let readings = 0
  const ask = (work: () => Promise<never[]> = async () => []) =>
    kept.tvl({ protocol: 'soroswap', first: 0, days: 1, end: 86_400 }, readModel, () => {
      readings += 1
      return work()
    })
  await expect(ask(() => Promise.reject(new Error('The engine is away.')))).rejects.toThrow('The engine is away.')
  await Promise.all([ask(), ask()])
  await ask()
  expect(readings).toBe(2)

  tip = { adapters: [{ ...adapter, version: 2 }], ledgers: null }
  await ask(async () => {
    tip = { adapters: [{ ...adapter, version: 3 }], ledgers: null }
    return []
  })
  tip = { adapters: [{ ...adapter, version: 2 }], ledgers: null }
  await ask()
  expect(readings).toBe(4)

  tip = { adapters: [{ ...adapter, version: 2, quarantined: [0] }], ledgers: null }
  await ask()
  await ask()
  expect(readings).toBe(6)

  tip = { adapters: [{ ...adapter, version: 2 }], ledgers: null }
  await ask()
  expect(readings).toBe(6)
  endsSeconds = 86_399
  await ask()
  expect(readings).toBe(7)
})
