// Snapshots of the control topic: what its records add up to at one of them, so that a start need not read a year of ledgers. They are in a topic
// of their own and derived: without them, or with broken ones, everything is read from the control topic itself.

import { OrreryError } from '@orrery/errors'
import { ByteReader } from './byte-reader.ts'
import { ByteWriter } from './byte-writer.ts'
import { xxhash64 } from './checksum.ts'
import { type ControlRecord, controlValues, decodeControl } from './control-codec.ts'
import type { EventLog, LogPartition, LogRecord } from './event-log.ts'
import { storedRecords } from './stored.ts'
import { controlSnapshotTopic, controlTopic } from './topics.ts'

export interface ControlSnapshot {
  /** Offset in the control topic of the last record that it covers, which has the record of `ledger`. */
  readonly offset: bigint
  /** The newest ledger of the control topic at `offset`. */
  readonly ledger: number
  /** 64 hex characters. */
  readonly hash: string
  /** In the order of the control topic. Of the records of kind `ledger` it has that of `ledger` alone, and of the tip none. */
  readonly records: readonly ControlRecord[]
}

const FORMAT = 1
const CHECKSUM_AT = 1
const CHECKED_FROM = 9
/** Records of the topic that are read first, from its end. A snapshot usually is one value. */
const LOOK_BACK = 8n

/** The values of a snapshot, to be appended together. Each is below the limit of every broker. */
export function encodeControlSnapshot({ offset, ledger, hash, records }: ControlSnapshot): Uint8Array[] {
  const values = controlValues(records)
  return values.map((value, index) => {
    const out = new ByteWriter(64 + value.length)
    out.u8(FORMAT)
    out.u64(0n) // checksum, filled in below
    out.u16(index + 1)
    out.u16(values.length)
    out.u64(offset)
    out.u32(ledger)
    out.hex(hash, 32)
    out.bytes(value)
    const part = out.finish()
    new DataView(part.buffer, part.byteOffset).setBigUint64(CHECKSUM_AT, checksumOf(part))
    return part
  })
}

/**
 * The newest snapshot of a ledger up to `upToLedger` that belongs to the control topic as it is. Null where there is none: then the control topic
 * is to be read from its beginning.
 */
export async function readControlSnapshot(
  log: EventLog,
  network: string,
  upToLedger = Number.MAX_SAFE_INTEGER,
): Promise<ControlSnapshot | null> {
  const at: LogPartition = { topic: controlSnapshotTopic(network), partition: 0 }
  const last = await log.last(at)
  if (last === null) return null
  // Offsets need not be consecutive, so look back twice as far until a snapshot is found.
  for (let back = LOOK_BACK; ; back *= 2n) {
    const from = last.offset > back ? last.offset - back : 0n
    const found: ControlSnapshot[] = []
    for await (const snapshot of complete(storedRecords(log, at, from))) if (snapshot.ledger <= upToLedger) found.push(snapshot)
    for (const snapshot of found.toReversed()) if (await isOf(log, network, snapshot)) return snapshot
    if (from === 0n) return null
  }
}

/** Whether the control topic has the snapshot's last record there: after it was lost and written again, an older snapshot is of another one. */
async function isOf(log: EventLog, network: string, { offset, ledger, hash }: ControlSnapshot): Promise<boolean> {
  for await (const record of storedRecords(log, { topic: controlTopic(network), partition: 0 }, offset)) {
    if (record.offset !== offset) return false
    return decodeControl(record.value).some((one) => one.kind === 'ledger' && one.ledger === ledger && one.hash === hash)
  }
  return false
}

/** Skips incomplete snapshots, whose writer ended between two parts, and values that cannot be read. */
async function* complete(stored: AsyncIterable<LogRecord>): AsyncGenerator<ControlSnapshot, undefined> {
  let parts: Part[] = []
  for await (const { value } of stored) {
    const part = readPart(value)
    if (part === null || part.part !== parts.length + 1) parts = []
    if (part === null || part.part !== parts.length + 1) continue
    parts.push(part)
    if (part.part < part.parts) continue
    const { offset, ledger, hash } = part
    if (parts.every((one) => one.offset === offset && one.ledger === ledger && one.hash === hash))
      yield { offset, ledger, hash, records: parts.flatMap((one) => one.records) }
    parts = []
  }
}

interface Part extends ControlSnapshot {
  /** From 1. */
  readonly part: number
  readonly parts: number
}

/** Null for a value that is broken, or of another format: a snapshot can be done without. */
function readPart(value: Uint8Array): Part | null {
  try {
    const reader = new ByteReader(value, 'control_record_broken', 'snapshot of the control topic')
    if (reader.u8() !== FORMAT || reader.u64() !== checksumOf(value)) return null
    const part = { part: reader.u16(), parts: reader.u16(), offset: reader.u64(), ledger: reader.u32(), hash: reader.hex(32) }
    const records = decodeControl(reader.bytes())
    reader.end()
    return { ...part, records }
  } catch (error) {
    if (error instanceof OrreryError && error.kind === 'corrupt') return null
    throw error
  }
}

function checksumOf(value: Uint8Array): bigint {
  return xxhash64(value.subarray(CHECKED_FROM), BigInt(FORMAT))
}
