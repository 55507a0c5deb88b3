// Vaults and locked stakes of FxDAO: as their endpoint shows them, and as the portfolio does.

import { type LockedPosition, poolOfCurrency, type VaultPosition } from '@orrery/fxdao'
import type { ProtocolId } from '@orrery/protocol-kit'
import { z } from 'zod'
import { difference, wholeUnits } from './amount.ts'
import { byAddress } from './by-address.ts'
import { CostBasis, presentCostBasis } from './cost-basis.ts'
import { type PoolFacts, poolEntry } from './pool-entry.ts'
import { type ProtocolEntry, protocolEntry } from './portfolio.ts'
import type { PositionItem } from './position-item.ts'
import { presentPrice, presentThreshold } from './price.ts'
import { ReadMetadata } from './read-ledger.ts'
import { CLAIMABLE, presentReward, Reward } from './reward.ts'
import { Timestamp, timestampOf } from './timestamp.ts'

export const Vault = z
  .strictObject({
    vaults_contract: z.string().describe('Contract of all vaults.'),
    currency: z.string().describe('Currency of the vault, such as `USD`.'),
    stable_asset: z.string().describe('Contract of the stablecoin that is owed.'),
    collateral_asset: z.string().describe('Contract of the collateral token.'),
    collateral: z.string().describe('Amount of collateral.'),
    debt: z.string().describe('Amount of stablecoins owed, not negative.'),
    collateral_usd: z.string().nullable().describe('USD value of the collateral. Null without a price.'),
    debt_usd: z
      .string()
      .nullable()
      .describe(
        'USD value of the debt, not negative. One coin counts as one unit of its currency while the vaults of the currency hold collateral. Null without a price.',
      ),
    net_usd: z.string().describe('USD value of collateral minus debt. An amount without a price counts as 0.'),
    collateral_ratio_pct: z
      .string()
      .nullable()
      .describe(
        'Collateral value in percent of the debt, at the rate of the contract’s price feed. Null without debt, and without a rate.',
      ),
    minimum_ratio_pct: z.string().describe('Collateral ratio in percent below which the vault can be liquidated.'),
    health_factor: z
      .string()
      .nullable()
      .describe('Collateral ratio / minimum ratio. Liquidation is possible below 1. Null if the collateral ratio is null.'),
    liquidation_price: z
      .string()
      .nullable()
      .describe('USD price of the collateral at which the health factor is 1. Null if no price would cause a liquidation.'),
    redemption_rank: z.int().describe('Position in the order of redemption, from 1: the vault with rank 1 of a currency is redeemed next.'),
    cost_basis: CostBasis.nullable().describe('Average cost of the collateral. Null if none was computed.'),
    metadata: ReadMetadata,
  })
  .meta({ id: 'FxdaoVault' })

export const Locked = z
  .strictObject({
    contract: z.string().describe('Contract that holds the stake.'),
    asset_id: z.string().describe('Contract of the staked token.'),
    amount: z.string().describe('Amount staked.'),
    usd_value: z.string().nullable().describe('USD value of `amount`. Null without a price.'),
    unlocks_at: Timestamp.describe('Time from which the stake can be withdrawn: RFC 3339, UTC.'),
    claimable: z.array(Reward).describe(`${CLAIMABLE} A stake pays them when it is withdrawn.`),
    metadata: ReadMetadata,
  })
  .meta({ id: 'FxdaoLocked' })

export function presentVault(vault: VaultPosition, asOfLedger: number): z.input<typeof Vault> {
  const { collateral, debt } = vault
  return {
    vaults_contract: vault.contract,
    currency: vault.denomination,
    stable_asset: debt.asset.asset,
    collateral_asset: collateral.asset.asset,
    collateral: wholeUnits(collateral.amount, collateral.asset.decimals),
    debt: wholeUnits(debt.amount, debt.asset.decimals),
    collateral_usd: collateral.usdValue,
    debt_usd: debt.usdValue,
    net_usd: difference(collateral.usdValue ?? '0', debt.usdValue ?? '0'),
    collateral_ratio_pct: vault.collateralRatioPct,
    minimum_ratio_pct: vault.minimumRatioPct,
    health_factor: vault.healthFactor,
    liquidation_price: presentThreshold(vault.liquidationPrice),
    redemption_rank: vault.redemptionRank,
    cost_basis: presentCostBasis(vault.costBasis, collateral.usdValue, collateral.asset.decimals, asOfLedger),
  }
}

export function presentLocked(locked: LockedPosition): z.input<typeof Locked> {
  const { contract, stake, unlocksAt } = locked
  return {
    contract,
    asset_id: stake.asset.asset,
    amount: wholeUnits(stake.amount, stake.asset.decimals),
    usd_value: stake.usdValue,
    unlocks_at: timestampOf(unlocksAt),
    claimable: stakeRewards(locked),
  }
}

/** What a withdrawal of the stake would pay beside it. */
function stakeRewards({ contract, unlocksAt, claimable }: LockedPosition): Reward[] {
  return claimable === null ? [] : presentReward(claimable, { source: 'stake', contract, unlocksAtSeconds: unlocksAt })
}

