// Costs of vaults and stakes, updated by the steps of one ledger. A vault has two: of its collateral and of its debt.
// A fee on collateral paid in is part of the cost; a vault that is taken from its owner counts as sold for its debt.

import { acquire, type Cost, release, repay, type UsdUnits, usdSum } from '@orrery/fold-kit'
import { stakeCost } from '../state/locking.ts'
import { type StakeState, stakeOf, type VaultState, vaultOf } from '../state/state.ts'
import { collateralCost, debtCost } from '../state/vault.ts'
import type { LedgerEnd } from './ledger-end.ts'
import type { StakeAction } from './stake-actions.ts'
import type { Amounts, Step, VaultChange } from './step.ts'

/** The values of changes of vaults at the ledger's end. 1e-8 USD, null where a price is unknown. */
interface VaultValues {
  readonly ledger: number
  collateral(amount: bigint): UsdUnits | null
  coins(denomination: string, amount: bigint): UsdUnits | null
}

/** Steps move the costs. A change of a vault's entry that no step explains counts at its value. */
export function applyVaultCosts(
  steps: readonly Step[],
  changed: ReadonlySet<VaultState>,
  { valuation, journal, directory: { contracts } }: LedgerEnd,
): void {
  if (contracts === null) return
  const { state, at } = valuation
  const values: VaultValues = {
    ledger: at.ledger,
    collateral: (amount) => valuation.value(contracts.collateral, amount),
    coins: (denomination, amount) => valuation.value(contracts.coins.get(denomination) ?? '', amount),
  }
  const touched = new Set<VaultState>(changed)
  for (const step of steps) {
    for (const [n, change] of step.changes.entries()) {
      const vault = vaultOf(state, change.owner, step.denomination)
      inherit(vault, change.before, values)
      carry(vault, step, change, step.kind === 'transfer' && n === 1 ? 'inferred' : 'exact', values)
      touched.add(vault)
    }
  }
  for (const vault of touched) {
    const { owner, denomination } = vault
    const { collateral, debt } = vault.vault?.value ?? { collateral: 0n, debt: 0n }
    vault.collateralCost = settled(vault.collateralCost, collateral, values.collateral, at.ledger, release)
    vault.debtCost = settled(vault.debtCost, debt, (amount) => values.coins(denomination, amount), at.ledger, repay)
    const place = { contract: state.vaultsContract, owner, denomination }
    if (vault.collateralCost !== null) collateralCost.write({ state, journal }, place, vault.collateralCost)
    if (vault.debtCost !== null) debtCost.write({ state, journal }, place, vault.debtCost)
  }
}

/** A vault that predates the index: its cost is its value at its first change. */
function inherit(vault: VaultState, before: Amounts | null, { ledger, ...values }: VaultValues): void {
  if (before === null) return
  vault.collateralCost ??= acquire(null, before.collateral, values.collateral(before.collateral), ledger, 'inferred')
  vault.debtCost ??= acquire(null, before.debt, values.coins(vault.denomination, before.debt), ledger, 'inferred')
}

/** Moves the costs of a vault by one step: what its collateral cost or brought, and what its debt brought or cost. */
function carry(vault: VaultState, step: Step, { before, after }: VaultChange, confidence: Cost['confidence'], values: VaultValues): void {
  const collateral = (after?.collateral ?? 0n) - (before?.collateral ?? 0n)
  const debt = (after?.debt ?? 0n) - (before?.debt ?? 0n)
  const coins = values.coins(step.denomination, debt < 0n ? -debt : debt)
  const debtWorth = step.kind === 'eviction' ? 0n : coins
  const worth = collateralWorth(step, collateral, coins, values)
  if (collateral > 0n) vault.collateralCost = acquire(vault.collateralCost, collateral, worth, values.ledger, confidence)
  else vault.collateralCost = release(vault.collateralCost, -collateral, worth)
  if (debt > 0n) vault.debtCost = acquire(vault.debtCost, debt, debtWorth, values.ledger, confidence)
  else vault.debtCost = repay(vault.debtCost, -debt, debtWorth)
}

/** @param coins The value of the debt that the step moved: what collateral was sold for that was taken from its owner. */
function collateralWorth(step: Step, change: bigint, coins: UsdUnits | null, values: VaultValues): UsdUnits | null {
  switch (step.kind) {
    case 'redemption':
    case 'liquidation':
      return usdSum([coins, values.collateral(step.returned)])
    case 'eviction':
      return values.collateral(step.returned)
    case 'transfer':
      return values.collateral(change < 0n ? -change : change)
    default:
      return values.collateral(step.collateral)
  }
}

/** Stakes change by deposit and withdrawal, and move between assets when a pool is migrated: an unexplained change counts at its value. */
export function applyStakeCosts(stakes: readonly StakeAction[], changed: ReadonlySet<StakeState>, { valuation, journal }: LedgerEnd): void {
  const { state, at } = valuation
  const touched = new Set<StakeState>(changed)
  for (const { contract, asset, owner, moved, kind } of stakes) {
    const locking = state.locking.get(contract)
    if (locking === undefined || kind === 'distribute') continue
    const { amount } = moved
    const stake = stakeOf(locking, owner, asset)
    const worth = valuation.value(asset, amount)
    stake.cost = kind === 'lock' ? acquire(stake.cost, amount, worth, at.ledger, 'exact') : release(stake.cost, amount, worth)
    touched.add(stake)
  }
  for (const stake of touched) {
    const { contract, owner, asset, deposit } = stake
    stake.cost = settled(stake.cost, deposit?.value.amount ?? 0n, (amount) => valuation.value(asset, amount), at.ledger, release)
    if (stake.cost !== null) stakeCost.write({ state, journal }, { contract, owner, asset }, stake.cost)
  }
}

/** The cost with as many units as the entry has. */
function settled(
  cost: Cost | null,
  amount: bigint,
  value: (amount: bigint) => UsdUnits | null,
  ledger: number,
  leave: typeof release,
): Cost | null {
  const more = amount - (cost?.units ?? 0n)
  if (more > 0n) return acquire(cost, more, value(more), ledger, 'inferred')
  if (more < 0n) return leave(cost, -more, value(-more))
  return cost
}
