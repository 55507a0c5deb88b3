// ScAddress as XDR and as strkey. Discriminants: 0 account, 1 contract, 2 muxed account, 3 claimable balance, 4 pool, 5 muxed contract (P30).

import { OrreryError } from '@orrery/errors'
import type { Address } from './record.ts'
import { accountId, contractId, decodeStrkey, encodeStrkey, type StrkeyKind } from './strkey.ts'
import { unknownArm } from './unreadable.ts'
import type { XdrReader } from './xdr-reader.ts'
import type { XdrWriter } from './xdr-writer.ts'

export function readScAddress(reader: XdrReader): Address {
  const at = reader.at
  const arm = reader.u32('ScAddress')
  switch (arm) {
    case 0:
      zero(reader, 'PublicKey')
      return accountId(reader.bytes, reader.take(32, 'PublicKey'))
    case 1:
      return contractId(reader.bytes, reader.take(32, 'ScAddress'))
    case 2:
      return muxed('M', reader)
    case 3: {
      zero(reader, 'ClaimableBalanceId')
      // The strkey has one byte of the four-byte discriminant.
      const from = reader.take(32, 'ClaimableBalanceId')
      return encodeStrkey('B', reader.bytes.subarray(from - 1, from + 32))
    }
    case 4:
      return encodeStrkey('L', reader.fixed(32, 'ScAddress'))
    case 5:
      return muxed('W', reader)
    default:
      throw unknownArm('ScAddress', at, arm)
  }
}

/** XDR has the id first, the strkey has it last. */
function muxed(kind: 'M' | 'W', reader: XdrReader): Address {
  const from = reader.take(40, 'MuxedAddress')
  const payload = new Uint8Array(40)
  payload.set(reader.bytes.subarray(from + 8, from + 40))
  payload.set(reader.bytes.subarray(from, from + 8), 32)
  return encodeStrkey(kind, payload)
}

function zero(reader: XdrReader, type: string): void {
  const at = reader.at
  const arm = reader.u32(type)
  if (arm !== 0) throw unknownArm(type, at, arm)
}

const ARMS: Readonly<Record<StrkeyKind, number>> = { G: 0, C: 1, M: 2, B: 3, L: 4, W: 5 }

/** @throws OrreryError `invalid`/`invalid_strkey` when the text is not an address. */
export function writeScAddress(writer: XdrWriter, address: Address): void {
  const { kind, payload } = decodeStrkey(address)
  writer.u32(ARMS[kind])
  switch (kind) {
    case 'G':
      writer.u32(0).raw(payload)
      return
    case 'C':
    case 'L':
      writer.raw(payload)
      return
    case 'M':
    case 'W':
      writer.raw(payload.subarray(32)).raw(payload.subarray(0, 32))
      return
    case 'B':
      if (payload[0] !== 0) throw new OrreryError('invalid', 'invalid_strkey', 'Claimable balances of another type than 0 do not exist.')
      writer.u32(0).raw(payload.subarray(1))
  }
}