/** Whether everything that belongs in totals has a price, and every debt a health factor. */
export function areVaultsComplete(vaults: readonly VaultPosition[], locked: readonly LockedPosition[]): boolean {
  const values = [...vaults.flatMap(({ collateral, debt }) => [collateral, debt]), ...locked.map(({ stake }) => stake)]
  return (
    values.every(({ usdValue }) => usdValue !== null) &&
    vaults.every(({ debt, healthFactor }) => debt.amount === 0n || healthFactor !== null)
  )
}

/** The entry of the portfolio. Vaults and stakes earn no interest, so rates are 0. Vaults are isolated: the weakest decides the health. */
export function vaultEntry(
  protocol: ProtocolId,
  vaults: readonly VaultPosition[],
  locked: readonly LockedPosition[],
  asOfLedger: number,
): ProtocolEntry {
  const ofVaults = vaults.map((vault) => ({ vault, collateral: collateralItem(vault, asOfLedger), debt: debtItem(vault, asOfLedger) }))
  const ofStakes = locked.map((stake) => ({ stake, item: lockedItem(stake, asOfLedger), rewards: stakeRewards(stake) }))
  return protocolEntry(protocol, {
    positions: {
      backstop: [],
      collateral: ofVaults.map(({ collateral }) => collateral),
      liabilities: byAddress(
        ofVaults.map(({ debt }) => debt),
        ({ asset_id }) => asset_id,
      ),
      lp: [],
      supply: ofStakes.map(({ item }) => item),
    },
    pools: [
      ...ofVaults.map(({ vault, collateral, debt }) => poolEntry(vaultFacts(vault), [collateral], [debt], [])),
      ...[...Map.groupBy(ofStakes, ({ stake }) => stake.contract)].map(([contract, stakes]) =>
        poolEntry(
          { pool_id: contract, contract, name: 'FxDAO locking pool', ...NO_DEBT },
          stakes.map(({ item }) => item),
          [],
          stakes.flatMap(({ rewards }) => rewards),
        ),
      ),
    ],
    rewards: ofStakes.flatMap(({ rewards }) => rewards),
    net_apy: '0',
  })
}

const NO_DEBT = { net_apy: '0', health_factor: null, borrow_limit_pct: '0', borrow_cap_usd: '0' } as const

function vaultFacts({ contract, denomination, debt, healthFactor, borrowLimitPct, borrowCapUsd }: VaultPosition): PoolFacts {
  return {
    pool_id: poolOfCurrency(denomination),
    contract,
    name: `FxDAO ${denomination} vaults`,
    net_apy: '0',
    health_factor: healthFactor,
    borrow_limit_pct: debt.amount === 0n ? '0' : borrowLimitPct,
    borrow_cap_usd: borrowCapUsd ?? '0',
  }
}

function itemOf({ asset, amount, usdValue, price }: VaultPosition['collateral'], contract: string): PositionItem {
  return {
    apr: '0',
    apy: '0',
    asset_amount: wholeUnits(amount, asset.decimals),
    asset_id: asset.asset,
    contract,
    emission_apy: '0',
    liquidation_price: null,
    metadata: { raw_amount: amount.toString(), ...presentPrice(price) },
    share_amount: '0',
    share_type: '',
    usd_value: usdValue,
  }
}

function collateralItem(vault: VaultPosition, asOfLedger: number): PositionItem {
  const { collateral, costBasis } = vault
  const item = itemOf(collateral, vault.contract)
  const cost_basis = presentCostBasis(costBasis, collateral.usdValue, collateral.asset.decimals, asOfLedger)
  return { ...inVault(item, vault, cost_basis), liquidation_price: presentThreshold(vault.liquidationPrice) }
}

function debtItem(vault: VaultPosition, asOfLedger: number): PositionItem {
  const { debt, debtCostBasis } = vault
  const item = itemOf(debt, vault.contract)
  const cost_basis = presentCostBasis(debtCostBasis, debt.usdValue, debt.asset.decimals, asOfLedger, true)
  return { ...inVault(item, vault, cost_basis), liquidation_price: presentThreshold(vault.debtLiquidationPrice) }
}

/** A vault has no shares, because it belongs to one account. */
function inVault(item: PositionItem, vault: VaultPosition, cost_basis: z.input<typeof CostBasis> | null): PositionItem {
  const { denomination, collateralRatioPct, minimumRatioPct, healthFactor } = vault
  return {
    ...item,
    share_type: 'vault',
    metadata: {
      ...item.metadata,
      currency: denomination,
      collateral_ratio_pct: collateralRatioPct,
      minimum_ratio_pct: minimumRatioPct,
      health_factor: healthFactor,
      cost_basis,
    },
  }
}

function lockedItem(locked: LockedPosition, asOfLedger: number): PositionItem {
  const { contract, stake, unlocksAt, costBasis } = locked
  const item = itemOf(stake, contract)
  return {
    ...item,
    metadata: {
      ...item.metadata,
      unlocks_at: timestampOf(unlocksAt),
      claimable: stakeRewards(locked),
      cost_basis: presentCostBasis(costBasis, stake.usdValue, stake.asset.decimals, asOfLedger),
    },
  }
}
