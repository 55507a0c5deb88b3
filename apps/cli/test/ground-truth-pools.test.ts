// Pools through `/v1` against the contracts' answers: the list at the last ledger, where every contract was asked, and histories at
// checkpoints that are the first ledger of an hour, where every pool has a snapshot.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Checkpoint, type Registry, readCheckpoints, readRegistry, type Words } from './truth/checkpoint.ts'
import { isFirstOfHour } from './truth/close-times.ts'
import { Compared } from './truth/compared.ts'
import { type ExpectedEmission, ExpectedPool, type ExpectedReserve, usdValueOf } from './truth/expected-blend.ts'
import { ExpectedLiquidityPool } from './truth/expected-liquidity.ts'
import { ExpectedPrices } from './truth/expected-prices.ts'
import { Fraction, sum, usdText } from './truth/fraction.ts'
import { each } from './truth/recorded.ts'
import { isSampled } from './truth/sampled.ts'
import { WholeNetwork } from './truth/whole-network.ts'

let whole: WholeNetwork
let registry: Registry
/** The last ledger of the recording. */
let last: Checkpoint
let hours: Checkpoint[]
let listed: Pool[]

interface Reserve {
  readonly asset_id: string
  readonly supplied: string
  readonly borrowed: string
  readonly supplied_usd: string | null
}

interface Pool {
  readonly pool_id: string
  readonly protocol: string
  readonly type: string
  readonly tvl_usd: string
  readonly reserves: readonly Reserve[]
}

const KINDS = ['oracle.lastprice', 'blend.pool', 'aquarius.pool', 'soroswap.pair', 'fxdao.core']

beforeAll(async () => {
  registry = readRegistry()
  whole = await WholeNetwork.open()
  const all = (await readCheckpoints('oracle.', 'blend.', 'aquarius.pool', 'soroswap.pair', 'fxdao.')).filter((at) =>
    KINDS.every((kind) => at.has(kind)),
  )
  last = all.at(-1) as Checkpoint
  const isFirst = await Promise.all(all.map(({ ledger, closeTime }) => isFirstOfHour(whole, ledger, closeTime)))
  hours = all.filter((_, n) => isFirst[n])
  listed = await pages('')
}, 900_000)

afterAll(() => whole[Symbol.asyncDispose]())

/** Every page of the list, seven pools a page. */
async function pages(query: string, cursor = ''): Promise<Pool[]> {
  const { data, meta } = await whole.get(`/v1/pools?limit=7${query}${cursor}`)
  expect(meta.last_indexed_ledger).toBe(last.ledger)
  return data.next_cursor === null ? data.pools : [...data.pools, ...(await pages(query, `&cursor=${data.next_cursor}`))]
}

const decimalsOf = (asset: string): number => registry.assets[asset]?.decimals ?? 0
const units = (raw: unknown, asset: string): string => usdText(Fraction.units(BigInt(String(raw)), decimalsOf(asset)))
const byText = (a: string, b: string): number => (a < b ? -1 : Number(a > b))
const of = (protocol: string): Pool[] => listed.filter((pool) => pool.protocol === protocol)

/** Token and amount of each reserve that the contract stores, by token. */
function storedReserves(line: ReturnType<Checkpoint['only']>): string[][] {
  const isPair = line.kind === 'soroswap.pair'
  const tokens = isPair ? [String(line.token_0), String(line.token_1)] : (line.tokens as string[])
  const amounts = isPair ? [line.reserve_0, line.reserve_1] : (line.stored_reserves as unknown[])
  return tokens.map((token, n) => [token, units(amounts[n], token)]).sort(([a = ''], [b = '']) => byText(a, b))
}

const emissionApy = (side: ExpectedEmission | null): string | null => (side === null ? '0' : side.apy === null ? null : usdText(side.apy))

/** What a list or a point shows of a lending reserve. */
function lendingReserve(it: ExpectedReserve) {
  const usd = (raw: bigint): string | null => {
    const value = usdValueOf(raw, it.price, it.decimals)
    return value === null ? null : usdText(value)
  }
  return {
    asset_id: it.asset,
    supplied: units(it.supplied, it.asset),
    borrowed: units(it.borrowed, it.asset),
    supplied_usd: usd(it.supplied),
    borrowed_usd: usd(it.borrowed),
    utilization: usdText(it.utilization),
    supply_apy: usdText(it.supplyApy),
    borrow_apy: usdText(it.borrowApy),
    supply_emission_apy: emissionApy(it.supplyEmission),
    borrow_emission_apy: emissionApy(it.borrowEmission),
  }
}

const lendingReserves = (pool: ExpectedPool) =>
  [...pool.reserves.values()].sort((a, b) => byText(a.asset, b.asset)).map((it) => expect.objectContaining(lendingReserve(it)))

