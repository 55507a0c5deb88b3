// The records of the control topic: ledger facts, contracts that became tracked, bootstrap entries, the start of the index, the tip or the
// end of its source. One stored value holds several records; none of them ever expires.

import { type ProtocolId, protocolNumber, protocolOfNumber, type TrackedContract } from '@orrery/protocol-kit'
import { ByteReader } from './byte-reader.ts'
import { ByteWriter } from './byte-writer.ts'
import { xxhash64 } from './checksum.ts'

/** A ledger that slices after this record may contain. */
export interface LedgerControl {
  readonly kind: 'ledger'
  readonly ledger: number
  /** 64 hex characters. */
  readonly hash: string
  /** Unix seconds. */
  readonly closeTimeSeconds: number
  readonly hourStart: boolean
  readonly dayStart: boolean
}

/** A contract that is tracked from `ledger` on, or that holds more tokens from there on. The last record of a contract counts. */
export interface TrackedControl {
  readonly kind: 'tracked'
  readonly ledger: number
  readonly contract: TrackedContract
}

/**
 * A bootstrap entry: read once from an RPC, because its contract predates the index. It is in the slices of `ledger`.
 * A replay takes it from here and does not request it again.
 */
export interface BootstrapControl {
  readonly kind: 'bootstrap'
  readonly ledger: number
  /** The protocol whose slices have the entry. */
  readonly protocol: ProtocolId
  readonly contract: string
  /** XDR of the key `ScVal`. */
  readonly key: Uint8Array
  readonly durability: 'temporary' | 'persistent'
  /** XDR of the value `ScVal` at the end of `asOfLedger`. */
  readonly value: Uint8Array
  readonly asOfLedger: number
  /** The ledger that wrote the value; 0 where the node does not send it. */
  readonly lastModifiedLedger: number
  /** Last live ledger of the entry as of `asOfLedger`; 0 where it is archived. */
  readonly liveUntilLedger: number
}

/** Network, first ledger and partitions of the log. The first record; another one is appended only when a protocol is added. */
export interface StartControl {
  readonly kind: 'start'
  readonly network: string
  readonly passphrase: string
  readonly firstLedger: number
  readonly partitions: Readonly<Partial<Record<ProtocolId, number>>>
}

/** The source has no ledger after this one. Holds until a newer ledger is appended. */
export interface SourceEndControl {
  readonly kind: 'source_end'
  readonly ledger: number
}

/** The newest ledger of a live source when ingest read it. */
export interface SourceTipControl {
  readonly kind: 'source_tip'
  readonly ledger: number
  /** Unix seconds; 0 where the source does not send it. */
  readonly closeTimeSeconds: number
  /** When ingest read it, in Unix milliseconds. An unchanged tip is appended again at intervals, so missing records mean that ingest is down. */
  readonly heardAtMs: number
}

/**
 * The registry that applies from `ledger` on. The first one follows the start record; another one is appended when the registry has grown,
 * before the first ledger that it applies to. A log of an older build has none until a newer build continues it.
 */
export interface RegistryControl {
  readonly kind: 'registry'
  readonly ledger: number
  /** The complete registry as JSON, in the shape of a registry file. */
  readonly document: string
}

/** The network's protocol version from `ledger` on, from its header. Recorded when it differs from that of the ledger before. */
export interface ProtocolControl {
  readonly kind: 'protocol'
  readonly ledger: number
  readonly version: number
}

export type ControlRecord =
  | LedgerControl
  | TrackedControl
  | BootstrapControl
  | StartControl
  | SourceEndControl
  | SourceTipControl
  | RegistryControl
  | ProtocolControl

/** A summary of a stored value, readable without decoding its records. */
export interface ControlSummary {
  readonly kinds: ReadonlySet<ControlRecord['kind']>
  /** Smallest and largest ledger of its records; 0 when there are none. A `source_tip` does not count. */
  readonly firstLedger: number
  readonly lastLedger: number
}

