// ScVal to XDR: for keys that are looked up, and for ledgers that tests build.
// Writing what was read gives the same bytes, also for texts that are not UTF-8.

import { writeScAddress } from './sc-address.ts'
import { ERROR_KINDS, type Executable, SCVAL_TYPES, type ScMapEntry, type ScVal } from './scval.ts'
import { XdrWriter } from './xdr-writer.ts'

const MASK_64 = (1n << 64n) - 1n

/** @throws OrreryError `invalid`/`invalid_strkey` for an invalid address, RangeError for a number that does not fit. */
export function writeScVal(value: ScVal): Uint8Array {
  const writer = new XdrWriter()
  putScVal(writer, value)
  return writer.done()
}

/** `ScVal[]`: u32 count, then the values. */
export function writeScVals(values: readonly ScVal[]): Uint8Array {
  const writer = new XdrWriter()
  writer.array(values, (value) => putScVal(writer, value))
  return writer.done()
}

/** Writes at the writer's position. */
export function putScVal(writer: XdrWriter, value: ScVal): void {
  writer.u32(SCVAL_TYPES.indexOf(value.type))
  switch (value.type) {
    case 'bool':
      writer.flag(value.value)
      return
    case 'void':
    case 'instance_key':
      return
    case 'error':
      writer.u32(ERROR_KINDS.indexOf(value.kind)).u32(value.code)
      return
    case 'u32':
      writer.u32(value.value)
      return
    case 'i32':
      writer.i32(value.value)
      return
    case 'u64':
    case 'timepoint':
    case 'duration':
      parts(writer, value.value, 1, false)
      return
    case 'i64':
    case 'nonce_key':
      parts(writer, value.value, 1, true)
      return
    case 'u128':
      parts(writer, value.value, 2, false)
      return
    case 'i128':
      parts(writer, value.value, 2, true)
      return
    case 'u256':
      parts(writer, value.value, 4, false)
      return
    case 'i256':
      parts(writer, value.value, 4, true)
      return
    case 'bytes':
      writer.opaque(value.value)
      return
    case 'string':
    case 'symbol':
    case 'executable_tag':
      text(writer, value.value, value.raw)
      return
    case 'vec':
      writer.flag(value.value !== null)
      if (value.value !== null) writer.array(value.value, (item) => putScVal(writer, item))
      return
    case 'map':
      map(writer, value.value)
      return
    case 'address':
      writeScAddress(writer, value.value)
      return
    case 'instance':
      executable(writer, value.executable)
      map(writer, value.storage)
  }
}

/** Two's complement in `words` of 64 bits, highest first. */
function parts(writer: XdrWriter, value: bigint, words: number, signed: boolean): void {
  const bits = words * 64
  if ((signed ? BigInt.asIntN(bits, value) : BigInt.asUintN(bits, value)) !== value) {
    throw new RangeError(`${value} does not fit into ${signed ? 'i' : 'u'}${bits}`)
  }
  for (let word = words - 1; word >= 0; word--) writer.u64((value >> BigInt(word * 64)) & MASK_64)
}

function text(writer: XdrWriter, value: string, raw: Uint8Array | undefined): void {
  if (raw === undefined) writer.text(value)
  else writer.opaque(raw)
}

function map(writer: XdrWriter, entries: readonly ScMapEntry[] | null): void {
  writer.flag(entries !== null)
  if (entries === null) return
  writer.array(entries, ({ key, val }) => {
    putScVal(writer, key)
    putScVal(writer, val)
  })
}

function executable(writer: XdrWriter, value: Executable): void {
  switch (value.kind) {
    case 'wasm':
      writer.u32(0).raw(Buffer.from(value.hash, 'hex'))
      return
    case 'stellar_asset':
      writer.u32(1)
      return
    case 'external_ref':
      writer.u32(2)
      writeScAddress(writer, value.owner)
      text(writer, value.tag, value.rawTag)
  }
}
