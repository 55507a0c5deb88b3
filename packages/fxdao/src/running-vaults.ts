// The vaults that an operation touched, carried from before it to after it, step by step.

import type { Address } from '@orrery/ledger'
import { RATE_ONE } from './entries.ts'
import { vaultName } from './state.ts'
import type { Amounts, VaultChange } from './step.ts'

/** One vault's net change in an operation, as its entry tells. */
export interface NetChange {
  readonly owner: Address
  readonly denomination: string
  readonly before: Amounts | null
  readonly after: Amounts | null
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

  /** Denominations of the account's vaults that are not yet what the entries say. */
  unexplainedOf(owner: Address): string[] {
    return this.unexplained()
      .filter((it) => it.owner === owner)
      .map((it) => it.denomination)
  }

  /** Vaults whose amounts are not yet what the entries say. */
  unexplained(): (NetChange & { readonly now: Amounts | null })[] {
    return [...this.#now.values()].filter(({ now, after }) => now?.collateral !== after?.collateral || now?.debt !== after?.debt)
  }

  /** Existing vaults of a currency that still have to change, lowest index first: the order in which they are redeemed and liquidated. */
  lowest(denomination: string): { readonly owner: Address; readonly amounts: Amounts }[] {
    return this.unexplained()
      .flatMap(({ owner, denomination: of, now }) => (of === denomination && now !== null ? [{ owner, amounts: now }] : []))
      .sort((a, b) => compare(indexOf(a.amounts), indexOf(b.amounts)) || (a.owner < b.owner ? -1 : 1))
  }

  /** Moves a vault on, and says from what to what. */
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
