// Extracts header facts and records of tracked contracts from one ledger's bytes. Pure.
// Three steps: walk everything and note offsets; find the envelopes of the relevant transactions; read the records.

import { OrreryError } from '@orrery/errors'
import { readCalls } from './calls.ts'
import { durabilityAt, OperationChanges } from './entries.ts'
import { readEvents } from './events.ts'
import { hexOf } from './hex.ts'
import { withProtocolNamed } from './newer-ledger.ts'
import { openLedger, withinBounds } from './read-header.ts'
import type { Address, EvictionRecord, LedgerExtract, LedgerRecord, TransactionFacts } from './record.ts'
import { Scan, type TransactionHit } from './scan.ts'
import { skip } from './skip.ts'
import { accountId, contractId } from './strkey.ts'
import type { TrackedSet } from './tracked-set.ts'
import {
  type Candidate,
  type Envelope,
  hashEnvelope,
  isTrackedKey,
  locateEnvelope,
  readTransactionSet,
  type TransactionSet,
  walkTransactionSet,
} from './transaction-set.ts'
import { unreadable } from './unreadable.ts'

/**
 * Extracts the tracked records of a LedgerCloseMeta. `record.ts` documents their fields and their order.
 *
 * Returns views into `bytes`: records keep the ledger in memory, and the bytes must not be changed.
 * TTLs of one ledger are those that each parallel cluster reports (CAP-63): keep the largest.
 *
 * @throws OrreryError `corrupt`/`ledger_unreadable` with type, offset and the found value; `corrupt`/`envelope_missing` when the set
 *   belongs to another network; `invalid`/`ledger_version_unsupported` for ledgers from before protocol 20;
 *   `invalid`/`ledger_newer_than_build` when only a newer protocol explains the ledger.
 */
export function extractLedger(bytes: Uint8Array, tracked: TrackedSet): LedgerExtract {
  // Views of a Buffer are Buffers, which are larger and not equal to a Uint8Array in comparisons.
  const plain = bytes.constructor === Uint8Array ? bytes : new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  return withProtocolNamed(plain, () => withinBounds(plain, (view) => extract(plain, view, tracked)))
}

function extract(plain: Uint8Array, view: DataView, tracked: TrackedSet): LedgerExtract {
  const { version, header, txSetAt } = openLedger(plain, view)
  const txSet = readTransactionSet(view, txSetAt, tracked)
  const scan = new Scan(view, tracked, txSet.candidates.length > 0)
  const tailAt = scan.transactions(txSet.end, version)
  const evictions = readTail(plain, view, tailAt, version, tracked)

  const transactions: TransactionFacts[] = []
  const records: LedgerRecord[] = []
  if (scan.hits.length > 0) {
    const envelopes = new EnvelopeFinder(plain, view, txSetAt, txSet, tracked)
    for (const hit of scan.hits) takeTransaction(plain, view, tracked, hit, envelopes, transactions, records)
  }
  records.push(...evictions)
  return { header, transactions, records }
}

/** The part after the transactions: upgrades, SCP history, size of the state, evicted keys. All bytes must be used up. */
function readTail(bytes: Uint8Array, view: DataView, at: number, version: 1 | 2, tracked: TrackedSet): EvictionRecord[] {
  const records: EvictionRecord[] = []
  const keysAt = skip.ScpHistoryEntries(view, skip.UpgradeEntryMetas(view, at)) + 8
  let p = keysAt + 4
  for (let count = view.getUint32(keysAt); count > 0; count--) {
    const next = skip.LedgerKey(view, p)
    // The list also has keys of TTLs and of code.
    if (isTrackedKey(view, p, tracked)) {
      const key = bytes.subarray(p + 40, next - 4)
      records.push({
        kind: 'evicted',
        tx: -1,
        opIndex: 0,
        contract: contractId(bytes, p + 8),
        key,
        durability: durabilityAt(view, next - 4),
      })
    }
    p = next
  }
  if (version === 1) {
    if (view.getUint32(p) !== 0) throw unreadable('LedgerCloseMetaV1', p, 'the unused list is not empty', view.getUint32(p))
    p += 4
  }
  if (p !== bytes.length) throw unreadable('LedgerCloseMeta', p, `${bytes.length - p} bytes are left over`, bytes.length - p)
  return records
}

