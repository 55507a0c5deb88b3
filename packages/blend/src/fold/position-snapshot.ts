// A position at the end of a ledger. It has the values, and what series over several pools need: effective collateral and
// liabilities, shares, and the backstop. Of a closed position all values are zero.

import { usdSumOfPriced } from '@orrery/fold-kit'
import type { Address } from '@orrery/ledger'
import type { PositionSnapshotRow, Slice } from '@orrery/protocol-kit'
import type { AccountState } from '../state/state.ts'
import type { ValuedAccount, ValuedBalance } from '../view/account-value.ts'
import { healthFactor, netApy } from '../view/health.ts'
import { usdOrNull, type ValuedPool } from '../view/valuation.ts'

export function positionSnapshot(
  address: Address,
  account: AccountState,
  worth: ValuedAccount,
  valued: ValuedPool,
  slice: Slice,
  heartbeat: boolean,
): PositionSnapshotRow {
  // Parts without a price are left out, as in the account's position now.
  const supplied = worth.supply.map(({ usd }) => usd)
  const borrowed = worth.borrow.map(({ usd }) => usd)
  const backstops = worth.backstopShares === 0n ? [] : [worth.backstopUsd]
  return {
    protocol: slice.protocol,
    address,
    pool: valued.pool.pool,
    ledger: slice.ledger,
    closeTimeSeconds: slice.closeTimeSeconds,
    heartbeat,
    open: worth.open,
    suppliedUsd: usdOrNull(usdSumOfPriced(supplied)),
    borrowedUsd: usdOrNull(usdSumOfPriced(borrowed)),
    depositedUsd: usdOrNull(usdSumOfPriced([...supplied, ...backstops])),
    netUsd: usdOrNull(usdSumOfPriced([...supplied, ...borrowed.map((usd) => (usd === null ? null : -usd))])),
    effectiveCollateralUsd: usdOrNull(worth.effectiveCollateralUsd),
    effectiveLiabilitiesUsd: usdOrNull(worth.effectiveLiabilitiesUsd),
    netApy: netApy(worth),
    unpricedAssets: worth.unpricedAssets,
    shares: 0n,
    native: {
      health_factor: healthFactor(worth, valued),
      supply: byAsset(worth.supply, suppliedBalance),
      borrow: byAsset(worth.borrow, owedBalance),
      backstop: backstop(account, worth),
    },
  }
}

type BalanceJson = Readonly<Record<string, string | null>>

function byAsset(balances: readonly ValuedBalance[], json: (balance: ValuedBalance) => BalanceJson): Readonly<Record<string, BalanceJson>> {
  const byAsset: Record<string, BalanceJson> = {}
  for (const balance of balances) byAsset[balance.reserve.asset] = json(balance)
  return byAsset
}

function suppliedBalance({ shares, amount, usd, collateralShares, collateralAmount }: ValuedBalance): BalanceJson {
  return {
    shares: shares.toString(),
    amount: amount.toString(),
    usd_value: usdOrNull(usd),
    collateral_shares: collateralShares.toString(),
    collateral_amount: collateralAmount.toString(),
  }
}

function owedBalance({ shares, amount, usd }: ValuedBalance): BalanceJson {
  return { shares: shares.toString(), amount: amount.toString(), usd_value: usdOrNull(usd) }
}

/** Null without shares. */
function backstop({ backstop: user }: AccountState, worth: ValuedAccount): Readonly<Record<string, string | null>> | null {
  if (user === null || worth.backstopShares === 0n) return null
  return {
    shares: user.value.shares.toString(),
    queued_shares: (worth.backstopShares - user.value.shares).toString(),
    lp_tokens: worth.backstopLp.toString(),
    usd_value: usdOrNull(worth.backstopUsd),
  }
}
