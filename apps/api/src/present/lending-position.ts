// A position in a lending pool, as the page of the pool shows it: one balance for each asset and side, and the account's part of the backstop.

import type { BackstopPosition, LendingPosition, OwedBalance, SuppliedBalance } from '@orrery/blend'
import type { DecimalText } from '@orrery/protocol-kit'
import { z } from 'zod'
import { difference, sumOfPriced, wholeUnits } from './amount.ts'
import { byAddress } from './by-address.ts'
import { Claimable, presentClaimable } from './claimable.ts'
import { CostBasis, presentCostBasis } from './cost-basis.ts'
import { presentPrice, presentThreshold } from './price.ts'
import { ReadMetadata, withReadLedger } from './read-ledger.ts'
import { Timestamp, timestampOf } from './timestamp.ts'

const Balance = z
  .strictObject({
    asset_address: z.string(),
    base_apr: z.string().describe('Interest, simple.'),
    base_apy: z.string().describe('Interest, compounded: weekly for supply, daily for debt.'),
    emission_apy: z.string().describe('BLND on top. "0" also where it has no price, and the answer is partial then.'),
    symbol: z.string(),
    units: z.string(),
    usd_value: z.string().nullable(),
    decimals: z.int().nullable().describe("Null when the token's decimals are unknown; amounts are raw then."),
    cost_basis: CostBasis.nullable(),
    metadata: z
      .record(z.string(), z.unknown())
      .describe(
        'An addition: `raw_amount`, `share_amount`, `price_usd`, `price_source`, `liquidation_price`, `claimable` BLND; of supply also `collateral_units`. Of what was read through from an RPC: `as_of_ledger`, the ledger of its answer.',
      ),
  })
  .meta({ id: 'LendingBalance' })

const Queued = z.strictObject({ shares: z.string(), lp_tokens: z.string(), unlocks_at: Timestamp })

const BackstopShare = z
  .strictObject({
    shares: z.string().describe('What is not queued.'),
    lp_tokens: z.string().describe('What is not queued.'),
    usd_value: z.string().nullable().describe('Of everything, queued shares included.'),
    apr: z
      .string()
      .describe('Interest that the pool pays to its backstop. "0" also where it has no price, and the answer is partial then.'),
    queued: z.array(Queued),
    claimable: Claimable,
    metadata: ReadMetadata,
  })
  .meta({ id: 'BackstopShare' })

export const LendingPoolPosition = z
  .strictObject({
    pool_contract: z.string(),
    pool_id: z.string(),
    pool_name: z.string(),
    net_usd: z.string().describe('supplied - borrowed of what has a price, without the backstop.'),
    net_apy: z
      .string()
      .describe(
        '(supplied · apy - borrowed · apy) / net value, interest only; "0" where that is not above 0. Blend’s own page divides by the supplied value.',
      ),
    health_factor: z
      .string()
      .nullable()
      .describe(
        "Effective collateral / effective debt by the prices of the pool's own oracle; liquidation opens below 1. Null without debt, and while an asset of the position has no price. An estimate from the prices of other oracles where the own oracle cannot be read (`oracle_readable` false in the pool's reserves).",
      ),
    borrow_limit_pct: z.string().nullable().describe('100 / health factor. "0" without debt, null with debt and no collateral value.'),
    backstop: BackstopShare.nullable(),
    supply: z
      .array(Balance)
      .describe('Supply and collateral together, by asset; with zero units what was left while BLND is still to be claimed.'),
    borrow: z.array(Balance),
  })
  .meta({ id: 'LendingPoolPosition' })

/** The page of a pool in which the account has nothing. */
export function emptyPoolPosition(pool: string, name: string): z.input<typeof LendingPoolPosition> {
  return {
    pool_contract: pool,
    pool_id: pool,
    pool_name: name,
    net_usd: '0',
    net_apy: '0',
    health_factor: null,
    borrow_limit_pct: '0',
    backstop: null,
    supply: [],
    borrow: [],
  }
}

export function presentLendingPosition(position: LendingPosition, asOfLedger: number): z.input<typeof LendingPoolPosition> {
  return {
    pool_contract: position.pool,
    pool_id: position.pool,
    pool_name: position.poolName,
    net_usd: pricedNet(position),
    net_apy: position.netApy ?? '0',
    health_factor: position.healthFactor,
    borrow_limit_pct: position.borrowLimitPct,
    backstop: position.backstop === null ? null : presentBackstop(position.backstop),
    supply: byAddress(position.supply, ({ asset }) => asset.asset).map((balance) => presentSupplied(balance, position, asOfLedger)),
    borrow: byAddress(position.borrow, ({ asset }) => asset.asset).map((balance) => presentBalance(balance, position, asOfLedger)),
  }
}

