// Keys of contract data for requests, and the value in an answer. An entry repeats its key, so the value begins where the key ends, and
// no XDR is decoded here.

import { OrreryError } from '@orrery/errors'
import { type ContractId, contractBytes, type ScVal, writeScVal, XdrWriter } from '@orrery/ledger'
import type { RpcLedgerEntry } from './rpc.ts'

const CONTRACT_DATA = 6
const CONTRACT_ADDRESS = 1
const TYPE_BYTES = 4
const EXT_BYTES = 4

/**
 * XDR of the LedgerKey of a contract's entry.
 * @param key The key `ScVal`, or its XDR. `{ type: 'instance_key' }` is the instance.
 */
export function contractDataKey(
  contract: ContractId,
  key: ScVal | Uint8Array,
  durability: 'temporary' | 'persistent' = 'persistent',
): Uint8Array {
  const keyBytes = key instanceof Uint8Array ? key : writeScVal(key)
  const writer = new XdrWriter().u32(CONTRACT_DATA).u32(CONTRACT_ADDRESS).raw(contractBytes(contract)).raw(keyBytes)
  return writer.u32(durability === 'persistent' ? 1 : 0).done()
}

/**
 * XDR of the value `ScVal` of a contract's entry.
 * @throws OrreryError `corrupt`/`rpc_answer_broken` when the data is not of the entry's key.
 */
export function contractDataValue({ key, data }: Pick<RpcLedgerEntry, 'key' | 'data'>): Uint8Array {
  // LedgerKey: type, address, key, durability. LedgerEntryData: type, ext, address, key, durability, value.
  const valueAt = key.length + EXT_BYTES
  const repeated = Buffer.from(
    data.buffer,
    data.byteOffset + TYPE_BYTES + EXT_BYTES,
    Math.max(0, Math.min(valueAt, data.length) - TYPE_BYTES - EXT_BYTES),
  )
  if (data.length > valueAt && data[3] === CONTRACT_DATA && repeated.equals(key.subarray(TYPE_BYTES))) return data.subarray(valueAt)
  throw new OrreryError(
    'corrupt',
    'rpc_answer_broken',
    'The Stellar RPC returned an entry of another key than the requested one. The entry was not used. Start again, or name another endpoint.',
    {
      context: { key: Buffer.from(key).toString('base64') },
    },
  )
}