const FORMAT = 1
/** Each kind has a bit of the byte `kinds`, which is full: docs/slices.md specifies what a ninth kind needs. A ninth one does not compile. */
const KINDS = [
  'start',
  'ledger',
  'tracked',
  'bootstrap',
  'source_end',
  'source_tip',
  'registry',
  'protocol',
] as const satisfies readonly ControlRecord['kind'][] & { readonly length: 8 }
const DURABILITIES = ['temporary', 'persistent'] as const
/** Kafka's own limit of a message is 1 MB. An entry of a contract may have 64 KB. */
const VALUE_BYTES = 512 * 1024
/** About the size of a record without an entry's key and value. */
const OTHER_BYTES = 128
const CHECKSUM_AT = 2
const CHECKED_FROM = 10
const FLAG_HOUR_START = 1
const FLAG_DAY_START = 2

/** Values for the control topic, in this order: as few as possible, each below the limit of every broker. */
export function controlValues(records: readonly ControlRecord[]): Uint8Array[] {
  const groups: ControlRecord[][] = []
  let bytes = Number.POSITIVE_INFINITY
  for (const record of records) {
    const size = OTHER_BYTES + variableBytes(record)
    if (bytes + size > VALUE_BYTES) {
      groups.push([])
      bytes = 0
    }
    groups.at(-1)?.push(record)
    bytes += size
  }
  return groups.map(encodeControl)
}

function variableBytes(record: ControlRecord): number {
  if (record.kind === 'bootstrap') return record.key.length + record.value.length
  return record.kind === 'registry' ? Buffer.byteLength(record.document) : 0
}

/** One value for the control topic. */
export function encodeControl(records: readonly ControlRecord[]): Uint8Array {
  const ledgers = records.filter(({ kind }) => kind !== 'source_tip').map(ledgerOf)
  const out = new ByteWriter(32 + 64 * records.length)
  out.u8(FORMAT)
  out.u8(records.reduce((bits, { kind }) => bits | (1 << KINDS.indexOf(kind)), 0))
  out.u64(0n) // checksum, filled in below
  out.u32(ledgers.reduce((least, ledger) => Math.min(least, ledger), ledgers[0] ?? 0))
  out.u32(ledgers.reduce((most, ledger) => Math.max(most, ledger), 0))
  out.varint(records.length)
  for (const record of records) {
    out.u8(KINDS.indexOf(record.kind))
    writeControlRecord(out, record)
  }
  const value = out.finish()
  new DataView(value.buffer, value.byteOffset).setBigUint64(CHECKSUM_AT, checksumOf(value))
  return value
}

/** @throws OrreryError `corrupt`/`control_record_broken`. */
export function decodeControl(value: Uint8Array): ControlRecord[] {
  const reader = new ByteReader(value, 'control_record_broken', 'control record')
  readHead(reader)
  reader.raw(CHECKED_FROM - reader.offset + 8)
  if (new DataView(value.buffer, value.byteOffset).getBigUint64(CHECKSUM_AT) !== checksumOf(value)) throw reader.broken('a wrong checksum')
  const records = Array.from({ length: reader.count(5) }, () => readControlRecord(reader))
  reader.end()
  return records
}

/** @throws OrreryError `corrupt`/`control_record_broken`. */
export function summarizeControl(value: Uint8Array): ControlSummary {
  const reader = new ByteReader(value, 'control_record_broken', 'control record')
  const bits = readHead(reader)
  reader.raw(CHECKED_FROM - reader.offset)
  return { kinds: new Set(KINDS.filter((_, n) => bits & (1 << n))), firstLedger: reader.u32(), lastLedger: reader.u32() }
}

function readHead(reader: ByteReader): number {
  const format = reader.u8()
  if (format !== FORMAT) throw reader.broken(`format ${format}, while this build reads format ${FORMAT},`)
  return reader.u8()
}

function ledgerOf(record: ControlRecord): number {
  return record.kind === 'start' ? record.firstLedger : record.ledger
}

/** Seeded with format and kinds, so that the checksum covers every byte of the value. */
function checksumOf(value: Uint8Array): bigint {
  return xxhash64(value.subarray(CHECKED_FROM), BigInt(new DataView(value.buffer, value.byteOffset).getUint16(0)))
}

