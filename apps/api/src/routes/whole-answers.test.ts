// Properties of every answer, tested on every route with the fixtures of all protocols.

import { Decimal } from '@orrery/pricing'
import { beforeAll, describe, expect, it } from 'vitest'
import { TESTED_PROTOCOLS } from '../testing/tested-protocols.ts'
import { ASKED_PATHS } from './testing/asked-paths.ts'
import { type Answered, setCheckpoint, VERSION, withFixtureApi } from './testing/fixture-api.ts'
import {
  ALICE,
  AQUA_POOL,
  LAST,
  LOCKING,
  NEW,
  ORACLE,
  OTHER_CONTRACT,
  POOL,
  RATES,
  UNKNOWN_ACCOUNT,
  USDC,
  USDX,
  VAULTS,
  whole,
  XLM,
} from './testing/fixtures/network.ts'
import { leg, rows, transaction } from './testing/fixtures/rows.ts'

const IDS = TESTED_PROTOCOLS.map(({ id }) => id)
const fixture = withFixtureApi(IDS)

const FXDAO_LEG = { protocol: 'fxdao', contract: VAULTS, counterparty: VAULTS, metadata: { event: 'new_vault', currency: 'USD' } } as const
/** Activities in FxDAO and in Aquarius, which the fixtures lack. */
const DONE = rows({
  activities: [
    leg({ ...FXDAO_LEG, ledger: 110, tx: 41, assetId: XLM, assetSymbol: 'XLM', amount: whole(1_000) }),
    leg({ ...FXDAO_LEG, ledger: 110, tx: 41, row: 1, activityType: 'borrow', assetId: USDX, assetSymbol: 'USDx', amount: whole(100) }),
    leg({
      ledger: 120,
      tx: 42,
      protocol: 'aquarius',
      contract: AQUA_POOL,
      counterparty: AQUA_POOL,
      metadata: { event: 'deposit_liquidity' },
    }),
  ],
  transactions: [
    { ...transaction(110, 41, 2), protocol: 'fxdao' },
    { ...transaction(120, 42, 1), protocol: 'aquarius' },
  ],
})
beforeAll(() => fixture.store.write([DONE], VERSION))

/** Of whom an answer may speak, and what is true of it in every one. 1 XLM is 0.25 USD all along. */
const TRUE_OF: Readonly<Record<string, object>> = {
  [USDC]: { symbol: 'USDC', decimals: 7, tags: ['classic', 'stablecoin'], price_usd: '1', price_source: `oracle:${ORACLE}` },
  [XLM]: { symbol: 'XLM', decimals: 7, tags: ['native'], price_usd: '0.25', price_source: `oracle:${ORACLE}` },
  [USDX]: { price_usd: '1', price_source: `oracle:${RATES}` },
  [NEW]: { decimals: null, price_usd: null, price_source: null },
  [POOL]: { name: 'Fixed v2', protocol: 'blend' },
  [AQUA_POOL]: { protocol: 'aquarius', position_types: ['lp'] },
  [VAULTS]: { name: 'FxDAO vaults', protocol: 'fxdao', position_types: ['collateral', 'liability', 'vault'] },
  [LOCKING]: { name: 'FxDAO locking pool', protocol: 'fxdao', position_types: ['supply'] },
  [OTHER_CONTRACT]: { name: '', protocol: '' },
}

/** Answers from the unchanged fixtures, requested once each, because several tests use them. */
const answers = new Map<string, Promise<Answered>>()
function answerOf(url: string): Promise<Answered> {
  const answer = answers.get(url) ?? fixture.data(url)
  answers.set(url, answer)
  return answer
}

const idsOf = (data: unknown): Set<string> => new Set(JSON.stringify(data).match(/C[A-Z2-7]{55}/g))

