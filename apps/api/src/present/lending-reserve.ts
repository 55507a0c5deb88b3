// A lending pool as protocol data: its reserves with interest accrued to the ledger of the answer, its backstop, and its emissions.

import type { LendingBackstop, LendingPool, LendingReserve, SideEmission } from '@orrery/blend'
import { wholeUnits } from './amount.ts'
import { byAddress } from './by-address.ts'
import type { EmissionPool } from './emission.ts'
import { presentPrice } from './price.ts'
import type { Backstop, Reserve } from './reserve.ts'

/** One for each asset of the pool, by address. */
export function lendingReserves(pool: LendingPool): Reserve[] {
  return byAddress(pool.reserves, ({ asset }) => asset.asset).map((reserve) => presentReserve(reserve, pool))
}

function presentReserve(reserve: LendingReserve, pool: LendingPool): Reserve {
  const { asset, cash, supplyCap } = reserve
  const units = (raw: bigint): string => wholeUnits(raw, asset.decimals)
  return {
    asset_id: asset.asset,
    asset_symbol: asset.symbol,
    b_rate: reserve.bRate,
    borrow_apr: reserve.borrowApr,
    borrow_apy: reserve.borrowApy,
    borrow_cap: units(reserve.borrowCap),
    c_factor: reserve.cFactor,
    contract: pool.pool,
    d_rate: reserve.dRate,
    decimals: asset.decimals,
    l_factor: reserve.lFactor,
    ledger: reserve.ledger,
    metadata: {
      kind: 'lending',
      index: reserve.index,
      enabled: reserve.enabled,
      ...presentPrice(reserve.price),
      supplied_usd: reserve.suppliedUsd,
      borrowed_usd: reserve.borrowedUsd,
      b_supply: units(reserve.bSupply),
      d_supply: units(reserve.dSupply),
      raw_total_supplied: reserve.supplied.toString(),
      raw_total_borrowed: reserve.borrowed.toString(),
      backstop_credit: units(reserve.backstopCredit),
      cash: cash === null ? null : units(cash),
      target_utilization: reserve.targetUtilization,
      max_utilization: reserve.maxUtilization,
      rate_modifier: reserve.rateModifier,
      oracle_readable: pool.oracleReadable,
    },
    oracle_contract: pool.oracle,
    // A disabled reserve takes no supply and no borrow, while the pool stays active.
    status: reserve.enabled || pool.status !== 'active' ? pool.status : 'paused',
    supply_apr: reserve.supplyApr,
    supply_apy: reserve.supplyApy,
    supply_cap: supplyCap === null ? '0' : units(supplyCap),
    total_borrowed: units(reserve.borrowed),
    total_supplied: units(reserve.supplied),
    utilization: reserve.utilization,
  }
}

export function lendingBackstop({ pool, backstop }: LendingPool): Backstop {
  const { lpToken, blnd, usdc } = backstop
  return {
    backstop_contract: backstop.backstop,
    blnd_amount: wholeUnits(backstop.blndAmount ?? 0n, blnd.decimals),
    contract: pool,
    ledger: backstop.ledger,
    lp_tokens: wholeUnits(backstop.lpTokens, lpToken.decimals),
    metadata: {
      lp_token: lpToken.asset,
      ...presentPrice(backstop.lpPrice),
      apr: backstop.apr,
      emission_apy: backstop.emissionApy,
      in_reward_zone: backstop.inRewardZone,
      tokens_per_second: backstop.tokensPerSecond,
    },
    q4w_pct: backstop.queuedPct,
    q4w_shares: wholeUnits(backstop.queuedShares, lpToken.decimals),
    shares: wholeUnits(backstop.shares, lpToken.decimals),
    usd_value: backstop.usdValue,
    usdc_amount: wholeUnits(backstop.usdcAmount ?? 0n, usdc.decimals),
  }
}

/** Whether every value that belongs in reserves and backstops is known. */
export function isPoolComplete({ unpricedAssets, backstop }: LendingPool): boolean {
  return unpricedAssets === 0 && isBackstopComplete(backstop)
}

function isBackstopComplete({ lpTokens, usdValue, blndAmount, usdcAmount }: LendingBackstop): boolean {
  return lpTokens === 0n || (usdValue !== null && blndAmount !== null && usdcAmount !== null)
}

/** The reserves that ever had emissions; the rates of one whose emissions have ended are 0. */
export function lendingEmissions(pool: LendingPool): EmissionPool {
  const emitting = byAddress(pool.reserves, ({ asset }) => asset.asset).filter(
    (reserve) => reserve.supplyEmission !== null || reserve.borrowEmission !== null,
  )
  return {
    pool_id: pool.pool,
    pool_name: pool.name,
    assets: emitting.map(({ asset, supplyEmission, borrowEmission }) => ({
      asset_address: asset.asset,
      symbol: asset.symbol,
      borrow_emission_apy: borrowEmission?.apy ?? '0',
      borrow_tokens_per_second: borrowEmission?.tokensPerSecond ?? '0',
      supply_emission_apy: supplyEmission?.apy ?? '0',
      supply_tokens_per_second: supplyEmission?.tokensPerSecond ?? '0',
    })),
  }
}

/** Whether the APY of every emission of the pool is known. */
export function areEmissionsPriced({ reserves }: LendingPool): boolean {
  const priced = (side: SideEmission | null): boolean => side === null || side.apy !== null
  return reserves.every((reserve) => priced(reserve.supplyEmission) && priced(reserve.borrowEmission))
}
