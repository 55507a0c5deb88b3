// Compares the figures of this folder with the vectors beside the repository, if that folder exists.

import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { sharedDir } from '../recording.ts'
import { AGGREGATORS, CEX_ROUNDS, DEX_ROUNDS, FIXED_POOL, mainnet } from './index.ts'

const file = join(sharedDir() ?? '', 'reference/vectors/mainnet-blend-2026.json')
const names: Readonly<Record<string, string>> = { [mainnet.xlm]: 'XLM', [mainnet.usdc]: 'USDC', [mainnet.eurc]: 'EURC' }

interface Vectors {
  readonly rounds: readonly { readonly feed: string; readonly timestamp_ms: number; readonly prices: Readonly<Record<string, string>> }[]
  readonly aggregators: readonly {
    readonly contract: string
    readonly decimals: number
    readonly max_age_seconds: number
    readonly assets?: Readonly<Record<string, { readonly max_dev: number; readonly feed_asset?: string }>>
    readonly base_assets_priced_one?: readonly string[]
  }[]
  readonly fixed_pool_at_ledger_64271347: {
    readonly close_time: number
    readonly price_timestamp: number
    readonly prices: Readonly<Record<string, string>>
    readonly config: Readonly<Record<string, string | number>>
    readonly reserves: Readonly<Record<string, Readonly<Record<'config' | 'entry' | 'get_reserve', Readonly<Record<string, unknown>>>>>>
    readonly users: readonly {
      readonly account: string
      readonly collateral: Readonly<Record<string, string>>
      readonly liabilities: Readonly<Record<string, string>>
      readonly at_get_reserve_rates: { readonly health_factor: string }
    }[]
  }
}

const texts = (of: Readonly<Record<string, bigint>>) => Object.fromEntries(Object.entries(of).map(([name, value]) => [name, String(value)]))

describe.runIf(existsSync(file))('the figures of mainnet in the testkit (from ../shared)', () => {
  const vectors = (): Vectors => JSON.parse(readFileSync(file, 'utf8'))
  const pool = () => vectors().fixed_pool_at_ledger_64271347

  it('the rounds of both feeds are the published ones', () => {
    const rounds = (feed: string) =>
      vectors()
        .rounds.filter((round) => round.feed === feed)
        .map(({ timestamp_ms, prices }) => [timestamp_ms / 1000, prices])
    const ours = [...CEX_ROUNDS.april2025, ...CEX_ROUNDS.june2026].map(({ seconds, prices }) => [seconds, texts(prices)])
    expect(ours).toEqual(rounds('cex'))
    expect(DEX_ROUNDS.map(({ seconds, prices }) => [seconds, texts(prices)])).toEqual(rounds('dex'))
  })

  it('the settings of the aggregators are the published ones', () => {
    for (const { contract, decimals, maxAgeSeconds, assets, baseAssets } of Object.values(AGGREGATORS)) {
      const theirs = vectors().aggregators.find((it) => it.contract === contract)
      expect({ contract, decimals, maxAgeSeconds }).toEqual({
        contract,
        decimals: theirs?.decimals,
        maxAgeSeconds: theirs?.max_age_seconds,
      })
      expect(baseAssets).toEqual(theirs?.base_assets_priced_one ?? [])
      for (const { token, maxDeviationPct } of assets)
        if (theirs?.assets !== undefined) expect([token, maxDeviationPct]).toEqual([token, theirs.assets[token]?.max_dev])
    }
  })

  it('the Fixed pool, its answers and its accounts are the published ones', () => {
    const { close_time, price_timestamp, prices, config, reserves, users } = pool()
    expect([FIXED_POOL.closeTimeSeconds, FIXED_POOL.priceSeconds, texts(FIXED_POOL.prices)]).toEqual([close_time, price_timestamp, prices])
    expect(config).toEqual({
      bstop_rate: FIXED_POOL.backstopTakeRate,
      status: FIXED_POOL.status,
      max_positions: FIXED_POOL.maxPositions,
      min_collateral: String(FIXED_POOL.minCollateral),
    })
    for (const { name, asset, config: ours, stored, answered } of FIXED_POOL.reserves) {
      const theirs = reserves[name]
      expect(names[asset]).toBe(name)
      if (theirs?.config !== undefined) expect(theirs.config).toMatchObject(ours)
      expect(theirs?.entry).toEqual({
        d_rate: String(stored.dRate),
        b_rate: String(stored.bRate),
        ir_mod: String(stored.rateModifier),
        b_supply: String(stored.bSupply),
        d_supply: String(stored.dSupply),
        backstop_credit: String(stored.backstopCredit),
        last_time: Number(stored.lastTime),
      })
      expect(theirs?.get_reserve).toMatchObject({
        d_rate: String(answered.dRate),
        b_rate: String(answered.bRate),
        ir_mod: String(answered.rateModifier),
        backstop_credit: String(answered.backstopCredit),
      })
    }
    expect(
      FIXED_POOL.accounts.map(({ address, collateral, liabilities, healthFactor }) => [
        address,
        texts(collateral),
        texts(liabilities),
        String(healthFactor),
      ]),
    ).toEqual(users.map((user) => [user.account, user.collateral, user.liabilities, user.at_get_reserve_rates.health_factor]))
  })
})
