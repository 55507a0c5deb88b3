// The header of one stored slice value, readable without unpacking anything. docs/slices.md specifies it.
// A checksum over the complete value distinguishes a flipped bit from an unknown record.

import { protocolNumber, protocolOfNumber, type Slice } from '@orrery/protocol-kit'
import { ByteReader } from './byte-reader.ts'
import { ByteWriter } from './byte-writer.ts'
import { xxhash64 } from './checksum.ts'

const FORMAT = 1
const FLAG_HOUR_START = 1
const FLAG_DAY_START = 2
const FLAG_ZSTD = 4
/** Offset of the checksum: after format, flags, protocol and the length of the network's name. */
const CHECKSUM_AT = 4
const BODY_CHECKED_FROM = 12

export interface SliceHeader extends Omit<Slice, 'transactions' | 'records'> {
  /** Records of the complete slice, in all its parts. */
  readonly recordCount: number
  /** From 1 to `parts`. */
  readonly part: number
  readonly parts: number
}

export interface SliceValue {
  readonly header: SliceHeader
  /** The joined body of all parts is zstd. */
  readonly zstd: boolean
  /** Bytes of the complete body, uncompressed. */
  readonly bodyBytes: number
  /** This part's piece of the (compressed) body. */
  readonly piece: Uint8Array
}

export function writeSliceValue({ header, zstd, bodyBytes, piece }: SliceValue): Uint8Array {
  const out = new ByteWriter(128 + header.network.length + piece.length)
  out.u8(FORMAT)
  out.u8((header.hourStart ? FLAG_HOUR_START : 0) | (header.dayStart ? FLAG_DAY_START : 0) | (zstd ? FLAG_ZSTD : 0))
  out.u8(protocolNumber(header.protocol))
  out.u8(Buffer.byteLength(header.network))
  out.u64(0n) // checksum, filled in below
  out.u16(header.partition)
  out.u16(header.part)
  out.u16(header.parts)
  out.u16(0) // reserved; readers refuse anything else
  out.u32(header.after)
  out.u32(header.ledger)
  out.u64(BigInt(header.closeTimeSeconds))
  out.hex(header.ledgerHash, 32)
  out.hex(header.rollingHash, 8)
  out.u32(header.recordCount)
  out.u32(bodyBytes)
  out.raw(Buffer.from(header.network))
  out.raw(piece)
  const value = out.finish()
  new DataView(value.buffer, value.byteOffset).setBigUint64(CHECKSUM_AT, checksumOf(value))
  return value
}

/** @throws OrreryError `corrupt`/`slice_broken` for invalid bytes, with the offset. */
export function readSliceValue(value: Uint8Array): SliceValue {
  const reader = new ByteReader(value, 'slice_broken', 'slice')
  const format = reader.u8()
  if (format !== FORMAT) throw reader.broken(`format ${format}, while this build reads format ${FORMAT},`)
  const flags = reader.u8()
  const number = reader.u8()
  const nameBytes = reader.u8()
  if (reader.u64() !== checksumOf(value)) throw reader.broken('a wrong checksum')
  const protocol = protocolOfNumber(number)
  if (protocol === undefined) throw reader.broken(`an unknown protocol ${number}`)
  if (flags > 7) throw reader.broken(`unknown flags ${flags}`)
  const partition = reader.u16()
  const part = reader.u16()
  const parts = reader.u16()
  if (part < 1 || part > parts) throw reader.broken(`part ${part} of ${parts}`)
  if (reader.u16() !== 0) throw reader.broken('reserved bytes that are in use')
  const after = reader.u32()
  const ledger = reader.u32()
  if (after >= ledger) throw reader.broken(`a slice of ledgers (${after}, ${ledger}]`)
  const closeTimeSeconds = reader.time()
  const ledgerHash = reader.hex(32)
  const rollingHash = reader.hex(8)
  const recordCount = reader.u32()
  const bodyBytes = reader.u32()
  const network = Buffer.from(reader.raw(nameBytes)).toString()
  return {
    header: {
      network,
      protocol,
      partition,
      after,
      ledger,
      closeTimeSeconds,
      hourStart: (flags & FLAG_HOUR_START) !== 0,
      dayStart: (flags & FLAG_DAY_START) !== 0,
      ledgerHash,
      rollingHash,
      recordCount,
      part,
      parts,
    },
    zstd: (flags & FLAG_ZSTD) !== 0,
    bodyBytes,
    piece: reader.raw(reader.remaining),
  }
}

/**
 * The header alone, of a value that may be one part of several.
 * @throws OrreryError `corrupt`/`slice_broken`.
 */
export function readSliceHeader(value: Uint8Array): SliceHeader {
  return readSliceValue(value).header
}

/** xxhash64 of everything after the checksum, seeded with the four bytes before it, so that it covers every byte of the value. */
function checksumOf(value: Uint8Array): bigint {
  const head = new DataView(value.buffer, value.byteOffset, value.byteLength)
  if (value.byteLength < BODY_CHECKED_FROM) return -1n
  return xxhash64(value.subarray(BODY_CHECKED_FROM), BigInt(head.getUint32(0)))
}
