// Costs of vaults and stakes, updated by the steps of one ledger. A vault has two: of its collateral and of its debt.
// A fee on collateral paid in is part of the cost; a vault that is taken from its owner counts as sold for its debt.

import { acquire, type Cost, type Journal, release, repay, type UsdUnits, usdSum } from '@orrery/fold-kit'
import type { ContractId } from '@orrery/ledger'
import { stakeCost } from '../state/locking.ts'
import { type FxdaoState, type StakeState, stakeOf, type VaultState, vaultOf } from '../state/state.ts'
import { collateralCost, debtCost } from '../state/vault.ts'
import type { Valuation } from '../view/valuation.ts'
import type { StakeAction } from './stake-actions.ts'
import type { Amounts, FxdaoContracts, Step, VaultChange } from './step.ts'

/** The value of a change of a vault: what collateral cost or brought, and what debt brought or cost. 1e-8 USD. */
interface Worth {
  readonly collateral: UsdUnits | null
  readonly debt: UsdUnits | null
}

/** Steps move the costs. A change of a vault's entry that no step explains counts at its value. */
export function applyVaultCosts(
  steps: readonly Step[],
  changed: ReadonlySet<VaultState>,
  contracts: FxdaoContracts | null,
  valuation: Valuation,
  journal: Journal,
): void {
  if (contracts === null) return
  const touched = new Set<VaultState>(changed)
  for (const step of steps) {
    for (const [n, change] of step.changes.entries()) {
      const vault = vaultOf(valuation.state, change.owner, step.denomination)
      const coin = contracts.coins.get(step.denomination) ?? ''
      inherit(vault, change.before, coin, contracts, valuation)
      carry(vault, change, worthOf(step, change, coin, contracts, valuation), step.kind === 'transfer' && n === 1, valuation.at.ledger)
      touched.add(vault)
    }
  }
  for (const vault of touched) {
    const { collateral, debt } = vault.vault?.value ?? { collateral: 0n, debt: 0n }
    const coin = contracts.coins.get(vault.denomination) ?? ''
    vault.collateralCost = settled(vault.collateralCost, collateral, contracts.collateral, valuation, release)
    vault.debtCost = settled(vault.debtCost, debt, coin, valuation, repay)
    write(vault, { state: valuation.state, journal })
  }
}

/** A vault that predates the index: its cost is its value at its first change. */
function inherit(vault: VaultState, before: Amounts | null, coin: ContractId | '', contracts: FxdaoContracts, valuation: Valuation): void {
  if (before === null) return
  const { ledger } = valuation.at
  vault.collateralCost ??= acquire(null, before.collateral, valuation.value(contracts.collateral, before.collateral), ledger, 'inferred')
  vault.debtCost ??= acquire(null, before.debt, valuation.value(coin, before.debt), ledger, 'inferred')
}

function worthOf(step: Step, change: VaultChange, coin: ContractId | '', contracts: FxdaoContracts, valuation: Valuation): Worth {
  const lost = (change.before?.debt ?? 0n) - (change.after?.debt ?? 0n)
  const coins = valuation.value(coin, lost < 0n ? -lost : lost)
  const collateral = (amount: bigint) => valuation.value(contracts.collateral, amount)
  switch (step.kind) {
    case 'redemption':
    case 'liquidation':
      return { collateral: usdSum([coins, collateral(step.returned)]), debt: coins }
    case 'eviction':
      return { collateral: collateral(step.returned), debt: 0n }
    case 'transfer': {
      const moved = (change.before?.collateral ?? 0n) - (change.after?.collateral ?? 0n)
      return { collateral: collateral(moved < 0n ? -moved : moved), debt: coins }
    }
    default:
      return { collateral: collateral(step.collateral), debt: coins }
  }
}

function carry(vault: VaultState, { before, after }: VaultChange, worth: Worth, isInferred: boolean, ledger: number): void {
  const confidence = isInferred ? 'inferred' : 'exact'
  const collateral = (after?.collateral ?? 0n) - (before?.collateral ?? 0n)
  const debt = (after?.debt ?? 0n) - (before?.debt ?? 0n)
  if (collateral > 0n) vault.collateralCost = acquire(vault.collateralCost, collateral, worth.collateral, ledger, confidence)
  else vault.collateralCost = release(vault.collateralCost, -collateral, worth.collateral)
  if (debt > 0n) vault.debtCost = acquire(vault.debtCost, debt, worth.debt, ledger, confidence)
  else vault.debtCost = repay(vault.debtCost, -debt, worth.debt)
}

function write(vault: VaultState, context: { readonly state: FxdaoState; readonly journal: Journal }): void {
  const at = { contract: context.state.vaultsContract, owner: vault.owner, denomination: vault.denomination }
  if (vault.collateralCost !== null) collateralCost.write(context, at, vault.collateralCost)
  if (vault.debtCost !== null) debtCost.write(context, at, vault.debtCost)
}

/** Stakes change by deposit and withdrawal, and move between assets when a pool is migrated: an unexplained change counts at its value. */
export function applyStakeCosts(
  stakes: readonly StakeAction[],
  changed: ReadonlySet<StakeState>,
  valuation: Valuation,
  journal: Journal,
): void {
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
  for (const stake of touched) settle(stake, valuation, journal)
}

function settle(stake: StakeState, valuation: Valuation, journal: Journal): void {
  const { contract, owner, asset } = stake
  stake.cost = settled(stake.cost, stake.deposit?.value.amount ?? 0n, asset, valuation, release)
  if (stake.cost === null) return
  stakeCost.write({ state: valuation.state, journal }, { contract, owner, asset }, stake.cost)
}

/** The cost with as many units as the entry has. */
function settled(cost: Cost | null, amount: bigint, asset: ContractId | '', valuation: Valuation, leave: typeof release): Cost | null {
  const more = amount - (cost?.units ?? 0n)
  if (more > 0n) return acquire(cost, more, valuation.value(asset, more), valuation.at.ledger, 'inferred')
  if (more < 0n) return leave(cost, -more, valuation.value(asset, -more))
  return cost
}