describe('enrichment', () => {
  it.each(ASKED_PATHS.flatMap(({ urls }) => urls))(
    'the enrichment of %s names every contract and every asset of the answer, with their properties',
    async (url) => {
      const { data, enrichment } = await answerOf(url)
      const ids = idsOf(data)
      const named: Readonly<Record<string, unknown>> = { ...enrichment.assets, ...enrichment.contracts }
      expect([...ids].filter((id) => !(id in named))).toEqual([])
      expect(Object.keys(named).filter((id) => !ids.has(id))).toEqual([])
      const known = Object.fromEntries(Object.entries(TRUE_OF).filter(([id]) => ids.has(id)))
      expect(named).toMatchObject(known)
    },
  )

  it('every route is tested with an answer that names a contract, except those whose answers have none', async () => {
    const silent = new Set(ASKED_PATHS.map(({ path }) => path))
    for (const { path, urls } of ASKED_PATHS) {
      for (const url of urls) if (silent.has(path) && idsOf((await answerOf(url)).data).size > 0) silent.delete(path)
    }
    expect([...silent]).toEqual([
      '/v1/users/:address/positions/fxdao/:currency/history',
      '/v1/protocols',
      '/v1/protocols/:id/tvl',
      '/v1/ledgers',
      '/v1/ledgers/:sequence',
      '/v1/queries/:name',
      '/v1/index',
      '/v1/health',
      '/v1',
    ])
  })

  it('the enrichment describes a contract of one protocol also where another protocol names it', async () => {
    const { enrichment } = await fixture.data(`/v1/users/${POOL}/positions/soroswap`)
    expect(enrichment.contracts[POOL]).toMatchObject({ name: 'Fixed v2', protocol: 'blend' })
    const stranger = await fixture.data(`/v1/users/${OTHER_CONTRACT}/positions`)
    expect(stranger.enrichment.contracts[OTHER_CONTRACT]).toMatchObject({ name: '', protocol: '' })
  })
})

it.each(['/v1/protocols', '/v1/index', '/v1/health'])('%s is partial exactly while an adapter is not healthy', async (url) => {
  expect((await fixture.data(url)).meta.partial_result).toBe(false)
  await setCheckpoint(fixture.store, LAST, LAST, 'fxdao', 'failing')
  expect((await fixture.data(url)).meta.partial_result).toBe(true)
  await setCheckpoint(fixture.store, LAST, LAST, 'fxdao')
  expect((await fixture.data(url)).meta.partial_result).toBe(false)
})

describe('the portfolio', () => {
  it('the portfolio is the sum of the protocols at the same ledger', async () => {
    const { data, meta } = await fixture.data(`/v1/users/${ALICE}/positions`)
    const protocols = data.protocols as { protocol_id: string; deposited_usd: string; borrowed_usd: string }[]
    expect(protocols.map((it) => it.protocol_id)).toEqual(['blend', 'aquarius', 'soroswap', 'fxdao'])
    // 1,172.5 - 300 in Blend, 200 in Aquarius, 1,125 in Soroswap, 290 - 100 in FxDAO.
    expect(data).toMatchObject({ total_value_usd: '2387.5', aggregate_health_factor: '2.27272727', aggregate_net_apy: '0' })
    expect(meta).toMatchObject({ last_indexed_ledger: 220, partial_result: true }) // the odd pool of Aquarius

    const own = (path: string): Promise<Answered> => fixture.data(`/v1/users/${ALICE}/positions/${path}?as_of_ledger=220`)
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

  it('the portfolio costs one statement if its pools were read as of the ledger before, by any client, more only for new pools, and none for the same account', async () => {
    const cost = async (address: string): Promise<string[]> =>
      (await fixture.statements(`/v1/users/${address}/positions`)).filter(
        (name) => !['adapter_health', 'control_facts', 'first_indexed_ledger', 'version_progress'].includes(name),
      )
    await cost(ALICE)
    expect(await cost(UNKNOWN_ACCOUNT)).toEqual(['owner_state'])
    expect(await cost(ALICE)).toEqual([]) // its state was read as of this ledger
  })
})