function writeControlRecord(out: ByteWriter, record: ControlRecord): void {
  out.u32(ledgerOf(record))
  switch (record.kind) {
    case 'start':
      out.text(record.network)
      out.text(record.passphrase)
      writePartitions(out, record.partitions)
      return
    case 'ledger':
      out.hex(record.hash, 32)
      out.u64(BigInt(record.closeTimeSeconds))
      out.u8((record.hourStart ? FLAG_HOUR_START : 0) | (record.dayStart ? FLAG_DAY_START : 0))
      return
    case 'tracked':
      writeContract(out, record.contract)
      return
    case 'bootstrap':
      out.u8(protocolNumber(record.protocol))
      out.text(record.contract)
      out.bytes(record.key)
      out.u8(DURABILITIES.indexOf(record.durability))
      out.bytes(record.value)
      out.u32(record.asOfLedger)
      out.u32(record.lastModifiedLedger)
      out.u32(record.liveUntilLedger)
      return
    case 'source_tip':
      out.u64(BigInt(record.closeTimeSeconds))
      out.u64(BigInt(record.heardAtMs))
      return
    case 'registry':
      out.text(record.document)
      return
    case 'protocol':
      out.u32(record.version)
      return
    case 'source_end':
  }
}

function readControlRecord(reader: ByteReader): ControlRecord {
  const kind = reader.choice(KINDS, 'control kind')
  const ledger = reader.u32()
  switch (kind) {
    case 'start':
      return { kind, firstLedger: ledger, network: reader.text(), passphrase: reader.text(), partitions: readPartitions(reader) }
    case 'ledger':
      return { kind, ledger, hash: reader.hex(32), closeTimeSeconds: reader.time(), ...readFlags(reader) }
    case 'tracked':
      return { kind, ledger, contract: readContract(reader) }
    case 'bootstrap':
      return { kind, ledger, ...readBootstrap(reader) }
    case 'source_tip':
      return { kind, ledger, closeTimeSeconds: reader.time(), heardAtMs: reader.time() }
    case 'registry':
      return { kind, ledger, document: reader.text() }
    case 'protocol':
      return { kind, ledger, version: reader.u32() }
    case 'source_end':
      return { kind, ledger }
  }
}

function readBootstrap(reader: ByteReader): Omit<BootstrapControl, 'kind' | 'ledger'> {
  return {
    protocol: readProtocol(reader),
    contract: reader.text(),
    key: reader.bytes(),
    durability: reader.choice(DURABILITIES, 'durability'),
    value: reader.bytes(),
    asOfLedger: reader.u32(),
    lastModifiedLedger: reader.u32(),
    liveUntilLedger: reader.u32(),
  }
}

function readFlags(reader: ByteReader): Pick<LedgerControl, 'hourStart' | 'dayStart'> {
  const flags = reader.u8()
  if (flags > (FLAG_HOUR_START | FLAG_DAY_START)) throw reader.broken(`unknown flags ${flags}`)
  return { hourStart: (flags & FLAG_HOUR_START) !== 0, dayStart: (flags & FLAG_DAY_START) !== 0 }
}

function writePartitions(out: ByteWriter, partitions: StartControl['partitions']): void {
  const counts = Object.entries(partitions).flatMap(([protocol, count]) =>
    count === undefined ? [] : [[protocolNumber(protocol), count] as const],
  )
  out.varint(counts.length)
  for (const [number, count] of counts.sort(([a], [b]) => a - b)) {
    out.u8(number)
    out.u16(count)
  }
}

function readPartitions(reader: ByteReader): StartControl['partitions'] {
  const partitions: Partial<Record<ProtocolId, number>> = {}
  for (let left = reader.count(3); left > 0; left--) partitions[readProtocol(reader)] = reader.u16()
  return partitions
}

function writeContract(out: ByteWriter, contract: TrackedContract): void {
  out.u8(protocolNumber(contract.protocol))
  out.text(contract.contract)
  out.text(contract.role)
  out.text(contract.home ?? '')
  out.u32(contract.fromLedger)
  out.varint(contract.balances.length)
  for (const token of contract.balances) out.text(token)
}

function readContract(reader: ByteReader): TrackedContract {
  const protocol = readProtocol(reader)
  const contract = reader.text()
  const role = reader.text()
  const home = reader.text() || null
  const fromLedger = reader.u32()
  const balances = Array.from({ length: reader.count(1) }, () => reader.text())
  return { protocol, contract, role, home, balances, fromLedger }
}

function readProtocol(reader: ByteReader): ProtocolId {
  const number = reader.u8()
  const protocol = protocolOfNumber(number)
  if (protocol === undefined) throw reader.broken(`an unknown protocol ${number}`)
  return protocol
}