const lendingTvl = (pool: ExpectedPool): string => {
  const known = (side: 'supplied' | 'borrowed') =>
    [...pool.reserves.values()].flatMap((it) => usdValueOf(it[side], it.price, it.decimals) ?? [])
  return usdText(sum(known('supplied')).minus(sum(known('borrowed'))))
}

/** A contract with a pool's code that no factory made is asked too, and is no pool of the index. */
const factoryPools = (at: Checkpoint) => at.of('blend.pool').filter((line) => line.from_factory === true)

const AMM = { aquarius: 'aquarius.pool', soroswap: 'soroswap.pair' } as const

describe('the list of pools', () => {
  it('has the reserves, rates and values of the lending pools that their contracts answer', () => {
    const prices = new ExpectedPrices(last, registry)
    const expected = factoryPools(last).map((line) => new ExpectedPool(line, last, prices))
    const shown = new Map(of('blend').map((pool) => [pool.pool_id, pool]))
    expect([...shown.keys()].sort()).toEqual(expected.map(({ line }) => line.contract).sort())
    for (const pool of expected) {
      expect(shown.get(pool.line.contract)).toMatchObject({ tvl_usd: lendingTvl(pool), reserves: lendingReserves(pool) })
    }
  })

  it.each(['aquarius', 'soroswap'] as const)('has the reserves and values of the pools of %s that their contracts answer', (protocol) => {
    const prices = new ExpectedPrices(last, registry)
    const lines = last.of(AMM[protocol])
    const shown = new Map(of(protocol).map((pool) => [pool.pool_id, pool]))
    expect([...shown.keys()].sort()).toEqual(lines.map(({ contract }) => contract).sort())
    for (const line of lines) {
      const pool = shown.get(line.contract)
      expect(
        pool?.reserves.map(({ asset_id, supplied }) => [asset_id, supplied]),
        line.contract,
      ).toEqual(storedReserves(line))
      expect(pool?.tvl_usd, line.contract).toBe(usdText(new ExpectedLiquidityPool(line, last, prices).tvl))
    }
  })

  it('has the collateral and the debt of the vaults of each currency', () => {
    const { col_token: collateral = '' } = last.only('fxdao.core').core_state as Words
    const lines = last.of('fxdao.currency')
    const shown = of('fxdao').filter(({ type }) => type === 'vault')
    expect(shown.map(({ pool_id }) => pool_id).sort()).toEqual(lines.map((it) => `fxdao:${it.denomination}`).sort())
    for (const line of lines) {
      const totals = line.vaults_info as Words
      const reserves = shown.find(({ pool_id }) => pool_id === `fxdao:${line.denomination}`)?.reserves ?? []
      expect(reserves.find(({ asset_id }) => asset_id === collateral)?.supplied).toBe(units(totals.total_col, collateral))
      expect(reserves.map(({ borrowed }) => borrowed)).toContain(usdText(Fraction.units(BigInt(totals.total_debt ?? ''), 7)))
    }
  })

  it('of each protocol adds up to its reserves, and with what is staked to its TVL', async () => {
    for (const protocol of ['blend', 'aquarius', 'soroswap', 'fxdao']) {
      const { data } = await whole.get(`/v1/protocols/${protocol}/reserves?as_of_ledger=${last.ledger}`)
      const { metadata = {} } = data.reserves[0] ?? {}
      const names =
        'supplied_usd' in metadata ? ['supplied_usd', 'borrowed_usd'] : ['collateral_usd' in metadata ? 'collateral_usd' : 'usd_value']
      const total = (name = '') => sum(data.reserves.map((it: { metadata: Words }) => Fraction.of(it.metadata[name] ?? '0')))
      const [held, owed] = [total(names[0]), names[1] === undefined ? Fraction.of(0) : total(names[1])]
      const pools = of(protocol).filter(({ type }) => type !== 'staking')
      expect(usdText(sum(pools.map(({ tvl_usd }) => Fraction.of(tvl_usd)))), protocol).toBe(usdText(held.minus(owed)))
      const { data: tvl } = await whole.get(`/v1/protocols/${protocol}/tvl`)
      const { ledger, value_at, tvl_usd } = tvl.points.at(-1)
      const value = usdText(sum(of(protocol).map((pool) => Fraction.of(pool.tvl_usd))))
      expect([ledger, Date.parse(value_at) / 1_000, tvl_usd], protocol).toEqual([last.ledger, last.closeTime, value])
    }
  })

  it.each(['tvl', 'volume', 'apy'])('has each pool once in the pages by %s', async (sort) => {
    expect((await pages(`&sort=${sort}`)).map(({ pool_id }) => pool_id).sort()).toEqual(listed.map(({ pool_id }) => pool_id).sort())
  })
})

