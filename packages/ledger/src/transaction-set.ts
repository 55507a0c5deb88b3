// The transaction set: envelopes in hash order, which is not the order in which they were applied.
// It is walked once, reading only footprints; an envelope is hashed when it may belong to a relevant transaction.

import { hash } from 'node:crypto'
import { skip } from './skip.ts'
import type { TrackedSet } from './tracked-set.ts'
import { unknownArm, unreadable } from './unreadable.ts'

const CONTRACT_DATA = 6

/** Offsets in one envelope, in bytes from the ledger's start. */
export interface Envelope {
  /** Of the discriminant. */
  readonly at: number
  /** End of the signed part, where the outer signatures begin. */
  readonly signedEnd: number
  /** Of the fee source (a MuxedAccount), or null when it is no fee bump. */
  readonly feeSourceAt: number | null
  /** Of the inner transaction's source (a MuxedAccount); of version 0 envelopes the bare key. */
  readonly sourceAt: number
  /** Of the inner transaction's memo. */
  readonly memoAt: number
  /** Of the count of operations. */
  readonly operationsAt: number
  /** Of the footprint (two lists of keys), or null. */
  readonly footprintAt: number | null
}

/** The offsets of an envelope that its hash needs. */
export type Candidate = Pick<Envelope, 'at' | 'signedEnd'>

export interface TransactionSet {
  /** End of the set. */
  readonly end: number
  /** Envelopes whose footprint names something tracked. */
  readonly candidates: readonly Candidate[]
}

/** Walks the set that begins at `at`. */
export function readTransactionSet(view: DataView, at: number, tracked: TrackedSet): TransactionSet {
  const candidates: Candidate[] = []
  const end = walkTransactionSet(view, at, (envelope) => {
    const arm = view.getUint32(envelope)
    let p: number
    if (arm === 2) p = skipTransaction(view, envelope + 4, tracked)
    else if (arm === 5) p = skipFeeBump(view, envelope, tracked)
    else if (arm === 0) p = skip.TransactionV0(view, envelope + 4)
    else throw unknownArm('TransactionEnvelope', envelope, arm)
    if (p < 0) {
      p = -p
      candidates.push({ at: envelope, signedEnd: p })
    }
    return skip.DecoratedSignatures(view, p)
  })
  return { end, candidates }
}

/** Calls `visit` with the offset of each envelope; it returns the envelope's end. Returns the end of the set. */
export function walkTransactionSet(view: DataView, at: number, visit: (envelope: number) => number): number {
  if (view.getInt32(at) !== 1) throw unknownArm('GeneralizedTransactionSet', at, view.getInt32(at))
  const envelopes = (from: number): number => list(view, from, visit)
  const component = (from: number): number => {
    if (view.getInt32(from) !== 0) throw unknownArm('TxSetComponent', from, view.getInt32(from))
    return envelopes(skipBaseFee(view, from + 4))
  }
  return list(view, at + 36, (phase) => {
    const arm = view.getInt32(phase)
    if (arm === 0) return list(view, phase + 4, component)
    if (arm !== 1) throw unknownArm('TransactionPhase', phase, arm)
    // Stages of clusters of envelopes.
    return list(view, skipBaseFee(view, phase + 4), (stage) => list(view, stage, envelopes))
  })
}

function list(view: DataView, at: number, item: (at: number) => number): number {
  const count = view.getUint32(at)
  let p = at + 4
  for (let n = 0; n < count; n++) p = item(p)
  return p
}

/** `baseFee: i64?`. */
function skipBaseFee(view: DataView, p: number): number {
  const flag = view.getUint32(p)
  if (flag > 1) throw unreadable('TxSetComponent', p, `a flag is ${flag}`, flag)
  return p + 4 + flag * 8
}

/** Returns the end, negative when the footprint names something tracked: the walk must not allocate for skipped envelopes. */
function skipTransaction(view: DataView, at: number, tracked: TrackedSet): number {
  const extAt = skipOperations(view, operationsAt(view, at))
  const arm = view.getUint32(extAt)
  if (arm === 0) return extAt + 4
  if (arm !== 1) throw unknownArm('TransactionExt', extAt, arm)
  return skipSorobanData(view, extAt + 4, tracked)
}

function skipFeeBump(view: DataView, envelope: number, tracked: TrackedSet): number {
  const innerAt = innerTransactionAt(view, envelope)
  const end = skipTransaction(view, innerAt, tracked)
  const extAt = skip.DecoratedSignatures(view, Math.abs(end))
  if (view.getInt32(extAt) !== 0) throw unknownArm('FeeBumpTransactionExt', extAt, view.getInt32(extAt))
  return end < 0 ? -(extAt + 4) : extAt + 4
}