function takeTransaction(
  bytes: Uint8Array,
  view: DataView,
  tracked: TrackedSet,
  hit: TransactionHit,
  envelopes: EnvelopeFinder,
  transactions: TransactionFacts[],
  records: LedgerRecord[],
): void {
  const hash = hexOf(bytes, hit.resultAt, 32)
  const touched = hit.operations.some((operation) => operation.touched)
  const envelope = touched ? envelopes.get(hash, hit.resultAt) : envelopes.candidate(hash)
  // Only TTLs changed, and the footprint names nothing tracked.
  if (envelope === null) return
  const tx = transactions.length
  const before = records.length
  for (const { opIndex, changesAt, eventsAt, touched, hasTtl } of hit.operations) {
    const changes = new OperationChanges(bytes, view, changesAt, tracked)
    const ttls = hasTtl && envelope.footprintAt !== null ? changes.resolveTtls(envelope.footprintAt, tracked, tx, opIndex) : []
    if (touched) records.push(...changes.records(tx, opIndex))
    records.push(...ttls)
    if (!touched) continue
    if (eventsAt !== null) records.push(...readEvents(bytes, view, eventsAt, tx, opIndex))
    records.push(...readCalls(bytes, view, envelope.operationsAt, tx, opIndex))
  }
  if (records.length > before) transactions.push(transactionFacts(bytes, view, hash, hit, envelope))
}

function transactionFacts(bytes: Uint8Array, view: DataView, hash: string, hit: TransactionHit, envelope: Envelope): TransactionFacts {
  const bumped = envelope.feeSourceAt !== null
  return {
    hash,
    txOrder: hit.txOrder,
    source: view.getUint32(envelope.at) === 0 ? accountId(bytes, envelope.sourceAt) : muxedSource(bytes, view, envelope.sourceAt),
    feeSource: envelope.feeSourceAt === null ? null : muxedSource(bytes, view, envelope.feeSourceAt),
    // TransactionResult of a fee bump: feeCharged i64 | code i32 | hash of the inner transaction.
    innerHash: bumped ? hexOf(bytes, hit.resultAt + 44, 32) : null,
    // TransactionResultPair: hash b32 | feeCharged i64. Of a fee bump: the outer result, which has the whole charge.
    feeCharged: view.getBigInt64(hit.resultAt + 32),
    memo: memoBytes(bytes, view, envelope.memoAt),
  }
}

/** Null for the memo of type none. */
function memoBytes(bytes: Uint8Array, view: DataView, at: number): Uint8Array | null {
  return view.getUint32(at) === 0 ? null : bytes.subarray(at, skip.Memo(view, at))
}

/** The account of a MuxedAccount: its key, after the id if it is muxed. */
function muxedSource(bytes: Uint8Array, view: DataView, at: number): Address {
  return accountId(bytes, view.getUint32(at) === 0 ? at + 4 : at + 12)
}

/** Joins results and envelopes by hash. Most envelopes are never hashed, because their transactions are not relevant. */
class EnvelopeFinder {
  readonly #bytes: Uint8Array
  readonly #view: DataView
  readonly #txSetAt: number
  readonly #tracked: TrackedSet
  /** Offsets by hash. */
  readonly #known = new Map<string, number>()
  #complete = false

  constructor(bytes: Uint8Array, view: DataView, txSetAt: number, { candidates }: TransactionSet, tracked: TrackedSet) {
    this.#bytes = bytes
    this.#view = view
    this.#txSetAt = txSetAt
    this.#tracked = tracked
    for (const candidate of candidates) this.#hash(candidate)
  }

  /** The envelope, if its footprint names something tracked. */
  candidate(hash: string): Envelope | null {
    const at = this.#known.get(hash)
    return at === undefined ? null : locateEnvelope(this.#view, at)
  }

  /** @param offset Offset of the result, for the error. */
  get(hash: string, offset: number): Envelope {
    const candidate = this.candidate(hash)
    if (candidate !== null) return candidate
    // A classic payment can emit an event of a tracked token and has no footprint: then all envelopes are hashed.
    if (!this.#complete) {
      walkTransactionSet(this.#view, this.#txSetAt, (at) => {
        this.#hash(locateEnvelope(this.#view, at))
        return skip.TransactionEnvelope(this.#view, at)
      })
      this.#complete = true
    }
    const envelope = this.candidate(hash)
    if (envelope !== null) return envelope
    const message = `Transaction ${hash} has a result but no envelope. Check the network passphrase: transaction hashes depend on it.`
    throw new OrreryError('corrupt', 'envelope_missing', message, {
      context: { transaction: hash, offset, passphrase: this.#tracked.passphrase },
    })
  }

  #hash(candidate: Candidate): void {
    this.#known.set(hashEnvelope(this.#bytes, this.#view, candidate, this.#tracked.networkId), candidate.at)
  }
}
