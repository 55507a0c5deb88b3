// The extract of a ledger: facts of its header and of relevant transactions, and records.
// XDR of values stays as bytes (views into the ledger's buffer), which `scval.ts` reads on demand.
// Failed transactions contribute nothing. Diagnostic events are never records: they repeat contract events.

/** A contract address as strkey, `C...`. */
export type ContractId = string
/** Any address as strkey: account `G...`, contract `C...`, muxed account `M...`, muxed contract `W...`, claimable balance `B...`, pool `L...`. */
export type Address = string

/** Header facts of one ledger. */
export interface LedgerHeaderFacts {
  readonly sequence: number
  /** Unix seconds. May repeat from protocol 30 on: never a key. */
  readonly closeTimeSeconds: number
  /** 64 hex characters. */
  readonly hash: string
  /** 64 hex characters: the hash of ledger `sequence - 1`. */
  readonly previousHash: string
  readonly protocolVersion: number
}

/** A successful transaction that has at least one record. */
export interface TransactionFacts {
  /** 64 hex characters. Of a fee bump: the outer hash. */
  readonly hash: string
  /** Apply order, from 1, failed transactions counted. */
  readonly txOrder: number
  /** Source account of the (inner) transaction as `G...`; a muxed source gives its account. */
  readonly source: Address
  /** The account that paid the fee bump as `G...`, or null when there is none. */
  readonly feeSource: Address | null
  /** Hash of the inner transaction of a fee bump, or null. */
  readonly innerHash: string | null
  /**
   * What the network charged for the whole transaction, in stroops, after the refund of unused resource fees. The fee source paid it, or the source
   * when there is none. Null in slices that builds before this member wrote.
   */
  readonly feeCharged: bigint | null
  /** XDR of the (inner) transaction's memo, for `readMemo`. Null without one. */
  readonly memo: Uint8Array | null
}

interface InTransaction {
  /** Index into `transactions` of the extract (or slice) that holds the record. -1: no transaction (evictions, bootstrap entries). */
  readonly tx: number
  /** From 0. */
  readonly opIndex: number
}

/** A contract event of an operation. */
export interface EventRecord extends InTransaction {
  readonly kind: 'event'
  /** Index among the events of its operation, from 0. */
  readonly index: number
  /** Null for the rare system event without a contract. */
  readonly contract: ContractId | null
  readonly type: 'contract' | 'system'
  /** XDR of `ScVal[]`: u32 count, then the topics. */
  readonly topics: Uint8Array
  /** XDR of the data `ScVal`. */
  readonly data: Uint8Array
}

/**
 * The net change of one contract-data entry by one operation.
 *
 * | change    | value           | before                                    |
 * |-----------|-----------------|-------------------------------------------|
 * | created   | new             | null                                      |
 * | updated   | new             | old (the STATE of the meta)               |
 * | removed   | null            | old                                       |
 * | restored  | new             | the restored value (RESTORED, then perhaps UPDATED) |
 * | bootstrap | as of its read  | the same where it certainly was the value before this ledger, else null |
 *
 * Bootstrap: read once from an RPC and logged, not of this ledger. `value` may be years later and is no state; `before` is a pre-image. TTLs
 * never decrease, so an entry that is live until `liveUntil` has been live since then.
 */
export interface EntryRecord extends InTransaction {
  readonly kind: 'entry'
  /** Index among the changes of its operation, from 0, of the change with `value`. */
  readonly index: number
  readonly change: 'created' | 'updated' | 'removed' | 'restored' | 'bootstrap'
  readonly contract: ContractId
  /** XDR of the key `ScVal`. */
  readonly key: Uint8Array
  readonly durability: 'temporary' | 'persistent'
  readonly value: Uint8Array | null
  readonly before: Uint8Array | null
  /** Last ledger at which the entry is live, if this operation changed it, else null. */
  readonly liveUntil: number | null
}

/** A TTL change of a tracked entry whose value did not change in that operation. */
export interface TtlRecord extends InTransaction {
  readonly kind: 'ttl'
  readonly contract: ContractId
  readonly key: Uint8Array
  readonly durability: 'temporary' | 'persistent'
  readonly liveUntil: number
}

/** An entry that core evicted at the end of the ledger. A persistent entry is archived, not deleted. `tx` is -1. */
export interface EvictionRecord extends InTransaction {
  readonly kind: 'evicted'
  readonly contract: ContractId
  readonly key: Uint8Array
  readonly durability: 'temporary' | 'persistent'
}

/**
 * One contract call that the transaction authorised. Index 0 is the operation's own call, then the calls of the
 * authorisation entries follow in their order, each tree in pre-order.
 */
export interface CallRecord extends InTransaction {
  readonly kind: 'call'
  /** Pre-order index over the operation's call and all authorisation trees, from 0. */
  readonly index: number
  /** `index` of the calling call, or -1 for the operation's own call and for the root of an authorisation tree. */
  readonly parent: number
  /** The address that authorised the tree, or null for the source account's own credentials and for the operation's own call. */
  readonly authorizer: Address | null
  readonly contract: ContractId
  readonly function: string
  /** XDR of `ScVal[]`. */
  readonly args: Uint8Array
}

export type LedgerRecord = EventRecord | EntryRecord | TtlRecord | EvictionRecord | CallRecord

/** The result of `extractLedger`. Records are ordered by transaction and operation; inside an operation entries, TTLs, events, calls; evictions last. */
export interface LedgerExtract {
  readonly header: LedgerHeaderFacts
  readonly transactions: readonly TransactionFacts[]
  readonly records: readonly LedgerRecord[]
}
