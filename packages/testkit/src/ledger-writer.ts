// The XDR of a ledger's outer parts: header, transaction set, tail. The counterpart of the reader, without shared code.

import { hash } from 'node:crypto'
import { XdrWriter } from '@orrery/ledger'
import { putDataKey, putTtlKey } from './entry-writer.ts'
import type { EntryKeySpec } from './ledger-spec.ts'

const ZEROES = new Uint8Array(32)
const SIGNATURE = new Uint8Array(64).fill(0x51)
/** Protocols that introduced new shapes. */
const PARALLEL_SOROBAN = 23
const MILLISECONDS = 30

export interface HeaderParts {
  readonly sequence: number
  readonly closeTimeSeconds: number
  readonly closeTimeMillis: number
  readonly protocolVersion: number
  readonly previousHash: Uint8Array
  readonly upgradeTo: number | null
  readonly emptyTxSet: boolean
}

/** LedgerHeaderHistoryEntry, with the true hash of the header. */
export function writeHeader(parts: HeaderParts): { readonly bytes: Uint8Array; readonly hash: Uint8Array } {
  const header = new XdrWriter()
  header.u32(parts.protocolVersion).raw(parts.previousHash)
  putStellarValue(header, parts)
  // txSetResultHash, bucketListHash | ledgerSeq | totalCoins, feePool | inflationSeq | idPool | baseFee, baseReserve, maxTxSetSize
  header.raw(ZEROES).raw(ZEROES).u32(parts.sequence).i64(0n).i64(0n).u32(0).u64(0n).u32(100).u32(5_000_000).u32(1000)
  for (let n = 0; n < 4; n++) header.raw(ZEROES)
  header.u32(0)
  const digest = sha256(header.done())
  return { bytes: new XdrWriter().raw(digest).raw(header.done()).u32(0).done(), hash: digest }
}

function putStellarValue(writer: XdrWriter, parts: HeaderParts): void {
  writer.raw(ZEROES).u64(BigInt(parts.closeTimeSeconds))
  writer.array(parts.upgradeTo === null ? [] : [parts.upgradeTo], (version) => writer.opaque(protocolUpgrade(version)))
  const millis = BigInt(parts.closeTimeSeconds) * 1000n + BigInt(parts.closeTimeMillis)
  const withMillis = parts.protocolVersion >= MILLISECONDS
  writer.u32(parts.emptyTxSet ? (withMillis ? 4 : 2) : withMillis ? 3 : 1)
  if (withMillis) writer.u64(millis)
  // The proposed set, which is not the applied one: hash, hash of the previous ledger, its version.
  if (parts.emptyTxSet)
    writer
      .raw(ZEROES.map(() => 0xee))
      .raw(parts.previousHash)
      .u32(parts.protocolVersion)
  writer.u32(0).raw(ZEROES).opaque(SIGNATURE)
}

/** LedgerUpgrade of the protocol version. */
function protocolUpgrade(version: number): Uint8Array {
  return new XdrWriter().u32(1).u32(version).done()
}

export interface SetEntry {
  readonly hash: Uint8Array
  readonly envelope: Uint8Array
  readonly soroban: boolean
}

/** TransactionSet for version 0, else GeneralizedTransactionSet. Envelopes come in the order of their hashes, as on the network. */
export function putTransactionSet(
  writer: XdrWriter,
  previousHash: Uint8Array,
  entries: readonly SetEntry[],
  version: number,
  protocol: number,
): void {
  const sorted = entries.toSorted((a, b) => Buffer.compare(a.hash, b.hash))
  const envelopes = (list: readonly SetEntry[]): unknown => writer.array(list, ({ envelope }) => writer.raw(envelope))
  if (version === 0) {
    writer.raw(previousHash)
    envelopes(sorted)
    return
  }
  const component = (list: readonly SetEntry[]): unknown => {
    if (list.length === 0) return writer.u32(0).u32(0)
    // Phase of components: one component that may discount its fee, with a base fee.
    writer.u32(0).u32(1).u32(0).u32(1).i64(100n)
    return envelopes(list)
  }
  const soroban = sorted.filter((entry) => entry.soroban)
  writer.u32(1).raw(previousHash).u32(2)
  component(sorted.filter((entry) => !entry.soroban))
  if (protocol < PARALLEL_SOROBAN) component(soroban)
  else {
    // Base fee, then stages of clusters: two clusters where there is enough to do.
    writer.u32(1).u32(1).i64(100n)
    const half = Math.ceil(soroban.length / 2)
    const clusters = soroban.length > 1 ? [soroban.slice(0, half), soroban.slice(half)] : [soroban]
    writer.array(soroban.length === 0 ? [] : [clusters], (stage) => writer.array(stage, envelopes))
  }
}

/** Upgrades, SCP history, size of the state, evicted keys, and the unused list of version 1. */
export function putTail(writer: XdrWriter, version: number, upgradeTo: number | null, evicted: readonly EntryKeySpec[]): void {
  writer.array(upgradeTo === null ? [] : [upgradeTo], (to) => writer.raw(protocolUpgrade(to)).u32(0))
  writer.u32(0)
  if (version === 0) return
  writer.u64(123_456n).u32(evicted.length * 2)
  for (const key of evicted) {
    putTtlKey(writer, key)
    putDataKey(writer, key)
  }
  if (version === 1) writer.u32(0)
}

export function sha256(bytes: Uint8Array): Uint8Array {
  return new Uint8Array(hash('sha256', bytes, 'buffer'))
}