const metadataOf = async (pool: string) => (await whole.get(`/v1/pools/${pool}`)).data.metadata

describe('a pool alone', () => {
  it('has the price, the liquidity and the amplification that contracts of Aquarius answer', async () => {
    const kinds = new Set<string>()
    for (const line of last.of('aquarius.pool')) {
      const { amplification, concentrated } = await metadataOf(line.contract)
      kinds.add(String(line.pool_type))
      expect(amplification, line.contract).toBe(line.a ?? null)
      if (line.pool_type !== 'concentrated') expect(concentrated, line.contract).toBeNull()
      else {
        const { sqrt_price_x96, tick } = line.slot0 as Words
        expect(concentrated, line.contract).toMatchObject({
          sqrt_price_x96,
          tick: Number(tick),
          tick_spacing: Number(line.tick_spacing),
          liquidity: line.active_liquidity,
        })
      }
    }
    expect([...kinds].sort()).toEqual(['concentrated', 'constant_product', 'stable'])
  })

  it('has the interest curves and the open auctions that contracts of Blend answer', async () => {
    const auctions = last.of('blend.auction')
    expect(auctions.length).toBeGreaterThan(0)
    const types = ['user_liquidation', 'bad_debt', 'interest']
    for (const { contract } of factoryPools(last)) {
      const shown = await metadataOf(contract)
      expect(shown.auctions.map((it: Record<string, unknown>) => [it.type, it.start_ledger, it.bid, it.lot])).toEqual(
        auctions
          .filter((line) => line.contract === contract)
          .map((line) => {
            const { block, bid, lot } = line.get_auction as Record<string, unknown>
            return [types[Number(line.auction_type)], Number(block), bid, lot]
          }),
      )
      for (const line of last.of('blend.reserve').filter((it) => it.contract === contract)) {
        const config = line.config as Words
        const fraction = (raw = '') => usdText(new Fraction(BigInt(raw), 10_000_000n))
        expect(shown.reserves.find((it: Reserve) => it.asset_id === line.asset)?.interest_curve).toMatchObject({
          target_utilization: fraction(config.util),
          max_utilization: fraction(config.max_util),
          base_rate: fraction(config.r_base),
          rate_one: fraction(config.r_one),
          rate_two: fraction(config.r_two),
          rate_three: fraction(config.r_three),
          reactivity: fraction(config.reactivity),
        })
      }
    }
  })
})

describe('the history of a pool', () => {
  it('has the recorded values and reserves at the first ledgers of hours, and those of a protocol add up to its TVL', async () => {
    const compared = new Compared()
    await each(
      hours.filter(({ ledger }) => isSampled(ledger)),
      async (at) => {
        const prices = new ExpectedPrices(at, registry)
        const instant = new Date(at.closeTime * 1_000).toISOString()
        const pointOf = async (pool: string) => {
          const { data } = await whole.get(`/v1/pools/${pool}/history?from=${instant}&to=${instant}`)
          expect(data.points).toHaveLength(1)
          return data.points[0]
        }
        for (const line of factoryPools(at)) {
          const pool = new ExpectedPool(line, at, prices)
          const { ledger, tvl_usd, reserves } = await pointOf(line.contract)
          const about = { ledger: at.ledger, pool: line.contract }
          compared.equal('lending', about, [ledger, tvl_usd, reserves], [at.ledger, lendingTvl(pool), lendingReserves(pool)])
        }
        for (const protocol of ['aquarius', 'soroswap'] as const) {
          const values: Fraction[] = []
          for (const line of at.of(AMM[protocol])) {
            const { ledger, tvl_usd, reserves } = await pointOf(line.contract)
            const stored = reserves.map(({ asset_id, supplied }: Reserve) => [asset_id, supplied])
            const { tvl } = new ExpectedLiquidityPool(line, at, prices)
            const about = { ledger: at.ledger, pool: line.contract }
            compared.equal(protocol, about, [ledger, tvl_usd, stored], [at.ledger, usdText(tvl), storedReserves(line)])
            values.push(Fraction.of(tvl_usd))
          }
          const day = instant.slice(0, 10)
          const { data } = await whole.get(`/v1/protocols/${protocol}/tvl?from=${day}T00:00:00Z&as_of_ledger=${at.ledger}`)
          compared.equal('TVL', { protocol, ledger: at.ledger }, data.points.at(-1).tvl_usd, usdText(sum(values)))
        }
      },
    )
    compared.print('of points of pools')
    expect(Object.values(compared.counts).every((count) => count > 0)).toBe(true)
    expect(Object.keys(compared.counts).sort()).toEqual(['TVL', 'aquarius', 'lending', 'soroswap'])
  }, 900_000)
})
