// Vaults and locked stakes of FxDAO: as its own page shows them, and as the portfolio does.

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
    vaults_contract: z.string(),
    currency: z.string(),
    stable_asset: z.string(),
    collateral_asset: z.string(),
    collateral: z.string(),
    debt: z.string(),
    collateral_usd: z.string().nullable(),
    debt_usd: z
      .string()
      .nullable()
      .describe(
        'At par: one coin is one unit of its currency, while the vaults of the currency hold collateral. Null while the coin has no price.',
      ),
    net_usd: z.string().describe('collateral - debt of what has a price.'),
    collateral_ratio_pct: z.string().nullable().describe('Null without debt, and while the feed has no rate.'),
    minimum_ratio_pct: z.string(),
    health_factor: z.string().nullable().describe('Collateral ratio / minimum ratio.'),
    liquidation_price: z.string().nullable().describe('Price of the collateral at which the health factor is 1.'),
    redemption_rank: z.int().describe('1: the next vault of its currency to be redeemed.'),
    cost_basis: CostBasis.nullable().describe('Of the collateral.'),
    metadata: ReadMetadata,
  })
  .meta({ id: 'FxdaoVault' })

export const Locked = z
  .strictObject({
    contract: z.string(),
    asset_id: z.string(),
    amount: z.string(),
    usd_value: z.string().nullable(),
    unlocks_at: Timestamp,
    claimable: Claimable.nullable(),
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

/** Whether everything that belongs in totals has a price, and every debt a health. */
export function areVaultsComplete(vaults: readonly VaultPosition[], locked: readonly LockedPosition[]): boolean {
  const values = [...vaults.flatMap(({ collateral, debt }) => [collateral, debt]), ...locked.map(({ stake }) => stake)]
  return (
    values.every(({ usdValue }) => usdValue !== null) &&
    vaults.every(({ debt, healthFactor }) => debt.amount === 0n || healthFactor !== null)
  )
}

/** The portfolio's entry. Nothing in it earns by itself, and estimates are for lending pools. */
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

/** A vault has no shares: what it holds is the account's alone. */
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
