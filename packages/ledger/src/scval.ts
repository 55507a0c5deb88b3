// ScVal: the values of contracts, as plain data. 64 bits and more are bigint, addresses are strkeys, maps keep their order and key types.
// Protocol packages prefer shapes (`shape.ts`); this is for values without a fixed shape, and for keys.

import { hexOf } from './hex.ts'
import type { Address } from './record.ts'
import { readScAddress } from './sc-address.ts'
import { DEPTH_LIMIT, unknownArm, unreadable } from './unreadable.ts'
import { XdrReader, type XdrText } from './xdr-reader.ts'

export interface ScMapEntry {
  readonly key: ScVal
  readonly val: ScVal
}

/** The executable of a contract instance. */
export type Executable =
  /** 64 hex characters. */
  | { readonly kind: 'wasm'; readonly hash: string }
  | { readonly kind: 'stellar_asset' }
  /** CAP-85: an entry of another contract names the code, which can change without a change of this contract. */
  | { readonly kind: 'external_ref'; readonly owner: Address; readonly tag: string; readonly rawTag?: Uint8Array }

/** Category of an ScError, in the order of its discriminants. */
export const ERROR_KINDS = ['contract', 'wasm_vm', 'context', 'storage', 'object', 'crypto', 'events', 'budget', 'value', 'auth'] as const

/** `raw` of a text exists only when its bytes are not UTF-8; `value` is then an approximation. */
export type ScVal =
  | { readonly type: 'bool'; readonly value: boolean }
  | { readonly type: 'void' | 'instance_key' }
  /** `code` is the contract's own number for `contract`, else the host's error code, 0 to 9. */
  | { readonly type: 'error'; readonly kind: (typeof ERROR_KINDS)[number]; readonly code: number }
  | { readonly type: 'u32' | 'i32'; readonly value: number }
  | {
      readonly type: 'u64' | 'i64' | 'timepoint' | 'duration' | 'u128' | 'i128' | 'u256' | 'i256' | 'nonce_key'
      readonly value: bigint
    }
  | { readonly type: 'bytes'; readonly value: Uint8Array }
  | { readonly type: 'string' | 'symbol' | 'executable_tag'; readonly value: string; readonly raw?: Uint8Array }
  | { readonly type: 'vec'; readonly value: readonly ScVal[] | null }
  | { readonly type: 'map'; readonly value: readonly ScMapEntry[] | null }
  | { readonly type: 'address'; readonly value: Address }
  | { readonly type: 'instance'; readonly executable: Executable; readonly storage: readonly ScMapEntry[] | null }

export type ScValType = ScVal['type']

/** Types in the order of their discriminants, 0 to 22. */
export const SCVAL_TYPES = [
  'bool',
  'void',
  'error',
  'u32',
  'i32',
  'u64',
  'i64',
  'timepoint',
  'duration',
  'u128',
  'i128',
  'u256',
  'i256',
  'bytes',
  'string',
  'symbol',
  'vec',
  'map',
  'address',
  'instance',
  'instance_key',
  'nonce_key',
  'executable_tag',
] as const satisfies readonly ScValType[]

/**
 * Reads one ScVal that fills the bytes.
 * @throws OrreryError `corrupt`/`ledger_unreadable` with type and offset.
 */
export function readScVal(bytes: Uint8Array): ScVal {
  const reader = new XdrReader(bytes)
  const value = scVal(reader)
  reader.end('ScVal')
  return value
}

/** Reads `ScVal[]`: topics, arguments. @throws as `readScVal`. */
export function readScVals(bytes: Uint8Array): ScVal[] {
  const reader = new XdrReader(bytes)
  const values = list(reader, 0, 'ScVal[]')
  reader.end('ScVal[]')
  return values
}

