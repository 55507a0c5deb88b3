// The vaults of a currency, and a contract of locked stakes, as pools of any kind.

import { type CurrencyReserve, type LockedReserve, poolOfCurrency } from '@orrery/fxdao'
import type { ContractId } from '@orrery/ledger'
import type { AssetInfo, ProtocolId, TokenAmount } from '@orrery/protocol-kit'
import { sumOfPriced, wholeUnits } from '../amount.ts'
import { byAddress } from '../by-address.ts'
import { NO_RATES, type PoolEntry, type PoolReserve } from './pool-item.ts'

export function currencyPoolEntry(protocol: ProtocolId, currency: CurrencyReserve): PoolEntry {
  const { collateral, debt, coin, denomination } = currency
  return {
    item: {
      ...NOT_AMM,
      pool_id: poolOfCurrency(denomination),
      contract: currency.contract,
      protocol,
      name: `FxDAO ${denomination} vaults`,
      type: 'vault',
      tokens: [collateral.asset, coin].map(tokenOf),
      tvl_usd: collateral.usdValue ?? '0',
      // The panic switch stops new debt in all currencies; a currency that is not active takes no new vaults.
      status: currency.panic ? 'paused' : currency.active ? 'active' : 'frozen',
      reserves: byAddress([supplied(collateral), owed(debt)], ({ asset_id }) => asset_id),
    },
    metadata: () => ({
      currency: denomination,
      collateral_asset: collateral.asset.asset,
      stable_asset: coin.asset,
      oracle_contract: currency.oracle,
      vaults: Number(currency.vaults),
      minimum_ratio_pct: currency.minimumRatioPct,
      opening_ratio_pct: currency.openingRatioPct,
      minimum_debt: wholeUnits(currency.minimumDebt, coin.decimals),
      rate: currency.rate,
      fee_pct: currency.feePct,
    }),
    ...missing([collateral]),
    prices: [collateral, debt].flatMap(({ price }) => price ?? []),
  }
}

/** `stakes`: those of the contract, one for each asset. */
export function stakingPoolEntry(protocol: ProtocolId, contract: ContractId, stakes: readonly LockedReserve[]): PoolEntry {
  const sorted = byAddress(stakes, ({ stake }) => stake.asset.asset)
  return {
    item: {
      ...NOT_AMM,
      pool_id: contract,
      contract,
      protocol,
      name: 'FxDAO locking pool',
      type: 'staking',
      tokens: sorted.map(({ stake }) => tokenOf(stake.asset)),
      tvl_usd: sumOfPriced(stakes.map(({ stake }) => stake.usdValue)).sum,
      status: stakes.some(({ active }) => active) ? 'active' : 'frozen',
      reserves: sorted.map(({ stake }) => supplied(stake)),
    },
    metadata: () => ({
      stakes: sorted.map(({ stake, active, lockSeconds }) => ({ asset_id: stake.asset.asset, active, lock_seconds: lockSeconds })),
    }),
    ...missing(stakes.map(({ stake }) => stake)),
    prices: stakes.flatMap(({ stake }) => stake.price ?? []),
  }
}

const NOT_AMM = { volume_24h_usd: null, volume_7d_usd: null, fee_apy: null, reward_apy: null, created_ledger: null } as const

const tokenOf = ({ asset, symbol, decimals }: AssetInfo) => ({ asset_id: asset, symbol, decimals })

function supplied({ asset, amount, usdValue }: TokenAmount): PoolReserve {
  const { symbol, decimals } = asset
  const units = wholeUnits(amount, decimals)
  return { asset_id: asset.asset, symbol, supplied: units, borrowed: '0', supplied_usd: usdValue, borrowed_usd: '0', ...NO_RATES }
}

function owed({ asset, amount, usdValue }: TokenAmount): PoolReserve {
  const { symbol, decimals } = asset
  const units = wholeUnits(amount, decimals)
  return { asset_id: asset.asset, symbol, supplied: '0', borrowed: units, supplied_usd: '0', borrowed_usd: usdValue, ...NO_RATES }
}

function missing(amounts: readonly TokenAmount[]): Pick<PoolEntry, 'isUnpriced' | 'hasUnknownDecimals'> {
  const some = amounts.filter(({ amount }) => amount !== 0n)
  return {
    isUnpriced: some.some(({ usdValue }) => usdValue === null),
    hasUnknownDecimals: some.some(({ asset }) => asset.decimals === null),
  }
}
