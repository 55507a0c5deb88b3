// What holds of every answer, whatever it is about: asked of every route in a world of all protocols.

import { Decimal } from '@orrery/pricing'
import { PROTOCOL_IDS } from '@orrery/protocol-kit'
import { describe, expect, it } from 'vitest'
import { routes } from './index.ts'
import { ALICE, AQUA_POOL, BOB, hashOf, NOBODY, PAIR, POOL, STRANGER, VAULTS } from './testing/paper.ts'
import { type Answered, withWorld } from './testing/world.ts'

const world = withWorld(PROTOCOL_IDS)

/** Values for the parameters of paths. `address` is asked as an account, as a contract of ours, and as one of nobody. */
const VALUES: Readonly<Record<string, readonly string[]>> = {
  address: [ALICE, BOB, POOL, VAULTS, STRANGER],
  pool_id: [POOL],
  pair: [PAIR],
  currency: ['USD'],
  hash: [hashOf(1), hashOf(40)],
  id: PROTOCOL_IDS,
}

function valuesOf(path: string, name: string): readonly string[] {
  return name === 'pair' && path.includes('/aquarius/') ? [AQUA_POOL] : (VALUES[name] ?? [])
}

/** What a path asks besides. */
const QUERIES: Readonly<Record<string, readonly string[]>> = {
  '/v1/users/:address/activities/series': ['?interval=1d'],
  '/v1/protocols/:id/reserves': ['', '?as_of_ledger=150'],
}

const urls = routes.flatMap(({ path }) => {
  const names = [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => name)
  const paths = names.reduce<string[]>(
    (made, name) => made.flatMap((it) => valuesOf(path, name).map((value) => it.replace(`:${name}`, value))),
    [path],
  )
  return paths.flatMap((it) => (QUERIES[path] ?? ['']).map((query) => it + query))
})

describe('enrichment', () => {
  it.each(urls)('names every contract and every asset of %s', async (url) => {
    const { data, enrichment } = await world.data(url)
    const ids = new Set(JSON.stringify(data).match(/C[A-Z2-7]{55}/g))
    const named = { ...enrichment.assets, ...enrichment.contracts }
    expect([...ids].filter((id) => !(id in named))).toEqual([])
    expect(Object.keys(named).filter((id) => !ids.has(id))).toEqual([])
  })

  it('says what a contract is also where another protocol names it', async () => {
    const { enrichment } = await world.data(`/v1/users/${POOL}/positions/soroswap`)
    expect(enrichment.contracts[POOL]).toMatchObject({ name: 'Fixed v2', protocol: 'blend' })
    const stranger = await world.data(`/v1/users/${STRANGER}/positions`)
    expect(stranger.enrichment.contracts[STRANGER]).toMatchObject({ name: '', protocol: '' })
  })
})

describe('the portfolio', () => {
  it('adds up what the protocols say at the same ledger', async () => {
    const { data, meta } = await world.data(`/v1/users/${ALICE}/positions`)
    const protocols = data.protocols as { protocol_id: string; deposited_usd: string; borrowed_usd: string }[]
    expect(protocols.map((it) => it.protocol_id)).toEqual(['blend', 'aquarius', 'soroswap', 'fxdao'])
    // 1,172.5 - 300 in Blend, 200 in Aquarius, 1,125 in Soroswap, 290 - 100 in FxDAO.
    expect(data).toMatchObject({ total_value_usd: '2387.5', aggregate_health_factor: '2.27272727', aggregate_net_apy: '0' })
    expect(meta).toMatchObject({ last_indexed_ledger: 220, partial_result: true }) // the odd pool of Aquarius

    const own = (path: string): Promise<Answered> => world.data(`/v1/users/${ALICE}/positions/${path}?as_of_ledger=220`)
    const [blend, aquarius, soroswap, fxdao] = await Promise.all([own(`blend/${POOL}`), own('aquarius'), own('soroswap'), own('fxdao')])
    const pool = blend.data.pool as { net_usd: string; backstop: { usd_value: string } }
    const pools = [...(aquarius.data.pools as { net_usd: string }[]), ...(soroswap.data.pairs as { net_usd: string }[])]
    const { vaults, locked } = fxdao.data as unknown as { vaults: { net_usd: string }[]; locked: { usd_value: string }[] }
    const values = [
      pool.net_usd,
      pool.backstop.usd_value,
      ...pools.map((it) => it.net_usd),
      ...vaults.map((it) => it.net_usd),
      ...locked.map((it) => it.usd_value),
    ]
    expect(values.reduce((sum, value) => sum.plus(value), new Decimal(0)).toFixed()).toBe(data.total_value_usd)
  })

  it('costs one statement when its pools were read as of the ledger before, whoever asked, and more only for what is new', async () => {
    const cost = async (address: string): Promise<string[]> =>
      (await world.statements(`/v1/users/${address}/positions`)).filter(
        (name) => !['adapter_health', 'first_indexed_ledger'].includes(name),
      )
    await cost(ALICE)
    expect(await cost(NOBODY)).toEqual(['owner_state'])
    expect(await cost(ALICE)).toEqual(['owner_state'])
  })
})
