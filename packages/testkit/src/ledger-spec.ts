// The description of a ledger for a test. Everything has a default; a test names only what it needs.

import type { Address, ContractId, ScVal } from '@orrery/ledger'

export interface LedgerSpec {
  /** Default: one more than the last ledger's. */
  readonly sequence?: number
  /** Unix seconds. Default: the last ledger's plus the builder's interval. */
  readonly closeTimeSeconds?: number
  /** Milliseconds after `closeTimeSeconds`, written by protocols from 30 on. */
  readonly closeTimeMillis?: number
  /** Default: the builder's. Also applies to later ledgers. */
  readonly protocolVersion?: number
  /** Version of LedgerCloseMeta. Default: 1 before protocol 23, else 2. */
  readonly version?: 0 | 1 | 2
  /** Version of every TransactionMeta. Default: 3 before protocol 23, else 4. */
  readonly metaVersion?: 3 | 4
  /** In apply order. */
  readonly transactions?: readonly TransactionSpec[]
  /** Keys that the end of the ledger evicted. */
  readonly evicted?: readonly EntryKeySpec[]
  /** Protocol that this ledger's upgrade leads to, from the next ledger on. */
  readonly upgradeTo?: number
  /** Consensus dropped the transaction set (protocols from 28 on). */
  readonly emptyTxSet?: boolean
}

export interface TransactionSpec {
  /** `G...` or `M...`. Default: an account by the name of `source`. */
  readonly source?: Address
  /** Who pays a fee bump, `G...` or `M...`. Default: no fee bump. */
  readonly feeSource?: Address
  /** Default: the text `built`. */
  readonly memo?: MemoSpec
  /** Failed transactions have their position, their fee and their diagnostics, and no other changes. */
  readonly failed?: boolean
  /** Writes the envelope in version 0: classic operations only. */
  readonly oldEnvelope?: boolean
  readonly operations: readonly OperationSpec[]
  /** Keys that the footprint names besides those of the operation's changes. */
  readonly footprint?: { readonly readOnly?: readonly EntryKeySpec[]; readonly readWrite?: readonly EntryKeySpec[] }
}

/** Text as bytes where it is not UTF-8. */
export type MemoSpec =
  | 'none'
  | { readonly text: string | Uint8Array }
  | { readonly id: bigint }
  | { readonly hash: Uint8Array }
  | { readonly return: Uint8Array }

export interface OperationSpec {
  /** Default: `invoke`. A transaction has one of the contract kinds, or any number of payments. */
  readonly kind?: 'invoke' | 'create' | 'extend' | 'restore' | 'payment'
  /** The operation's own call, for `invoke`. */
  readonly call?: CallSpec
  readonly auth?: readonly AuthSpec[]
  readonly events?: readonly EventSpec[]
  readonly changes?: readonly ChangeSpec[]
}

export interface CallSpec {
  readonly contract: ContractId
  readonly function: string
  readonly args?: readonly ScVal[]
}

/** A node of an authorised tree. `create` is the creation of a contract. */
export type InvocationSpec = (CallSpec | 'create') | { readonly call: CallSpec | 'create'; readonly under: readonly InvocationSpec[] }

export interface AuthSpec {
  /** Null or absent: the source account's own credentials. */
  readonly authorizer?: Address | null
  readonly root: InvocationSpec
}

export interface EventSpec {
  /** Null: a system event without a contract. */
  readonly contract: ContractId | null
  /** Default: `contract`. */
  readonly type?: 'contract' | 'system' | 'diagnostic'
  readonly topics: readonly ScVal[]
  readonly data: ScVal
}

export interface EntryKeySpec {
  /** A contract's data; nonces of accounts have `G...` here. */
  readonly contract: Address
  readonly key: ScVal
  /** Default: `persistent`. */
  readonly durability?: 'temporary' | 'persistent'
}

/** What an operation did to one entry. The builder writes the pairs of core: STATE and UPDATED, RESTORED and so on. */
export type ChangeSpec = EntryKeySpec &
  (
    | { readonly change: 'created'; readonly value: ScVal; readonly liveUntil?: number }
    | { readonly change: 'updated'; readonly before: ScVal; readonly value: ScVal; readonly liveUntil?: number }
    | { readonly change: 'removed'; readonly before: ScVal }
    /** `before`: the restored value, where the same operation then updates or (without a value) removes the entry. */
    | { readonly change: 'restored'; readonly before?: ScVal; readonly value: ScVal | null; readonly liveUntil?: number }
    /** Only the entry's TTL. `from`: its value before, unless the operation created it. */
    | { readonly change: 'ttl'; readonly from?: number; readonly liveUntil: number }
  )
