// A pool of an AMM as a pool of any kind.

import { Decimal } from '@orrery/pricing'
import type { DecimalText, LpCurve, LpPool, ProtocolId } from '@orrery/protocol-kit'
import { wholeUnits } from '../amount.ts'
import { byAddress } from '../by-address.ts'
import { timestampOf } from '../timestamp.ts'
import { NO_RATES, type PoolEntry, typeOfLiquidity } from './pool-item.ts'
import type { PoolMetadata } from './pool-metadata.ts'

export interface LiquidityFacts {
  readonly protocol: ProtocolId
  /** With kind and fee. */
  readonly name: string
  /** Null where it was not read: the entry is then only good for what depends on no yield. */
  readonly volumes: { readonly day: DecimalText; readonly week: DecimalText } | null
  readonly curve: () => LpCurve | null
}

export function liquidityPoolEntry(pool: LpPool, { protocol, name, volumes, curve }: LiquidityFacts): PoolEntry {
  const tokens = pool.reserves.map(({ asset }) => ({ asset_id: asset.asset, symbol: asset.symbol, decimals: asset.decimals }))
  return {
    item: {
      pool_id: pool.pool,
      contract: pool.pool,
      protocol,
      name,
      type: typeOfLiquidity(pool.poolType),
      tokens,
      tvl_usd: pool.tvlUsd,
      volume_24h_usd: volumes?.day ?? null,
      volume_7d_usd: volumes?.week ?? null,
      fee_apy: pool.feeApy,
      reward_apy: rewardApy(pool),
      status: pool.status,
      created_ledger: null,
      reserves: byAddress(pool.reserves, ({ asset }) => asset.asset).map(({ asset, amount, usdValue }) => ({
        asset_id: asset.asset,
        symbol: asset.symbol,
        supplied: wholeUnits(amount, asset.decimals),
        borrowed: '0',
        supplied_usd: usdValue,
        borrowed_usd: '0',
        ...NO_RATES,
      })),
    },
    metadata: () => metadataOf(pool, curve()),
    prices: [...pool.reserves.flatMap(({ price }) => price ?? []), ...pool.emissions.flatMap(({ price }) => price ?? [])],
    isUnpriced: pool.unpricedAssets > 0,
    hasUnknownDecimals: tokens.some(({ decimals }) => decimals === null),
  }
}

/** Of all reward tokens together. Null when one has no price. */
function rewardApy({ emissions }: LpPool): DecimalText | null {
  let sum = new Decimal(0)
  for (const { apy } of emissions) {
    if (apy === null) return null
    sum = sum.plus(apy)
  }
  return sum.toFixed()
}

function metadataOf(pool: LpPool, curve: LpCurve | null): PoolMetadata {
  return {
    fee: pool.fee,
    fee_apr: pool.feeApr,
    share_asset: pool.shareAsset,
    share_supply: wholeUnits(pool.shareSupply, pool.shareDecimals),
    emissions: byAddress(pool.emissions, ({ asset }) => asset.asset).map(({ asset, tokensPerSecond, apy, endsAtSeconds, sources }) => ({
      asset_id: asset.asset,
      symbol: asset.symbol,
      tokens_per_second: wholeUnits(tokensPerSecond, asset.decimals),
      apy,
      ends_at: timestampOf(endsAtSeconds),
      sources: [...sources],
    })),
    amplification: curve?.kind === 'stable' ? curve.amplification.toString() : null,
    concentrated: curve?.kind === 'concentrated' ? concentratedOf(curve) : null,
  }
}

function concentratedOf({ sqrtPriceX96, tick, tickSpacing, liquidity, ticks }: Extract<LpCurve, { kind: 'concentrated' }>) {
  return {
    sqrt_price_x96: sqrtPriceX96.toString(),
    tick,
    tick_spacing: tickSpacing,
    liquidity: liquidity.toString(),
    ticks: ticks.map((end) => ({
      tick: end.tick,
      liquidity_gross: end.liquidityGross.toString(),
      liquidity_net: end.liquidityNet.toString(),
    })),
  }
}
