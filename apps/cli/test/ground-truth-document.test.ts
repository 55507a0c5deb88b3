// Every kind of answer over the whole recording is as the OpenAPI document describes it: each member is described, each value of a closed list is in
// the list, and the metadata of each activity has the schema of its protocol and type.

import { testTier } from '@orrery/testkit/ground-truth'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Answer } from './indexed-network.ts'
import { DocumentedApi } from './truth/documented.ts'
import { each } from './truth/recorded.ts'
import { sampleOf } from './truth/sampled.ts'
import { storedRows } from './truth/stored-rows.ts'

let api: DocumentedApi
/** Every address that an activity of the recording is about. */
let addresses: string[]
let pools: Answer['data'][]

const PROTOCOLS = ['blend', 'aquarius', 'soroswap', 'fxdao']
/** Ledgers over the whole recording. */
const LEDGERS = Array.from({ length: 13 }, (_, n) => 1_000_020 + n * 540).filter((_, n) => testTier !== 'unit' || n % 6 === 0)

beforeAll(async () => {
  api = await DocumentedApi.open()
  addresses = (await storedRows('SELECT DISTINCT address FROM orrery.activities ORDER BY address')).map(({ address = '' }) => address)
  pools = await api.pages('pools', '/v1/pools')
}, 900_000)

describe('the answers over the recording are as the document describes them', () => {
  it('every activity of the recording has the metadata that the document describes for its protocol and type', async () => {
    const ids = new Set<string>()
    await each(addresses, async (address) => {
      const activities = await api.pages('activities', '/v1/users/{address}/activities', { address })
      for (const { id } of activities) ids.add(id)
    })
    const [stored] = await storedRows('SELECT count() AS count FROM orrery.activities')
    expect(String(ids.size)).toBe(stored?.count)
  }, 900_000)

  it('actions, portfolios and histories of accounts', async () => {
    await each(sampleOf(addresses), async (address) => {
      const from = '?interval=1d&range=30d'
      await api.pages('actions', '/v1/users/{address}/actions', { address })
      await api.get('/v1/users/{address}/positions', { address })
      await api.get('/v1/users/{address}/history', { address }, from)
      await api.get('/v1/users/{address}/activities/series', { address }, from)
      await api.get('/v1/users/{address}/positions/blend/summary/history', { address }, from)
      for (const id of ['aquarius', 'soroswap', 'fxdao']) await api.get(`/v1/users/{address}/positions/${id}`, { address })
    })
  }, 900_000)

  it('portfolios as of ledgers over the whole recording', async () => {
    await each(LEDGERS, async (ledger) => {
      for (let n = 0; n < addresses.length; n += 100) {
        await api.get('/v1/positions', {}, `?addresses=${addresses.slice(n, n + 100).join(',')}&as_of_ledger=${ledger}`)
      }
    })
  }, 900_000)

  it('positions of each account in each pool, and their histories', async () => {
    const paths: Record<string, string> = { lending: 'blend', vault: 'fxdao' }
    const asked = pools.flatMap((pool) => addresses.map((address) => ({ pool, address })))
    await each(sampleOf(asked), async ({ pool: { pool_id, protocol, type }, address }) => {
      const kind = paths[type] ?? protocol
      if (type === 'staking') return
      if (kind === 'blend') {
        await api.get('/v1/users/{address}/positions/blend/{pool_id}', { address, pool_id })
        await api.get('/v1/users/{address}/positions/blend/{pool_id}/history', { address, pool_id }, '?range=7d')
      } else if (kind === 'fxdao') {
        const currency = pool_id.replace('fxdao:', '')
        await api.get('/v1/users/{address}/positions/fxdao/{currency}/history', { address, currency }, '?range=7d')
      } else {
        await api.get(`/v1/users/{address}/positions/${kind}/{pair}/history`, { address, pair: pool_id }, '?range=7d')
      }
    })
  }, 900_000)

  it('pools of every kind with their histories and feeds', async () => {
    expect([...new Set(pools.map(({ type }) => type))].sort()).toEqual(
      expect.arrayContaining(['lending', 'constant_product', 'stable', 'concentrated', 'vault', 'staking']),
    )
    await each(pools, async ({ pool_id }) => {
      await api.get('/v1/pools/{pool_id}', { pool_id })
      await api.get('/v1/pools/{pool_id}/history', { pool_id }, '?range=30d&interval=1d')
    })
    await each(
      sampleOf(pools, 4),
      async ({ pool_id }) => void (await api.pages('activities', '/v1/pools/{pool_id}/activities', { pool_id })),
    )
  }, 900_000)

  it('protocols, assets, prices and the index', async () => {
    for (const id of PROTOCOLS) {
      await api.get('/v1/protocols/{id}/tvl', { id })
      await api.get('/v1/protocols/{id}/emissions', { id })
      await api.pages('positions', '/v1/protocols/{id}/accounts', { id }, '?limit=100&sort=net_usd')
      for (const ledger of LEDGERS) await api.get('/v1/protocols/{id}/reserves', { id }, `?as_of_ledger=${ledger}`)
      const request = encodeURIComponent(`/v1/protocols/${id}/tvl`)
      await api.get('/v1/queries/{name}', { name: 'protocol_tvl_by_day' }, `?request=${request}`)
    }
    const assets = await api.pages('assets', '/v1/assets')
    for (const { asset_id } of sampleOf(assets, 3)) {
      await api.get('/v1/assets/{id}', { id: asset_id })
      await api.get('/v1/assets/{id}/prices', { id: asset_id }, '?range=30d&interval=1d')
    }
    const asked = assets.slice(0, 100).map(({ asset_id }) => asset_id)
    for (const ledger of LEDGERS) {
      await api.get('/v1/prices', {}, `?assets=${asked.join(',')}&as_of_ledger=${ledger}`)
      const { timestamp } = await api.get('/v1/ledgers/{sequence}', { sequence: String(ledger) })
      await api.get('/v1/ledgers', {}, `?at=${timestamp}`)
    }
    await api.get('/v1/protocols')
    await api.get('/v1/index')
    await api.get('/v1/health')
  }, 900_000)

  it('decoded transactions', async () => {
    const hashes = (await storedRows('SELECT DISTINCT tx_hash FROM orrery.activities ORDER BY tx_hash')).map(({ tx_hash = '' }) => tx_hash)
    await each(sampleOf(hashes, 128), async (hash) => void (await api.get('/v1/transactions/{hash}', { hash })))
  }, 900_000)
})

it('tags, position types and sources are those that their descriptions name', () => {
  // The document leaves these lists open for protocols and networks that are added.
  expect(['stablecoin', 'native', 'classic', 'soroban', 'lp_share', 'reward']).toEqual(expect.arrayContaining([...api.open.tags]))
  expect(['supply', 'collateral', 'liability', 'backstop', 'lp', 'vault']).toEqual(expect.arrayContaining([...api.open.position_types]))
  expect(['clickhouse', 'soroban_rpc', 'ledger_archive', 'oracle:<contract id>']).toEqual(expect.arrayContaining([...api.open.sources]))
  for (const shown of Object.values(api.open)) expect(shown.size).toBeGreaterThan(1)
})

it('every endpoint with data was asked', () => {
  expect([...api.counts.keys()].sort()).toEqual([...api.paths].sort())
})
