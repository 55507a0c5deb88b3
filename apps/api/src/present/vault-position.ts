// Vaults and locked stakes of FxDAO: as their endpoint shows them, and as the portfolio does.

import type { LockedPosition, VaultPosition } from '@orrery/fxdao'
import { Decimal } from '@orrery/pricing'
import type { DecimalText, ProtocolId } from '@orrery/protocol-kit'
import { z } from 'zod'
import { difference, sumOfPriced, wholeUnits } from './amount.ts'
import { byAddress } from './by-address.ts'
import { Claimable, presentClaimable } from './claimable.ts'
import { CostBasis, presentCostBasis } from './cost-basis.ts'
import type { PositionItem, ProtocolEntry } from './position-item.ts'
import { presentPrice, presentThreshold } from './price.ts'
import { ReadMetadata } from './read-ledger.ts'
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
    claimable: Claimable.nullable().describe('Rewards that a claim would pay at this ledger. Null if there are none.'),
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

export function presentLocked({ contract, stake, unlocksAt, claimable }: LockedPosition): z.input<typeof Locked> {
  return {
    contract,
    asset_id: stake.asset.asset,
    amount: wholeUnits(stake.amount, stake.asset.decimals),
    usd_value: stake.usdValue,
    unlocks_at: timestampOf(unlocksAt),
    claimable: claimable === null ? null : presentClaimable(claimable),
  }
}

/** Whether everything that belongs in totals has a price, and every debt a health factor. */
export function areVaultsComplete(vaults: readonly VaultPosition[], locked: readonly LockedPosition[]): boolean {
  const values = [...vaults.flatMap(({ collateral, debt }) => [collateral, debt]), ...locked.map(({ stake }) => stake)]
  return (
    values.every(({ usdValue }) => usdValue !== null) &&
    vaults.every(({ debt, healthFactor }) => debt.amount === 0n || healthFactor !== null)
  )
}

/** The entry of the portfolio. Vaults and stakes earn no interest, so rates are 0; estimates are for lending pools only. */
export function vaultEntry(
  protocol: ProtocolId,
  vaults: readonly VaultPosition[],
  locked: readonly LockedPosition[],
  asOfLedger: number,
): ProtocolEntry {
  const collateral = vaults.map((vault) => collateralItem(vault, asOfLedger))
  const liabilities = byAddress(vaults, ({ debt }) => debt.asset.asset).map((vault) => debtItem(vault, asOfLedger))
  const supply = locked.map((it) => lockedItem(it, asOfLedger))
  const usd = (items: readonly PositionItem[]): DecimalText => sumOfPriced(items.map((item) => item.usd_value)).sum
  const healths = vaults.flatMap(({ healthFactor }) => healthFactor ?? [])
  return {
    protocol_id: protocol,
    borrowed_usd: usd(liabilities),
    deposited_usd: usd([...collateral, ...supply]),
    health_factor: healths.length === 0 ? null : healths.reduce((a, b) => (new Decimal(a).lte(b) ? a : b)),
    net_apy: '0',
    estimates: { borrow_cap_usd: '0', borrow_limit_pct: '0' },
    positions: { backstop: [], collateral, liabilities, lp: [], supply },
  }
}

function itemOf({ asset, amount, usdValue, price }: VaultPosition['collateral'], contract: string): PositionItem {
  return {
    apr: '0',
    apy: '0',
    asset_amount: wholeUnits(amount, asset.decimals),
    asset_id: asset.asset,
    contract,
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

function lockedItem({ contract, stake, unlocksAt, claimable, costBasis }: LockedPosition, asOfLedger: number): PositionItem {
  const item = itemOf(stake, contract)
  return {
    ...item,
    metadata: {
      ...item.metadata,
      unlocks_at: timestampOf(unlocksAt),
      claimable: claimable === null ? null : presentClaimable(claimable),
      cost_basis: presentCostBasis(costBasis, stake.usdValue, stake.asset.decimals, asOfLedger),
    },
  }
}
