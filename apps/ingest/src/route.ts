// Sorts one ledger's records into the partitions of one protocol: owned, shared, context.
// A partition gets all records of each operation that touches it, and of no other operation.

import { assert } from '@orrery/errors'
import type { LedgerExtract, LedgerRecord, TransactionFacts } from '@orrery/ledger'
import type { Network, RecordClass, SliceRecord } from '@orrery/protocol-kit'
import type { ProtocolTracking } from './tracking.ts'

/** The records of one ledger for one partition. */
export interface PartitionShare {
  readonly transactions: readonly TransactionFacts[]
  readonly records: readonly SliceRecord[]
}

interface Place {
  /** Partitions that own the record: one, or two when it is both a pool's own entry and another pool's token balance. */
  readonly owners: readonly number[]
  readonly shared: boolean
}

const NOWHERE: Place = { owners: [], shared: false }

/** The shares of all partitions, by number. */
export function routeLedger(extract: LedgerExtract, protocol: ProtocolTracking, network: Network): PartitionShare[] {
  const places = extract.records.map((record) => placeOf(record, protocol, network))
  const shares = Array.from({ length: protocol.partitions }, () => new ShareBuilder(extract.transactions))
  if (places.every((place) => place === NOWHERE)) return shares
  const touched = partitionsTouched(extract.records, places)
  for (const [n, record] of extract.records.entries()) {
    const { owners, shared } = places[n] ?? NOWHERE
    for (const owner of owners) shares[owner]?.add('owned', record)
    const others = shared ? shares.keys() : travels(record) ? touched.get(operationOf(record)) : undefined
    for (const partition of others ?? []) {
      if (!owners.includes(partition)) shares[partition]?.add(shared ? 'shared' : 'context', record)
    }
  }
  return shares
}

/** Events and calls are context of their operation; entries and TTLs go to their owners only. */
function travels(record: LedgerRecord): boolean {
  return record.kind === 'event' || record.kind === 'call'
}

function placeOf(record: LedgerRecord, protocol: ProtocolTracking, network: Network): Place {
  if (record.contract === null) return NOWHERE
  const owners: number[] = []
  let shared = false
  const source = protocol.contracts.get(record.contract)
  if (source) {
    const route = protocol.routing.route(record, source, network)
    shared = route.shared
    if (route.owned) {
      const home = route.home ?? source.home
      assert(home !== null, 'A contract without a home owns nothing.', { contract: source.contract, role: source.role })
      owners.push(protocol.partitionOfHome(home))
    }
  }
  const holder = 'key' in record ? protocol.holderOf(record.contract, record.key) : undefined
  if (holder?.home) {
    const owner = protocol.partitionOfHome(holder.home)
    if (!owners.includes(owner)) owners.push(owner)
  }
  // Of a contract without an owner only bootstrap entries come here: the facts of a token concern every partition.
  if (!source && !holder && record.kind === 'entry' && record.change === 'bootstrap') shared = true
  return owners.length === 0 && !shared ? NOWHERE : { owners, shared }
}

/** Operation -> the partitions that own something in it. Shared records do not count: they would send every operation to all partitions. */
function partitionsTouched(records: readonly LedgerRecord[], places: readonly Place[]): Map<number, Set<number>> {
  const touched = new Map<number, Set<number>>()
  for (const [n, record] of records.entries()) {
    const owners = places[n]?.owners ?? []
    if (record.tx < 0 || owners.length === 0) continue
    const operation = operationOf(record)
    const partitions = touched.get(operation) ?? new Set()
    for (const owner of owners) partitions.add(owner)
    touched.set(operation, partitions)
  }
  return touched
}

/** One number for (transaction, operation): an envelope has at most 100 operations. */
function operationOf({ tx, opIndex }: LedgerRecord): number {
  return tx * 0x1_0000 + opIndex
}

/** Collects a partition's records and the transactions that they name, renumbered. */
class ShareBuilder implements PartitionShare {
  readonly transactions: TransactionFacts[] = []
  readonly records: SliceRecord[] = []
  readonly #all: readonly TransactionFacts[]
  readonly #numbers = new Map<number, number>()

  constructor(all: readonly TransactionFacts[]) {
    this.#all = all
  }

  add(recordClass: RecordClass, record: LedgerRecord): void {
    const tx = this.#number(record.tx)
    this.records.push({ class: recordClass, record: tx === record.tx ? record : { ...record, tx } })
  }

  #number(tx: number): number {
    if (tx < 0) return tx
    let number = this.#numbers.get(tx)
    if (number === undefined) {
      const transaction = this.#all[tx]
      assert(transaction, 'A record names a transaction of its extract.', { tx })
      number = this.transactions.push(transaction) - 1
      this.#numbers.set(tx, number)
    }
    return number
  }
}
