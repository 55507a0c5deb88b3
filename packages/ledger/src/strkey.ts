// Strkeys: the text form of addresses (SEP-23). Base32 without padding over version byte, payload, CRC16-XMODEM (little-endian).
// Contracts and accounts repeat often, so their texts are kept in a small cache of fixed size.

import { OrreryError } from '@orrery/errors'
import type { Address, ContractId } from './record.ts'

/** First letter of a strkey: account, muxed account, contract, liquidity pool, claimable balance, muxed contract (P30). */
export type StrkeyKind = 'G' | 'M' | 'C' | 'L' | 'B' | 'W'

/** Version byte and payload length. `B` starts its payload with the balance type (0); `M` and `W` end theirs with a big-endian u64 id. */
const KINDS: Readonly<Record<StrkeyKind, { readonly version: number; readonly payloadBytes: number }>> = {
  G: { version: 0x30, payloadBytes: 32 },
  M: { version: 0x60, payloadBytes: 40 },
  C: { version: 0x10, payloadBytes: 32 },
  L: { version: 0x58, payloadBytes: 32 },
  B: { version: 0x08, payloadBytes: 33 },
  W: { version: 0xb0, payloadBytes: 40 },
}

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
const DIGITS = new Int8Array(128).fill(-1)
for (let n = 0; n < 32; n++) DIGITS[ALPHABET.charCodeAt(n)] = n

const CRC = new Uint16Array(256)
for (let n = 0; n < 256; n++) {
  let crc = n << 8
  for (let bit = 0; bit < 8; bit++) crc = crc & 0x8000 ? (crc << 1) ^ 0x1021 : crc << 1
  CRC[n] = crc
}

function crc16(bytes: Uint8Array, length: number): number {
  let crc = 0
  for (let n = 0; n < length; n++) crc = ((crc << 8) ^ (CRC[(crc >> 8) ^ (bytes[n] as number)] as number)) & 0xffff
  return crc
}

/** @param payload Of exactly the length of the kind: 32 bytes (G, C, L), 33 (B) or 40 (M, W). */
export function encodeStrkey(kind: StrkeyKind, payload: Uint8Array): Address {
  const { version, payloadBytes } = KINDS[kind]
  if (payload.length !== payloadBytes) {
    throw new OrreryError(
      'invalid',
      'invalid_strkey',
      `A strkey of kind ${kind} has a payload of ${payloadBytes} bytes, not ${payload.length}.`,
    )
  }
  const bytes = new Uint8Array(payloadBytes + 3)
  bytes[0] = version
  bytes.set(payload, 1)
  const crc = crc16(bytes, payloadBytes + 1)
  bytes[payloadBytes + 1] = crc & 0xff
  bytes[payloadBytes + 2] = crc >> 8
  return base32(bytes)
}

function base32(bytes: Uint8Array): string {
  let text = ''
  let bits = 0
  let held = 0
  for (const byte of bytes) {
    held = (held << 8) | byte
    for (bits += 8; bits >= 5; bits -= 5) text += ALPHABET[(held >> (bits - 5)) & 31]
    held &= 0xff
  }
  return bits > 0 ? text + ALPHABET[(held << (5 - bits)) & 31] : text
}

/** @throws OrreryError `invalid`/`invalid_strkey`: unknown kind, wrong length, alphabet, spare bits or checksum. */
export function decodeStrkey(text: string): { readonly kind: StrkeyKind; readonly payload: Uint8Array } {
  const decoded = tryDecode(text)
  if (decoded === null)
    throw new OrreryError('invalid', 'invalid_strkey', 'This is not a Stellar address: its letters or its checksum are wrong.')
  return decoded
}

function tryDecode(text: string): { kind: StrkeyKind; payload: Uint8Array } | null {
  const kind = text[0] as StrkeyKind
  const shape = Object.hasOwn(KINDS, kind) ? KINDS[kind] : undefined
  if (shape === undefined || text.length !== Math.ceil(((shape.payloadBytes + 3) * 8) / 5)) return null
  const bytes = new Uint8Array(shape.payloadBytes + 3)
  let at = 0
  let bits = 0
  let held = 0
  for (let n = 0; n < text.length; n++) {
    const digit = DIGITS[text.charCodeAt(n)] ?? -1
    if (digit < 0) return null
    held = ((held << 5) | digit) & 0xfff
    bits += 5
    if (bits >= 8) {
      bits -= 8
      bytes[at++] = held >> bits
    }
  }
  // Spare bits must be zero, otherwise several texts would name one address.
  if ((held & ((1 << bits) - 1)) !== 0 || bytes[0] !== shape.version) return null
  const end = shape.payloadBytes + 1
  if (crc16(bytes, end) !== ((bytes[end] as number) | ((bytes[end + 1] as number) << 8))) return null
  return { kind, payload: bytes.subarray(1, end) }
}

/** Whether the text is a contract address with a right checksum. */
export function isContractId(text: string): text is ContractId {
  return tryDecode(text)?.kind === 'C'
}

/** Whether the text is an account address (`G...`) with a right checksum. */
export function isAccountId(text: string): boolean {
  return tryDecode(text)?.kind === 'G'
}

/** The 32 bytes of a contract address. @throws OrreryError `invalid`/`invalid_strkey`. */
export function contractBytes(id: ContractId): Uint8Array {
  const { kind, payload } = decodeStrkey(id)
  if (kind !== 'C') throw new OrreryError('invalid', 'invalid_strkey', 'This is not a contract address: it does not begin with C.')
  return payload
}

/** Direct-mapped: a new text replaces the old one. 4,096 slots cover the contracts that are used at one time. */
class StrkeyCache {
  readonly #kind: StrkeyKind
  readonly #bytes = new Uint8Array(4096 * 32)
  readonly #texts: (string | undefined)[] = new Array(4096)

  constructor(kind: StrkeyKind) {
    this.#kind = kind
  }

  get(bytes: Uint8Array, at: number): string {
    // Keys and hashes are spread evenly, so two of their bytes are hash enough.
    const slot = (((bytes[at] as number) << 8) | (bytes[at + 1] as number)) & 4095
    const base = slot * 32
    const known = this.#texts[slot]
    if (known !== undefined && this.#holds(bytes, at, base)) return known
    const payload = bytes.subarray(at, at + 32)
    const text = encodeStrkey(this.#kind, payload)
    this.#bytes.set(payload, base)
    this.#texts[slot] = text
    return text
  }

  #holds(bytes: Uint8Array, at: number, base: number): boolean {
    for (let n = 0; n < 32; n++) if (bytes[at + n] !== this.#bytes[base + n]) return false
    return true
  }
}

const contracts = new StrkeyCache('C')
const accounts = new StrkeyCache('G')

/** `C...` of the 32 bytes at `at`. */
export function contractId(bytes: Uint8Array, at = 0): ContractId {
  return contracts.get(bytes, at)
}

/** `G...` of the 32 bytes at `at`. */
export function accountId(bytes: Uint8Array, at = 0): Address {
  return accounts.get(bytes, at)
}
