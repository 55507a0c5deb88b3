// The state of FxDAO, for the fold and for readers: entries as of a ledger, and the costs that no entry holds.
// Vaults come from their own entries, never from walking the list: some versions of the contract could break it.

import { type Cost, getOrMake, type LiveEntry, type SmallPositions, type TokenMetadata } from '@orrery/fold-kit'
import type { Address, ContractId } from '@orrery/ledger'
import type { PricingState } from '@orrery/pricing'
import type { CoreState, Currency, CurrencyTotals, LockedDeposit, LockingPool, Vault } from '../chain/entries.ts'

/** An account's vault of one currency with its cost. */
export interface VaultState {
  readonly owner: Address
  readonly denomination: string
  vault: LiveEntry<Vault> | null
  /** In units of collateral. */
  collateralCost: Cost | null
  /** In units of the coin: what the debt was worth when it was borrowed. */
  debtCost: Cost | null
}

/** What an account has locked of one asset. */
export interface StakeState {
  readonly contract: ContractId
  readonly owner: Address
  readonly asset: ContractId
  deposit: LiveEntry<LockedDeposit> | null
  cost: Cost | null
}

export interface LockingState {
  readonly contract: ContractId
  rewardsAsset: LiveEntry<ContractId> | null
  /** By asset. */
  readonly pools: Map<ContractId, LiveEntry<LockingPool>>
  /** By owner and asset: `stakeOf`. */
  readonly stakes: Map<string, StakeState>
  /** What the contract really holds, by token. */
  readonly balances: Map<ContractId, LiveEntry<bigint>>
  /** Accounts whose newest snapshot of what they have locked is small. */
  readonly small: SmallPositions
}

export interface FxdaoState {
  /** The newest ledger in it. */
  ledger: number
  /** The vaults contract, '' where the network has none. */
  readonly vaultsContract: ContractId
  core: LiveEntry<CoreState> | null
  /** By denomination. */
  readonly currencies: Map<string, LiveEntry<Currency>>
  readonly totals: Map<string, LiveEntry<CurrencyTotals>>
  /** By denomination: ledger of the newest row of its conditions or totals. */
  readonly changedLedgers: Map<string, number>
  /** By `vaultName`. */
  readonly vaults: Map<string, VaultState>
  /** Those whose newest snapshot is small, by `vaultName`. */
  readonly smallVaults: SmallPositions
  /** What the vaults contract really holds, by token. */
  readonly balances: Map<ContractId, LiveEntry<bigint>>
  /** By contract. */
  readonly locking: Map<ContractId, LockingState>
  readonly assets: Map<ContractId, TokenMetadata>
  readonly pricing: PricingState
}

/** What the entries of one ledger changed in value, for snapshots. A longer TTL or another place in the list is no change. */
export class Changes {
  readonly vaults = new Set<VaultState>()
  /** Denominations whose conditions or totals changed. */
  readonly currencies = new Set<string>()
  readonly stakes = new Set<StakeState>()
  readonly locking = new Set<LockingState>()
}

export function vaultName(owner: Address, denomination: string): string {
  return `${owner} ${denomination}`
}

/** The account's vault of a currency, made when it is new. */
export function vaultOf({ vaults }: FxdaoState, owner: Address, denomination: string): VaultState {
  return getOrMake(vaults, vaultName(owner, denomination), () => ({
    owner,
    denomination,
    vault: null,
    collateralCost: null,
    debtCost: null,
  }))
}

/** The locking pool's state, made when it is new. Null of the vaults, which are none. */
export function lockingOf({ locking, vaultsContract }: FxdaoState, contract: ContractId): LockingState | null {
  return contract === vaultsContract ? null : getOrMake(locking, contract, () => emptyLocking(contract))
}

/** What the account has locked of an asset, made when it is new. */
export function stakeOf({ contract, stakes }: LockingState, owner: Address, asset: ContractId): StakeState {
  return getOrMake(stakes, `${owner} ${asset}`, () => ({ contract, owner, asset, deposit: null, cost: null }))
}

export function emptyLocking(contract: ContractId): LockingState {
  return { contract, rewardsAsset: null, pools: new Map(), stakes: new Map(), balances: new Map(), small: new Set() }
}

/** Assets that are locked or paid as rewards. */
export function stakedAssets({ locking }: FxdaoState): ReadonlySet<ContractId> {
  return new Set(
    [...locking.values()].flatMap(({ pools, rewardsAsset }) => [...pools.keys(), ...(rewardsAsset ? [rewardsAsset.value] : [])]),
  )
}

/** Open vaults of a currency in the order of redemption: lowest index first; among equals by owner, because their order is unknown. */
export function vaultsInOrder(state: FxdaoState, denomination: string): { owner: Address; vault: Vault }[] {
  return [...state.vaults.values()]
    .flatMap(({ owner, denomination: of, vault }) => (of === denomination && vault !== null ? [{ owner, vault: vault.value }] : []))
    .sort((a, b) => (a.vault.index !== b.vault.index ? (a.vault.index < b.vault.index ? -1 : 1) : a.owner < b.owner ? -1 : 1))
}
