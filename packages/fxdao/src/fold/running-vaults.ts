// The vaults that an operation touched, updated step by step from their amounts before it to those after it.

import type { OperationRecords } from '@orrery/fold-kit'
import type { Address, ContractId } from '@orrery/ledger'
import { RATE_ONE, readVault, readVaultsKey } from '../chain/entries.ts'
import { vaultName } from '../state/state.ts'
import type { Amounts, VaultChange } from './step.ts'

/** One vault's net change in an operation, from its entry. */
export interface NetChange {
  readonly owner: Address
  readonly denomination: string
  readonly before: Amounts | null
  readonly after: Amounts | null
}

/** Net changes of the vaults in an operation. Includes neighbours whose place in the list changed and whose amounts did not. */
export function netChanges({ entries }: OperationRecords, vaults: ContractId): NetChange[] {
  return entries.flatMap(({ record }) => {
    if (record.contract !== vaults || record.change === 'bootstrap') return []
    const key = readVaultsKey(record.key)
    if (key.kind !== 'vault') return []
    return [{ owner: key.owner, denomination: key.denomination, before: amountsOf(record.before), after: amountsOf(record.value) }]
  })
}

function amountsOf(value: Uint8Array | null): Amounts | null {
  const vault = value === null ? null : readVault(value)
  return vault === null ? null : { collateral: vault.collateral, debt: vault.debt }
}

/** A vault at its place in the list of its currency. */
export interface ListedVault {
  readonly owner: Address
  readonly amounts: Amounts
  readonly index: bigint
  /** The operation leaves the account without it. */
  readonly isRemoved: boolean
}

/** Index of a place in the list: floor(10^9 · collateral / debt). Source: contracts/vaults/src/utils/indexes.rs */
const INDEX_ONE = 100n * RATE_ONE

export class RunningVaults {
  readonly #now = new Map<string, NetChange & { now: Amounts | null }>()

  constructor(changes: readonly NetChange[]) {
    for (const change of changes) this.#now.set(vaultName(change.owner, change.denomination), { ...change, now: change.before })
  }

  of(owner: Address, denomination: string): Amounts | null {
    return this.#now.get(vaultName(owner, denomination))?.now ?? null
  }

  /** Whether the operation wrote the vault's entry. */
  isTouched(owner: Address, denomination: string): boolean {
    return this.#now.has(vaultName(owner, denomination))
  }

  /** Whether the operation leaves the account without a vault. */
  isRemoved(owner: Address, denomination: string): boolean {
    return this.#now.get(vaultName(owner, denomination))?.after === null
  }

  /** Debt that the vault's entry has gained and no step explains yet. */
  unexplainedDebt(owner: Address, denomination: string): bigint {
    const vault = this.#now.get(vaultName(owner, denomination))
    return (vault?.after?.debt ?? 0n) - (vault?.now?.debt ?? 0n)
  }

  /** Vaults whose amounts differ from their entries after the operation. */
  unexplained(): (NetChange & { readonly now: Amounts | null })[] {
    return [...this.#now.values()].filter(({ now, after }) => now?.collateral !== after?.collateral || now?.debt !== after?.debt)
  }

  /**
   * Existing vaults of a currency that still have to change, lowest index first: the order in which they are redeemed and liquidated.
   * The order of vaults with the same index is unknown: those that are removed afterwards come first. Where all match their entries already, one
   * was taken and opened again.
   */
  lowest(denomination: string): ListedVault[] {
    const changing = this.#listed(this.unexplained(), denomination)
    return changing.length > 0 ? changing : this.#listed([...this.#now.values()], denomination)
  }

  #listed(vaults: readonly (NetChange & { readonly now: Amounts | null })[], denomination: string): ListedVault[] {
    return vaults
      .flatMap(({ owner, denomination: of, now, after }) => {
        return of === denomination && now !== null ? [{ owner, amounts: now, index: indexOf(now), isRemoved: after === null }] : []
      })
      .sort((a, b) => compare(a.index, b.index) || Number(b.isRemoved) - Number(a.isRemoved) || (a.owner < b.owner ? -1 : 1))
  }

  /** Updates a vault, and returns the change. */
  set(owner: Address, denomination: string, after: Amounts | null): VaultChange {
    const name = vaultName(owner, denomination)
    const known = this.#now.get(name)
    this.#now.set(name, { ...(known ?? { owner, denomination, before: null, after: null }), now: after })
    return { owner, before: known?.now ?? null, after }
  }
}

function indexOf({ collateral, debt }: Amounts): bigint {
  return debt === 0n ? 0n : (INDEX_ONE * collateral) / debt
}

function compare(a: bigint, b: bigint): number {
  return a === b ? 0 : a < b ? -1 : 1
}
