// A lending pool as a pool of any kind.

import type { LendingPool, LendingReserve, PoolAuction, SideEmission } from '@orrery/blend'
import type { ProtocolId } from '@orrery/protocol-kit'
import { wholeUnits } from '../amount.ts'
import { byAddress } from '../by-address.ts'
import { lendingBackstop } from '../lending-reserve.ts'
import type { PoolEntry, PoolReserve } from './pool-item.ts'
import type { PoolMetadata } from './pool-metadata.ts'

export function lendingPoolEntry(protocol: ProtocolId, pool: LendingPool, auctions: readonly PoolAuction[]): PoolEntry {
  const tokens = pool.reserves.map(({ asset }) => ({ asset_id: asset.asset, symbol: asset.symbol, decimals: asset.decimals }))
  return {
    item: {
      pool_id: pool.pool,
      contract: pool.pool,
      protocol,
      name: pool.name,
      type: 'lending',
      tokens,
      tvl_usd: pool.tvlUsd,
      volume_24h_usd: null,
      volume_7d_usd: null,
      fee_apy: null,
      reward_apy: null,
      status: pool.status,
      created_ledger: null,
      reserves: sortedReserves(pool).map(presentReserve),
    },
    metadata: () => metadataOf(pool, auctions),
    prices: pool.reserves.flatMap(({ price }) => price ?? []),
    isUnpriced: pool.unpricedAssets > 0,
    hasUnknownDecimals: tokens.some(({ decimals }) => decimals === null),
  }
}

const sortedReserves = ({ reserves }: LendingPool): LendingReserve[] => byAddress(reserves, ({ asset }) => asset.asset)

/** "0" where nothing is emitted. */
const emissionApy = (side: SideEmission | null): string | null => (side === null ? '0' : side.apy)

function presentReserve(reserve: LendingReserve): PoolReserve {
  const { asset, supplied, borrowed } = reserve
  return {
    asset_id: asset.asset,
    symbol: asset.symbol,
    supplied: wholeUnits(supplied, asset.decimals),
    borrowed: wholeUnits(borrowed, asset.decimals),
    supplied_usd: reserve.suppliedUsd,
    borrowed_usd: reserve.borrowedUsd,
    utilization: reserve.utilization,
    supply_apy: reserve.supplyApy,
    borrow_apy: reserve.borrowApy,
    supply_emission_apy: emissionApy(reserve.supplyEmission),
    borrow_emission_apy: emissionApy(reserve.borrowEmission),
  }
}

function metadataOf(pool: LendingPool, auctions: readonly PoolAuction[]): PoolMetadata {
  return {
    version: pool.version,
    admin: pool.admin,
    oracle_contract: pool.oracle,
    oracle_readable: pool.oracleReadable,
    backstop_take_rate: pool.backstopTakeRate,
    max_positions: pool.maxPositions,
    min_collateral: pool.minCollateral,
    reserves: sortedReserves(pool).map((reserve) => {
      const { asset, supplyCap, curve } = reserve
      return {
        asset_id: asset.asset,
        enabled: reserve.enabled,
        c_factor: reserve.cFactor,
        l_factor: reserve.lFactor,
        b_rate: reserve.bRate,
        d_rate: reserve.dRate,
        supply_cap: supplyCap === null ? null : wholeUnits(supplyCap, asset.decimals),
        borrow_cap: wholeUnits(reserve.borrowCap, asset.decimals),
        interest_curve: {
          target_utilization: reserve.targetUtilization,
          max_utilization: reserve.maxUtilization,
          base_rate: curve.base,
          rate_one: curve.one,
          rate_two: curve.two,
          rate_three: curve.three,
          reactivity: curve.reactivity,
          rate_modifier: reserve.rateModifier,
        },
      }
    }),
    backstop: lendingBackstop(pool),
    auctions: auctions.map(({ type, address, startLedger, bid, lot }) => ({
      type,
      address,
      start_ledger: startLedger,
      bid: rawByAsset(bid),
      lot: rawByAsset(lot),
    })),
  }
}

function rawByAsset(amounts: ReadonlyMap<string, bigint>): Record<string, string> {
  return Object.fromEntries(byAddress([...amounts], ([asset]) => asset).map(([asset, amount]) => [asset, amount.toString()]))
}
