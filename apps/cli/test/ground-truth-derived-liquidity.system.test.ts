// Derived figures of Soroswap and Aquarius through `/v1`, at every checkpoint where the oracles were asked too (of the others no price is
// recorded): USD of reserves and positions, pool shares, net values, and Aquarius's emission APY. Sections 4.4 and 4.5 of the Aquarius
// reference, api-decisions 6 and 7. Payouts and rates are the contracts' own answers; USD and rates have 8 digits, each half up.

import type { ExpectedAnswer } from '@orrery/testkit'
import { afterAll, beforeAll, describe, it } from 'vitest'
import type { Answer } from './indexed-network.ts'
import { type Checkpoint, type Registry, readCheckpoints, readRegistry } from './truth/checkpoint.ts'
import { Compared } from './truth/compared.ts'
import { ExpectedLiquidityPool } from './truth/expected-liquidity.ts'
import { ExpectedPrices } from './truth/expected-prices.ts'
import { type Fraction, usdText } from './truth/fraction.ts'
import { each } from './truth/recorded.ts'
import { expectCounts, isSampled } from './truth/sampled.ts'
import { WholeNetwork } from './truth/whole-network.ts'

type Shown = Answer['data']

let whole: WholeNetwork
let checkpoints: Checkpoint[]
let registry: Registry

beforeAll(async () => {
  registry = readRegistry()
  checkpoints = (await readCheckpoints('oracle.', 'aquarius.', 'soroswap.', 'fxdao.core', 'fxdao.currency')).filter((at) =>
    ['oracle.lastprice', 'aquarius.pool', 'soroswap.pair', 'fxdao.core'].every((kind) => at.has(kind)),
  )
  whole = await WholeNetwork.open()
}, 900_000)

afterAll(() => whole[Symbol.asyncDispose]())

const sampled = (): Checkpoint[] => checkpoints.filter(({ ledger }) => isSampled(ledger))

const textOf = (usd: Fraction | null): string | null => (usd === null ? null : usdText(usd))

const POOL_KIND = { aquarius: 'aquarius.pool', soroswap: 'soroswap.pair' } as const
type Amm = keyof typeof POOL_KIND

function poolsAt(at: Checkpoint, protocol: Amm): Map<string, ExpectedLiquidityPool> {
  const prices = new ExpectedPrices(at, registry)
  return new Map(at.of(POOL_KIND[protocol]).map((line) => [line.contract, new ExpectedLiquidityPool(line, at, prices)]))
}

describe.each(['aquarius', 'soroswap'] as const)('pools of %s', (protocol) => {
  it(`the figures of a pool of ${protocol} are the USD of its stored reserves at the prices that are valid in it`, async () => {
    const compared = new Compared()
    await each(sampled(), async (at) => {
      const { data } = await whole.get(`/v1/protocols/${protocol}/reserves?as_of_ledger=${at.ledger}`)
      for (const [contract, pool] of poolsAt(at, protocol)) {
        for (const { asset, usd } of pool.reserves) {
          const shown = data.reserves.find((it: Shown) => it.contract === contract && it.asset_id === asset)
          compared.equal(
            usd === null ? 'unpriced' : 'reserve',
            { ledger: at.ledger, contract, asset },
            shown?.metadata.usd_value,
            textOf(usd),
          )
        }
      }
    })
    compared.print(`of derived figures of pools of ${protocol}`)
    expectCounts(`derived figures of pools of ${protocol}`, compared.counts.reserve ?? 0, protocol === 'aquarius' ? 2_702 : 1_544)
  }, 900_000)
})

describe('liquidity positions', () => {
  it('the figures of a position in Soroswap are the USD that its shares pay out, and its part of the supply', async () => {
    const compared = new Compared()
    await eachHolder('soroswap.shares', 'positions/soroswap', (at, lines, data) => {
      const pools = poolsAt(at, 'soroswap')
      for (const line of lines) {
        const shown = data.pairs.find((it: Shown) => it.pair_address === line.contract)
        const pool = pools.get(line.contract)
        const about = { ledger: at.ledger, address: line.address, contract: line.contract }
        if (shown === undefined || pool === undefined) {
          compared.equal('no position', about, '0', line.shares)
          continue
        }
        // A payout that the contract refused, or was not asked for, has no counterpart.
        if (!/^\d+$/.test(String(line.remove_amount_0))) {
          compared.count('without an answer')
          continue
        }
        const payout = [line.remove_amount_0, line.remove_amount_1].map((it) => BigInt(it as string))
        compared.equal('position', about, positionAsShown(shown), pool.position(payout, BigInt(line.shares as string)))
      }
    })
    compared.print('of derived figures of positions in Soroswap')
    expectCounts('derived figures of positions in Soroswap', compared.counts, {
      'no position': 9_841,
      position: 15_235,
      'without an answer': 400,
    })
  }, 900_000)

  it('the figures of a position in Aquarius are the USD that shares and ranges pay out, its part of the pool, and its rewards of a year', async () => {
    const compared = new Compared()
    await eachHolder('aquarius.user', 'positions/aquarius', (at, lines, data) => {
      const pools = poolsAt(at, 'aquarius')
      for (const line of lines) {
        const shown = data.pools.find((it: Shown) => it.pool_address === line.contract)
        const pool = pools.get(line.contract)
        const about = { ledger: at.ledger, address: line.address, contract: line.contract }
        const { raw_liquidity } = (line.snapshot ?? {}) as { readonly raw_liquidity?: string }
        if (shown === undefined || pool === undefined || shown.metadata.raw_amount === '0') {
          compared.equal('no position', about, '0', raw_liquidity ?? line.share_balance)
          continue
        }
        const payout = pool.payoutOf(line)
        // Not every range of the account was asked for, or the view failed by its own rules.
        if (payout === null) {
          compared.count('without an answer')
          continue
        }
        const expected = {
          ...pool.position(payout, BigInt(String(line.share_balance ?? 0))),
          emission_apy: textOf(pool.emissionApyOf(line, payout)),
        }
        compared.equal(pool.kind, about, { ...positionAsShown(shown), emission_apy: shown.emission_apy }, expected)
        if (expected.emission_apy !== '0') compared.count('with rewards')
      }
    })
    compared.print('of derived figures of positions in Aquarius')
    expectCounts('derived figures of positions in Aquarius', compared.counts, {
      stable: 1_920,
      concentrated: 1_819,
      constant_product: 2_858,
      'with rewards': 4_590,
      'no position': 2_473,
    })
  }, 900_000)
})

/** Every account asked at a checkpoint, with its lines and what `/v1` shows of it. */
async function eachHolder(
  kind: string,
  path: string,
  compare: (at: Checkpoint, lines: readonly ExpectedAnswer[], data: Shown) => void,
): Promise<void> {
  const questions = sampled().flatMap((at) =>
    [...Map.groupBy(at.of(kind), ({ address }) => String(address))].map(([address, lines]) => ({ at, address, lines })),
  )
  await each(
    questions,
    async ({ at, address, lines }) => {
      const { data } = await whole.get(`/v1/users/${address}/${path}?as_of_ledger=${at.ledger}`)
      compare(at, lines, data)
    },
    ({ at }) => at.ledger,
  )
}

function positionAsShown({ tokens, net_usd, pool_share_pct }: Shown): object {
  return { net_usd, pool_share_pct, tokens: Object.fromEntries(tokens.map((it: Shown) => [it.asset_address, it.usd_value])) }
}
