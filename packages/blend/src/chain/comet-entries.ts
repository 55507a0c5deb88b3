// Entries of the Comet pool of BLND and USDC, and of the emitter, one reader a key.
// Source: comet-contracts-v1 contracts/src/c_pool/{storage_types,metadata}.rs; blend-contracts emitter/src/storage.rs.

import { isInstanceKey } from '@orrery/fold-kit'
import {
  type Address,
  address,
  any,
  type ContractId,
  dict,
  i128,
  matches,
  oneOf,
  readInstance,
  sc,
  struct,
  symbol,
  u64,
  variant,
  writeScVal,
} from '@orrery/ledger'
import type { CometRecords, EmitterInstance, QueuedSwap } from './values.ts'

/** What a key of a Comet pool holds. */
export type CometKey =
  | { readonly kind: 'instance' | 'records' | 'total_shares' | 'ignored' | 'unknown' }
  | { readonly kind: 'shares'; readonly holder: Address }

const CometEntryKey = variant({ AllRecordData: [], TotalShares: [], AllTokenVec: [], Balance: [address], Allowance: [any] })

export function readCometKey(key: Uint8Array): CometKey {
  if (isInstanceKey(key)) return { kind: 'instance' }
  const read = matches(CometEntryKey, key)
  switch (read?.name) {
    case 'AllRecordData':
      return { kind: 'records' }
    case 'TotalShares':
      return { kind: 'total_shares' }
    case 'Balance':
      return { kind: 'shares', holder: read.values[0] }
    // The records name the tokens; an allowance moves nothing.
    case 'AllTokenVec':
    case 'Allowance':
      return { kind: 'ignored' }
    default:
      return { kind: 'unknown' }
  }
}

const Records = dict(address, struct({ balance: i128, weight: i128 }))

export function readCometRecords(value: Uint8Array): CometRecords | null {
  const read = matches(Records, value)
  return read === null ? null : new Map(read)
}

const SWAP_FEE = writeScVal(sc.vec(sc.symbol('SwapFee')))

/** Fraction of a swap's input with 7 decimals, null while the pool is not set up. @throws OrreryError `corrupt`/`unexpected_shape`. */
export function readSwapFee(value: Uint8Array, comet: ContractId): bigint | null {
  return readInstance(value, { contract: comet, what: 'Comet instance' }).get(SWAP_FEE, i128)
}

/** What a key of the emitter holds. */
export type EmitterKey =
  | { readonly kind: 'instance' | 'queued_swap' | 'unknown' }
  | { readonly kind: 'last_distribution' | 'dropped'; readonly backstop: ContractId }

const EmitterEntryKey = oneOf([variant({ LastDistro: [address], Dropped: [address] }), symbol])

export function readEmitterKey(key: Uint8Array): EmitterKey {
  if (isInstanceKey(key)) return { kind: 'instance' }
  const read = matches(EmitterEntryKey, key)
  if (read === 'Swap') return { kind: 'queued_swap' }
  if (read === null || typeof read === 'string') return { kind: 'unknown' }
  return { kind: read.name === 'LastDistro' ? 'last_distribution' : 'dropped', backstop: read.values[0] }
}

const EMITTER_KEYS = {
  backstop: writeScVal(sc.symbol('Backstop')),
  backstopToken: writeScVal(sc.symbol('BToken')),
  blnd: writeScVal(sc.symbol('BLNDTkn')),
}

/** @throws OrreryError `corrupt`/`unexpected_shape` when the instance is not that of an emitter. */
export function readEmitterInstance(value: Uint8Array, emitter: ContractId): EmitterInstance {
  const { get } = readInstance(value, { contract: emitter, what: 'emitter instance' })
  return {
    backstop: get(EMITTER_KEYS.backstop, address) ?? '',
    backstopToken: get(EMITTER_KEYS.backstopToken, address) ?? '',
    blnd: get(EMITTER_KEYS.blnd, address) ?? '',
  }
}

const Swap = struct({ new_backstop: address, new_backstop_token: address, unlock_time: u64 })

export function readQueuedSwap(value: Uint8Array): QueuedSwap | null {
  const read = matches(Swap, value)
  return read === null ? null : { backstop: read.new_backstop, backstopToken: read.new_backstop_token, unlockTime: read.unlock_time }
}
