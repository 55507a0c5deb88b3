// Prices of assets against the recorded answers of the oracles and pools (truth/expected-prices.ts): as of a ledger, and as points over time.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Checkpoint, type Registry, readCheckpoints, readRegistry } from './truth/checkpoint.ts'
import { Compared } from './truth/compared.ts'
import { ExpectedPrices, priceText } from './truth/expected-prices.ts'
import { each } from './truth/recorded.ts'
import { isSampled } from './truth/sampled.ts'
import { WholeNetwork } from './truth/whole-network.ts'

let whole: WholeNetwork
/** Where the oracles, the pools that prices are implied by, and the rates of FxDAO were asked. */
let checkpoints: Checkpoint[]
let registry: Registry
/** Assets that both the registry and the index know, as `/v1/assets` lists them. */
let assets: string[]

beforeAll(async () => {
  registry = readRegistry()
  const all = await readCheckpoints('oracle.', 'aquarius.pool', 'soroswap.pair', 'fxdao.', 'blend.')
  const needed = ['oracle.lastprice', 'aquarius.pool', 'soroswap.pair', 'fxdao.core', 'blend.comet']
  checkpoints = all.filter((at) => isSampled(at.ledger) && needed.every((kind) => at.has(kind)))
  whole = await WholeNetwork.open()
  assets = (await listed()).filter((id) => id in registry.assets)
}, 900_000)

afterAll(() => whole[Symbol.asyncDispose]())

interface Shown {
  readonly asset_id: string
  readonly price_usd: string | null
  readonly price_source: string | null
  readonly price_observed_at: string | null
}

/** Every page of `/v1/assets`. */
async function listed(cursor = ''): Promise<string[]> {
  const { data } = await whole.get(`/v1/assets?limit=7${cursor}`)
  const ids = data.assets.map((asset: Shown) => asset.asset_id)
  return data.next_cursor === null ? ids : [...ids, ...(await listed(`&cursor=${data.next_cursor}`))]
}

const pricesAt = async (ledger: number, ids: readonly string[]): Promise<Shown[]> =>
  (await whole.get(`/v1/prices?assets=${ids}&as_of_ledger=${ledger}`)).data.prices
const textOf = (seconds: number): string => new Date(seconds * 1_000).toISOString().replace('.000', '')

describe('the price of an asset as of a ledger', () => {
  it('is that of the first oracle of the registry that answered, else that of a pool', async () => {
    const compared = new Compared()
    await each(checkpoints, async (at) => {
      const prices = new ExpectedPrices(at, registry)
      for (const shown of await pricesAt(at.ledger, Object.keys(registry.assets))) {
        const code = registry.assets[shown.asset_id]?.code ?? ''
        const expected = priceText(prices.inBlend(shown.asset_id))
        compared.equal(code, { ledger: at.ledger, asset: shown.asset_id }, [shown.price_usd, shown.price_source], expected)
      }
    })
    compared.print('of prices of assets')
    expect(compared.counts).toMatchObject({ XLM: checkpoints.length, USDC: checkpoints.length, AQUA: checkpoints.length })
  }, 900_000)
})

describe('the prices of an asset over time', () => {
  const pointsOf = async (asset: string, query: string) => (await whole.get(`/v1/assets/${asset}/prices?${query}`)).data.points

  it('have at a ledger that brought one the price that the recorded answers give', async () => {
    const compared = new Compared()
    await each(checkpoints, async (at) => {
      const prices = new ExpectedPrices(at, registry)
      const instant = textOf(at.closeTime)
      for (const asset of assets) {
        for (const point of await pointsOf(asset, `from=${instant}&to=${instant}`)) {
          const code = registry.assets[asset]?.code ?? ''
          compared.equal(code, { ledger: at.ledger, asset }, [point.price_usd, point.price_source], priceText(prices.ofNetwork(asset)))
        }
      }
    })
    compared.print('of points of prices')
    expect(Object.keys(compared.counts)).not.toEqual([])
  }, 900_000)

  it('have in each bucket the price as of the ledger that they name', async () => {
    const compared = new Compared()
    await each(assets, async (asset) => {
      const points = await pointsOf(asset, 'range=7d&interval=1h')
      for (const point of points.filter((_: unknown, n: number) => n % 48 === 0 || n === points.length - 1)) {
        const [shown] = await pricesAt(point.ledger, [asset])
        const code = registry.assets[asset]?.code ?? ''
        compared.equal(
          code,
          { ledger: point.ledger, asset },
          [point.price_usd, point.price_source, point.observed_at],
          [shown?.price_usd, shown?.price_source, shown?.price_observed_at],
        )
      }
    })
    compared.print('of points in buckets')
    // Every asset that is listed and has a price has a point.
    expect(Object.keys(compared.counts)).toEqual(expect.arrayContaining(['XLM', 'USDC', 'AQUA', 'EURC']))
  }, 900_000)
})