/** With the ledger of what was read through, at each balance and at the backstop. `readAt` is asked for what is shown. */
export function poolWithReadLedger(
  shown: z.input<typeof LendingPoolPosition>,
  readAt: () => number | null,
): z.input<typeof LendingPoolPosition> {
  const { backstop, supply, borrow } = shown
  return {
    ...shown,
    backstop: backstop === null ? null : withReadLedger(backstop, readAt()),
    supply: supply.map((balance) => withReadLedger(balance, readAt())),
    borrow: borrow.map((balance) => withReadLedger(balance, readAt())),
  }
}

/** supplied - borrowed, of the balances that have a price. */
function pricedNet({ supply, borrow }: LendingPosition): DecimalText {
  return difference(sumOfPriced(supply.map((it) => it.usdValue)).sum, sumOfPriced(borrow.map((it) => it.usdValue)).sum)
}

/** Whether everything that belongs in the position's totals and rates is known. */
export function isComplete(position: LendingPosition): boolean {
  const yields = [...position.supply, ...position.borrow].filter(({ shares }) => shares > 0n).map((balance) => balance.emissionApy)
  const { backstop } = position
  return position.unpricedAssets === 0 && !yields.includes(null) && (backstop === null || backstop.apr !== null)
}

/** Of everything supplied of the asset, or of the debt. */
export function costBasisOf(
  { side, costBasis, usdValue, asset }: SuppliedBalance | OwedBalance,
  asOfLedger: number,
): z.input<typeof CostBasis> | null {
  return presentCostBasis(costBasis, usdValue, asset.decimals, asOfLedger, side === 'borrow')
}

function presentBalance(
  balance: SuppliedBalance | OwedBalance,
  { claimable: { asset: blnd } }: LendingPosition,
  asOfLedger: number,
): z.input<typeof Balance> {
  const { asset, amount, shares, usdValue } = balance
  return {
    asset_address: asset.asset,
    base_apr: balance.baseApr,
    base_apy: balance.baseApy,
    emission_apy: balance.emissionApy ?? '0',
    symbol: asset.symbol,
    units: wholeUnits(amount, asset.decimals),
    usd_value: usdValue,
    decimals: asset.decimals,
    cost_basis: costBasisOf(balance, asOfLedger),
    metadata: {
      raw_amount: amount.toString(),
      share_amount: wholeUnits(shares, asset.decimals),
      ...presentPrice(balance.price),
      liquidation_price: presentThreshold(balance.liquidationPrice),
      claimable: wholeUnits(balance.claimable, blnd.decimals),
    },
  }
}

function presentSupplied(balance: SuppliedBalance, position: LendingPosition, asOfLedger: number): z.input<typeof Balance> {
  const { collateral, asset } = balance
  const shown = presentBalance(balance, position, asOfLedger)
  return {
    ...shown,
    metadata: {
      ...shown.metadata,
      collateral_units: wholeUnits(collateral.amount, asset.decimals),
      collateral_share_amount: wholeUnits(collateral.shares, asset.decimals),
      collateral_usd: collateral.usdValue,
      c_factor: balance.cFactor,
    },
  }
}

function presentBackstop(backstop: BackstopPosition): z.input<typeof BackstopShare> {
  const { lpToken } = backstop
  return {
    shares: wholeUnits(backstop.shares, lpToken.decimals),
    lp_tokens: wholeUnits(backstop.lpTokens, lpToken.decimals),
    usd_value: backstop.totalUsd,
    apr: backstop.apr ?? '0',
    queued: presentQueued(backstop),
    claimable: presentClaimable(backstop.claimable),
  }
}

/** Shares that wait to be withdrawn, in the order of the contract: the oldest first. */
export function presentQueued({ queued, lpToken }: BackstopPosition): z.input<typeof Queued>[] {
  return queued.map(({ shares, lpTokens, unlocksAtSeconds }) => ({
    shares: wholeUnits(shares, lpToken.decimals),
    lp_tokens: wholeUnits(lpTokens, lpToken.decimals),
    unlocks_at: timestampOf(unlocksAtSeconds),
  }))
}