/** Reads the ScVal at the reader's position. */
export function scVal(reader: XdrReader, depth = 0): ScVal {
  const at = reader.at
  const arm = reader.u32('ScVal')
  const type = SCVAL_TYPES[arm]
  switch (type) {
    case 'bool':
      return { type, value: reader.flag('ScVal.bool') }
    case 'void':
    case 'instance_key':
      return { type }
    case 'error':
      return error(reader)
    case 'u32':
      return { type, value: reader.u32() }
    case 'i32':
      return { type, value: reader.i32() }
    case 'u64':
    case 'timepoint':
    case 'duration':
      return { type, value: reader.u64() }
    case 'i64':
    case 'nonce_key':
      return { type, value: reader.i64() }
    case 'u128':
      return { type, value: readU128(reader) }
    case 'i128':
      return { type, value: readI128(reader) }
    case 'u256':
      return { type, value: (readU128(reader) << 128n) | readU128(reader) }
    case 'i256':
      return { type, value: (readI128(reader) << 128n) | readU128(reader) }
    case 'bytes':
      return { type, value: reader.opaque('ScVal.bytes') }
    case 'string':
    case 'executable_tag':
      return text(type, reader.text('ScVal.string'))
    case 'symbol':
      return text(type, reader.text('ScVal.symbol', 32))
    case 'vec':
      return { type, value: reader.flag('ScVec?') ? list(reader, depth + 1, 'ScVec') : null }
    case 'map':
      return { type, value: reader.flag('ScMap?') ? entries(reader, depth + 1) : null }
    case 'address':
      return { type, value: readScAddress(reader) }
    case 'instance':
      return { type, executable: readExecutable(reader), storage: reader.flag('ScMap?') ? entries(reader, depth + 1) : null }
    default:
      throw unknownArm('ScVal', at, arm)
  }
}

/** A container deeper than the limit is refused. */
function checkDepth(reader: XdrReader, depth: number): void {
  if (depth > DEPTH_LIMIT) throw unreadable('ScVal', reader.at, `values nested deeper than ${DEPTH_LIMIT}`, depth)
}

function text(type: 'string' | 'symbol' | 'executable_tag', { text: value, raw }: XdrText): ScVal {
  return raw === null ? { type, value } : { type, value, raw }
}

function list(reader: XdrReader, depth: number, type: string): ScVal[] {
  checkDepth(reader, depth)
  const count = reader.count(4, type)
  const values: ScVal[] = []
  for (let n = 0; n < count; n++) values.push(scVal(reader, depth))
  return values
}

function entries(reader: XdrReader, depth: number): ScMapEntry[] {
  checkDepth(reader, depth)
  const count = reader.count(8, 'ScMap')
  const found: ScMapEntry[] = []
  for (let n = 0; n < count; n++) found.push({ key: scVal(reader, depth), val: scVal(reader, depth) })
  return found
}

function error(reader: XdrReader): ScVal {
  const at = reader.at
  const arm = reader.u32('ScError')
  const kind = ERROR_KINDS[arm]
  if (kind === undefined) throw unknownArm('ScError', at, arm)
  const code = reader.u32('ScError')
  if (kind !== 'contract' && code > 9) throw unreadable('ScErrorCode', at + 4, `unknown value ${code}`, code)
  return { type: 'error', kind, code }
}

/** Unsigned 128 bits. Nearly all amounts fit into the low half. */
export function readU128(reader: XdrReader): bigint {
  const hi = reader.u64('Uint128Parts')
  const lo = reader.u64('Uint128Parts')
  return hi === 0n ? lo : (hi << 64n) | lo
}

/** Signed 128 bits. */
export function readI128(reader: XdrReader): bigint {
  const hi = reader.i64('Int128Parts')
  const lo = reader.u64('Int128Parts')
  return hi === 0n ? lo : (hi << 64n) | lo
}

export function readExecutable(reader: XdrReader): Executable {
  const at = reader.at
  const arm = reader.u32('ContractExecutable')
  if (arm === 0) return { kind: 'wasm', hash: hexOf(reader.fixed(32, 'ContractExecutable')) }
  if (arm === 1) return { kind: 'stellar_asset' }
  if (arm !== 2) throw unknownArm('ContractExecutable', at, arm)
  const owner = readScAddress(reader)
  const tag = reader.text('ContractExecutableExternalRef')
  return tag.raw === null ? { kind: 'external_ref', owner, tag: tag.text } : { kind: 'external_ref', owner, tag: tag.text, rawTag: tag.raw }
}
