// A step as legs of an action: the accounts that gave and received, with their roles.
// Debt that is written off moves no coins: such a leg has no direction.

import type { Action, Leg } from '@orrery/fold-kit'
import type { Address, ContractId } from '@orrery/ledger'
import type { ActivityType } from '@orrery/protocol-kit'
import { type LegDraft, ownLeg } from './own-leg.ts'
import type { Evidence, FxdaoContracts, Step, StepKind, VaultChange } from './step.ts'

const TYPES: Readonly<Record<StepKind, ActivityType>> = {
  open: 'deposit',
  increase_collateral: 'deposit',
  withdraw_collateral: 'withdraw',
  increase_debt: 'borrow',
  repay: 'repay',
  close: 'repay',
  transfer: 'transfer',
  redemption: 'redemption',
  liquidation: 'liquidation',
  eviction: 'liquidation',
}

/** The contract's entries name the account in every case; where several calls share an entry's change, only their arguments split it. */
const CONFIDENCE: Readonly<Record<Evidence, 1 | 0.9>> = { call: 1, calls: 0.9, transfers: 0.9, entries: 1 }

type Role = 'redeemer' | 'vault_owner' | 'liquidator' | 'liquidated' | 'giver' | 'receiver'
type Draft = Omit<LegDraft, 'contract' | 'counts'>

export function actionOf(step: Step, contracts: FxdaoContracts): Action {
  const counted = new Set<string>()
  const legs = draftsOf(step, contracts).map((draft): Leg => {
    const once = `${draft.address} ${draft.type ?? TYPES[step.kind]}`
    const counts = !counted.has(once)
    counted.add(once)
    return ownLeg({ ...draft, contract: contracts.vaults, counts })
  })
  return {
    type: TYPES[step.kind],
    eventIndex: step.eventIndex,
    legs,
    confidence: CONFIDENCE[step.evidence],
    metadata: {
      event: step.function || 'evict',
      currency: step.denomination,
      ...(step.fee > 0n ? { raw_fee: step.fee.toString() } : {}),
      ...(step.kind === 'close' ? { closed: true } : {}),
      ...(step.kind === 'eviction' ? { reason: 'evicted' } : {}),
      ...(step.evidence === 'calls' || step.evidence === 'transfers' ? { attribution: step.evidence } : {}),
    },
  }
}

function draftsOf(step: Step, contracts: FxdaoContracts): Draft[] {
  const coin = contracts.coins.get(step.denomination) ?? ''
  const { collateral, vaults } = contracts
  const [first] = step.changes
  /** A leg between the owner of the vault and the contract. */
  const own = (asset: ContractId | '', amount: bigint, direction: 'in' | 'out', type?: ActivityType): Draft =>
    leg(step.actor, vaults, asset, amount, direction, { volume: true, ...(type === undefined ? {} : { type }) })
  switch (step.kind) {
    case 'open':
      return [own(collateral, first?.after?.collateral ?? 0n, 'in'), own(coin, step.coins, 'out', 'borrow')]
    case 'increase_collateral':
      return [own(collateral, (first?.after?.collateral ?? 0n) - (first?.before?.collateral ?? 0n), 'in')]
    case 'withdraw_collateral':
      return [own(collateral, step.collateral, 'out')]
    case 'increase_debt':
      return [own(coin, step.coins, 'out')]
    case 'repay':
      return [own(coin, step.coins, 'in')]
    case 'close':
      return [own(coin, step.coins, 'in'), own(collateral, step.collateral, 'out', 'withdraw')]
    case 'transfer':
      return transferLegs(step, coin, collateral)
    case 'redemption':
      return redemptionLegs(step, coin, collateral)
    case 'liquidation':
      return liquidationLegs(step, coin, collateral, vaults)
    case 'eviction':
      return step.changes.flatMap((change) => lossLegs(change, '', step.returned, coin, collateral, 'liquidated', true))
  }
}

function transferLegs({ changes: [given, received] }: Step, coin: ContractId | '', collateral: ContractId): Draft[] {
  if (given === undefined || received === undefined) return []
  const moved = given.before ?? { collateral: 0n, debt: 0n }
  const side = (role: Role, address: Address, other: Address, direction: 'in' | 'out'): Draft[] => [
    leg(address, other, collateral, moved.collateral, direction, { role, volume: role === 'giver' }),
    leg(address, other, coin, moved.debt, '', { role, debt: role === 'giver' ? -moved.debt : moved.debt }),
  ]
  return [...side('giver', given.owner, received.owner, 'in'), ...side('receiver', received.owner, given.owner, 'out')]
}

function redemptionLegs(step: Step, coin: ContractId | '', collateral: ContractId): Draft[] {
  const [change] = step.changes
  if (change === undefined) return []
  const { actor } = step
  return [
    leg(actor, change.owner, coin, step.coins, 'in', { role: 'redeemer', volume: true }),
    leg(actor, change.owner, collateral, step.collateral, 'out', { role: 'redeemer' }),
    ...lossLegs(change, actor, step.returned, coin, collateral, 'vault_owner'),
  ]
}

function liquidationLegs(step: Step, coin: ContractId | '', collateral: ContractId, vaults: ContractId): Draft[] {
  const { actor, changes } = step
  const [only, ...others] = changes
  // One counterparty cannot name several.
  const [other, owners] =
    only !== undefined && others.length === 0 ? [only.owner, {}] : [vaults, { owners: changes.map(({ owner }) => owner) }]
  return [
    leg(actor, other, coin, step.coins, 'in', { role: 'liquidator', volume: true, ...owners }),
    leg(actor, other, collateral, step.collateral, 'out', { role: 'liquidator', ...owners }),
    ...changes.flatMap((change) => lossLegs(change, actor, 0n, coin, collateral, 'liquidated')),
  ]
}

/** What a vault's owner lost, no longer owes, and got back. `volume`: no other account gave anything, so the loss is the moved value. */
function lossLegs(
  change: VaultChange,
  counterparty: Address | '',
  returned: bigint,
  coin: ContractId | '',
  collateral: ContractId,
  role: Role,
  volume = false,
): Draft[] {
  const { owner, before, after } = change
  const lost = (before?.collateral ?? 0n) - (after?.collateral ?? 0n)
  const forgiven = (before?.debt ?? 0n) - (after?.debt ?? 0n)
  return [
    leg(owner, counterparty, collateral, lost, 'in', { role, volume }),
    leg(owner, counterparty, coin, forgiven, '', { role, debt: -forgiven }),
    ...(returned > 0n ? [leg(owner, counterparty, collateral, returned, 'out', { role })] : []),
  ]
}

interface Extra {
  readonly type?: ActivityType
  readonly role?: Role
  readonly volume?: boolean
  /** Change of what is owed, raw: for a leg that moves no coins. */
  readonly debt?: bigint
  /** Of the vaults on the other side, where they are several. */
  readonly owners?: readonly Address[]
}

function leg(
  address: Address | '',
  counterparty: Address | '',
  asset: ContractId | '',
  amount: bigint,
  direction: Leg['direction'],
  { type, role, volume = false, debt, owners }: Extra,
): Draft {
  return {
    address,
    counterparty,
    asset,
    amount,
    direction,
    volume,
    ...(type === undefined ? {} : { type }),
    ...(debt === undefined ? {} : { debtChange: debt }),
    metadata: {
      ...(role === undefined ? {} : { role }),
      ...(owners === undefined ? {} : { vault_owners: owners }),
    },
  }
}
