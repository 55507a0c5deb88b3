// What vaults and stakes cost, carried along with the steps of one ledger. Of a vault there are two: of its collateral, and of its debt.
// A fee on the way in is part of the cost; a vault that is taken from its owner is sold for the debt that goes with it.

import { acquire, type Cost, type Journal, release, repay, type UsdUnits, usdSum } from '@orrery/fold-kit'
import type { ContractId } from '@orrery/ledger'
import { stakeCost } from '../state/locking.ts'
import { type FxdaoState, type StakeState, stakeOf, type VaultState, vaultOf } from '../state/state.ts'
import { collateralCost, debtCost } from '../state/vault.ts'
import type { Moment } from '../view/moment.ts'
import type { Amounts, LedgerContext, Step, VaultChange } from './step.ts'
import type { ToldStake } from './tell-stakes.ts'

/** What a change of a vault was worth: what collateral cost or brought, and what debt brought or cost. 1e-8 USD. */
interface Worth {
  readonly collateral: UsdUnits | null
  readonly debt: UsdUnits | null
}

/** Steps carry the costs; what a vault's entry says beyond them, because nobody told how it came about, is at its value. */
export function applyVaultCosts(
  steps: readonly Step[],
  changed: ReadonlySet<VaultState>,
  setting: LedgerContext | null,
  moment: Moment,
  journal: Journal,
): void {
  if (setting === null) return
  const touched = new Set<VaultState>(changed)
  for (const step of steps) {
    for (const [n, change] of step.changes.entries()) {
      const vault = vaultOf(moment.state, change.owner, step.denomination)
      const coin = setting.coins.get(step.denomination) ?? ''
      inherit(vault, change.before, coin, setting, moment)
      carry(vault, change, worthOf(step, change, coin, setting, moment), step.kind === 'transfer' && n === 1, moment.at.ledger)
      touched.add(vault)
    }
  }
  for (const vault of touched) {
    const { collateral, debt } = vault.vault?.value ?? { collateral: 0n, debt: 0n }
    const coin = setting.coins.get(vault.denomination) ?? ''
    vault.collateralCost = settled(vault.collateralCost, collateral, setting.collateral, moment, release)
    vault.debtCost = settled(vault.debtCost, debt, coin, moment, repay)
    write(vault, { state: moment.state, journal })
  }
}

/** A vault from before the index began: at its value when it is first seen to change. */
function inherit(vault: VaultState, before: Amounts | null, coin: ContractId | '', setting: LedgerContext, moment: Moment): void {
  if (before === null) return
  const { ledger } = moment.at
  vault.collateralCost ??= acquire(null, before.collateral, moment.value(setting.collateral, before.collateral), ledger, 'inferred')
  vault.debtCost ??= acquire(null, before.debt, moment.value(coin, before.debt), ledger, 'inferred')
}

function worthOf(step: Step, change: VaultChange, coin: ContractId | '', setting: LedgerContext, moment: Moment): Worth {
  const lost = (change.before?.debt ?? 0n) - (change.after?.debt ?? 0n)
  const coins = moment.value(coin, lost < 0n ? -lost : lost)
  const collateral = (amount: bigint) => moment.value(setting.collateral, amount)
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

/** Stakes move by deposit and withdrawal, and between assets when a pool is migrated: whatever nothing told is at its value. */
export function applyStakeCosts(told: readonly ToldStake[], changed: ReadonlySet<StakeState>, moment: Moment, journal: Journal): void {
  const { state, at } = moment
  const touched = new Set<StakeState>(changed)
  for (const { contract, asset, owner, moved, kind } of told) {
    const locking = state.locking.get(contract)
    if (locking === undefined || kind === 'distribute') continue
    const { amount } = moved
    const stake = stakeOf(locking, owner, asset)
    const worth = moment.value(asset, amount)
    stake.cost = kind === 'lock' ? acquire(stake.cost, amount, worth, at.ledger, 'exact') : release(stake.cost, amount, worth)
    touched.add(stake)
  }
  for (const stake of touched) settle(stake, moment, journal)
}

function settle(stake: StakeState, moment: Moment, journal: Journal): void {
  const { contract, owner, asset } = stake
  stake.cost = settled(stake.cost, stake.deposit?.value.amount ?? 0n, asset, moment, release)
  if (stake.cost === null) return
  stakeCost.write({ state: moment.state, journal }, { contract, owner, asset }, stake.cost)
}

/** The cost with as many units as the entry has. */
function settled(cost: Cost | null, amount: bigint, asset: ContractId | '', moment: Moment, leave: typeof release): Cost | null {
  const more = amount - (cost?.units ?? 0n)
  if (more > 0n) return acquire(cost, more, moment.value(asset, more), moment.at.ledger, 'inferred')
  if (more < 0n) return leave(cost, -more, moment.value(asset, -more))
  return cost
}
