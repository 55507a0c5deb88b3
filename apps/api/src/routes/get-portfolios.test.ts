import { describe, expect, it } from 'vitest'
import { TESTED_PROTOCOLS } from '../testing/tested-protocols.ts'
import { withFixtureApi } from './testing/fixture-api.ts'
import { ALICE, BOB, NEW_PAIR, PAIR, POOL, UNKNOWN_ACCOUNT, VAULTS } from './testing/fixtures/network.ts'

const fixture = withFixtureApi(TESTED_PROTOCOLS.map(({ id }) => id))

interface Item {
  readonly address: string
  readonly total_value_usd: string
  readonly protocols: readonly Record<string, unknown>[]
}

async function portfolios(query: string) {
  const { data, enrichment, meta } = await fixture.data(`/v1/positions?${query}`)
  return { items: data.portfolios as readonly Item[], enrichment, meta }
}

/** Soroswap holds the value of the shares of one pair: of 4,000 shares in 2,000 USDC and 10,000 XLM at 0.25 USD. */
const soroswapOf = (item: Item | undefined) => item?.protocols.find(({ protocol_id }) => protocol_id === 'soroswap')

describe('200', () => {
  it('each portfolio equals the portfolio of its account, in the order of the request', async () => {
    const addresses = [UNKNOWN_ACCOUNT, BOB, VAULTS, ALICE, POOL]
    const single = await Promise.all(addresses.map((address) => fixture.data(`/v1/users/${address}/positions`)))
    const { items, enrichment } = await portfolios(`addresses=${addresses}`)
    expect(items).toEqual(single.map(({ data }) => data))
    for (const { enrichment: own } of single) expect(enrichment).toMatchObject({ assets: own.assets, contracts: own.contracts })
  })

  it('a summary leaves out the items and rewards of each protocol, and nothing else', async () => {
    const { items } = await portfolios(`addresses=${ALICE},${BOB}`)
    const summary = await portfolios(`addresses=${ALICE},${BOB}&view=summary`)
    expect(summary.items).toEqual(
      items.map((item) => ({
        ...item,
        protocols: item.protocols.map((entry) =>
          Object.fromEntries(Object.entries(entry).filter(([name]) => !['positions', 'rewards'].includes(name))),
        ),
      })),
    )
    expect(items[0]?.protocols.length).toBeGreaterThan(1)
    expect(summary.enrichment.contracts).toHaveProperty(PAIR)
  })

  it('a portfolio as of a ledger has what the account held at its end', async () => {
    const at = async (ledger: number) => soroswapOf((await portfolios(`addresses=${BOB},${ALICE}&as_of_ledger=${ledger}`)).items[1])
    // 500 and 1,000 of 4,000 shares in 4,500 USD.
    expect(await at(129)).toMatchObject({ deposited_usd: '562.5' })
    expect(await at(130)).toMatchObject({ deposited_usd: '1125' })
    expect(await at(100)).toBeUndefined()
  })

  it('a portfolio as of the last ledger equals the latest one', async () => {
    const { items } = await portfolios(`addresses=${ALICE},${BOB}`)
    const asOf = await portfolios(`addresses=${ALICE},${BOB}&as_of_ledger=220`)
    expect(asOf.items).toEqual(items)
  })

  it('a portfolio as of a ledger does not change, and an answer with later ledgers may', async () => {
    const cached = async (query: string) =>
      (await fixture.api.ask(`/v1/positions?addresses=${UNKNOWN_ACCOUNT}${query}`)).headers['cache-control']
    expect(await cached('&as_of_ledger=150')).toBe('private, max-age=3600')
    expect(await cached('')).toBe('private, max-age=1')
  })

  it('a ledger outside the index is answered with what is indexed', async () => {
    const { items, meta } = await portfolios(`addresses=${ALICE}&as_of_ledger=9999`)
    expect(items).toEqual((await portfolios(`addresses=${ALICE}`)).items)
    expect(meta.partial_result).toBe(true)
    expect(meta.warnings).toContainEqual(expect.objectContaining({ code: 'outside_index', path: null }))
  })

  it('warnings point at the item without a price in the portfolio that has it, and in a summary at the portfolio', async () => {
    // The pair holds NEW, whose decimals are unknown.
    const full = await portfolios(`addresses=${ALICE},${BOB}`)
    const [entry = 0] = full.items[1]?.protocols.flatMap(({ protocol_id }, n) => (protocol_id === 'soroswap' ? [n] : [])) ?? []
    const paths = (full.meta.warnings as { path: string }[]).map(({ path }) => path)
    expect(paths.some((path) => path.startsWith(`/portfolios/1/protocols/${entry}/positions/lp/0/`))).toBe(true)
    expect(soroswapOf(full.items[1])).toMatchObject({ positions: { lp: [{ asset_id: NEW_PAIR }] } })
    const summary = await portfolios(`addresses=${ALICE},${BOB}&view=summary`)
    expect(summary.meta.warnings).toContainEqual(expect.objectContaining({ code: 'unpriced_asset', path: '/portfolios/1' }))
    expect(summary.meta.partial_result).toBe(full.meta.partial_result)
  })
})
