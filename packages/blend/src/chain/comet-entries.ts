// Entries of the Comet pool of BLND and USDC, and of the emitter, one reader a key.
// Source: comet-contracts-v1 contracts/src/c_pool/{storage_types,metadata}.rs; blend-contracts emitter/src/storage.rs.

import { address, any, type ContractId, dict, i128, readInstance, sc, struct, u64, writeScVal } from '@orrery/ledger'
import { contractsReader, key, keyReader, valueReader } from './entry-reader.ts'
import type { CometRecords, EmitterInstance, QueuedSwap } from './values.ts'

/** What a key of a Comet pool holds. The records name the tokens; an allowance moves nothing. */
export const readCometKey = keyReader({
  AllRecordData: key([], () => ({ kind: 'records' })),
  TotalShares: key([], () => ({ kind: 'total_shares' })),
  Balance: key([address], (owner) => ({ kind: 'shares', owner })),
  AllTokenVec: key([], () => ({ kind: 'ignored' })),
  Allowance: key([any], () => ({ kind: 'ignored' })),
})
export type CometKey = ReturnType<typeof readCometKey>

export const readCometRecords = valueReader(
  dict(address, struct({ balance: i128, weight: i128 })),
  (records): CometRecords => new Map(records),
)

const SWAP_FEE = writeScVal(sc.vec(sc.symbol('SwapFee')))

/** Fraction of a swap's input with 7 decimals, null while the pool is not set up. @throws OrreryError `corrupt`/`unexpected_shape`. */
export function readSwapFee(value: Uint8Array, comet: ContractId): bigint | null {
  return readInstance(value, { contract: comet, what: 'Comet instance' }).get(SWAP_FEE, i128)
}

/** What a key of the emitter holds. */
export const readEmitterKey = keyReader({
  Swap: 'queued_swap',
  LastDistro: key([address], (backstop) => ({ kind: 'last_distribution', backstop })),
  Dropped: key([address], (backstop) => ({ kind: 'dropped', backstop })),
})
export type EmitterKey = ReturnType<typeof readEmitterKey>

/** @throws OrreryError `corrupt`/`unexpected_shape` when the instance is not that of an emitter. */
export const readEmitterInstance: (value: Uint8Array, emitter: ContractId) => EmitterInstance = contractsReader('emitter instance', {
  backstop: 'Backstop',
  backstopToken: 'BToken',
  blnd: 'BLNDTkn',
})

export const readQueuedSwap = valueReader(
  struct({ new_backstop: address, new_backstop_token: address, unlock_time: u64 }),
  (swap): QueuedSwap => ({ backstop: swap.new_backstop, backstopToken: swap.new_backstop_token, unlockTime: swap.unlock_time }),
)