/** FeeBumpTransaction: feeSource, fee i64, then the arm of the inner envelope. */
function innerTransactionAt(view: DataView, envelope: number): number {
  const armAt = skip.MuxedAccount(view, envelope + 4) + 8
  if (view.getUint32(armAt) !== 2) throw unknownArm('FeeBumpTransactionInnerTx', armAt, view.getInt32(armAt))
  return armAt + 4
}

/** Transaction: source, fee u32, seqNum i64, conditions, memo, operations. */
function operationsAt(view: DataView, at: number): number {
  return skip.Memo(view, memoAt(view, at))
}

function memoAt(view: DataView, at: number): number {
  return skip.Preconditions(view, skip.MuxedAccount(view, at) + 12)
}

function skipOperations(view: DataView, at: number): number {
  const count = view.getUint32(at)
  let p = at + 4
  for (let n = 0; n < count; n++) p = skip.Operation(view, p)
  return p
}

function skipSorobanData(view: DataView, at: number, tracked: TrackedSet): number {
  const footprint = footprintAt(view, at)
  let found = false
  let p = footprint
  for (let half = 0; half < 2; half++) {
    const count = view.getUint32(p)
    p += 4
    for (let n = 0; n < count; n++) {
      found ||= isTrackedKey(view, p, tracked)
      p = skip.LedgerKey(view, p)
    }
  }
  // SorobanResources: instructions, diskReadBytes, writeBytes u32; resourceFee i64.
  p += 20
  return found ? -p : p
}

/** SorobanTransactionData: ext (nothing, or indexes of archived entries), then the footprint. */
function footprintAt(view: DataView, at: number): number {
  const arm = view.getUint32(at)
  if (arm === 0) return at + 4
  if (arm !== 1) throw unknownArm('SorobanTransactionDataExt', at, arm)
  const count = view.getUint32(at + 4)
  if (count * 4 > view.byteLength - at)
    throw unreadable('SorobanResourcesExtV0', at + 4, `${count} items are announced, more than can follow`, count)
  return at + 8 + count * 4
}

/** Whether the LedgerKey at `p` is contract data that is tracked. */
export function isTrackedKey(view: DataView, p: number, tracked: TrackedSet): boolean {
  return view.getUint32(p) === CONTRACT_DATA && view.getUint32(p + 4) === 1 && tracked.hasEntryAt(view, p + 8, p + 40)
}

/** The offsets in an envelope that was walked before. */
export function locateEnvelope(view: DataView, at: number): Envelope {
  const arm = view.getUint32(at)
  if (arm === 0) {
    const end = skip.TransactionV0(view, at + 4)
    // TransactionV0: key b32, fee u32, seqNum i64, time bounds, memo.
    const memo = skip.OptionalTimeBounds(view, at + 4 + 44)
    return { at, signedEnd: end, feeSourceAt: null, sourceAt: at + 4, memoAt: memo, operationsAt: end, footprintAt: null }
  }
  const sourceAt = arm === 5 ? innerTransactionAt(view, at) : at + 4
  const operations = operationsAt(view, sourceAt)
  const extAt = skipOperations(view, operations)
  const soroban = view.getUint32(extAt) === 1
  const innerEnd = soroban ? skip.SorobanTransactionData(view, extAt + 4) : extAt + 4
  return {
    at,
    signedEnd: arm === 5 ? skip.DecoratedSignatures(view, innerEnd) + 4 : innerEnd,
    feeSourceAt: arm === 5 ? at + 4 : null,
    sourceAt,
    memoAt: memoAt(view, sourceAt),
    operationsAt: operations,
    footprintAt: soroban ? footprintAt(view, extAt + 4) : null,
  }
}

/**
 * The transaction's hash, as hex: SHA-256 over network id, envelope type and transaction. The type precedes the transaction
 * in the envelope as well; only version 0 is hashed as if it were version 1 (type 2, key type 0).
 */
export function hashEnvelope(bytes: Uint8Array, view: DataView, { at, signedEnd }: Candidate, networkId: Uint8Array): string {
  const old = view.getUint32(at) === 0
  const signed = bytes.subarray(old ? at + 4 : at, signedEnd)
  const prefix = old ? 8 : 0
  const message = new Uint8Array(32 + prefix + signed.length)
  message.set(networkId)
  if (old) message[35] = 2
  message.set(signed, 32 + prefix)
  return hash('sha256', message, 'hex')
}
