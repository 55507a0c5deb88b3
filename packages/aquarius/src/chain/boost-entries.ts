// The boost feed: a contract that stores how many boost tokens all accounts have locked.

import { type ContractId, u128 } from '@orrery/ledger'
import { readInstanceStorage } from './instance-storage.ts'

/** Raw units; 0n before the first lock. @throws OrreryError `corrupt`/`unexpected_shape` when the value is no instance. */
export function readBoostSupply(value: Uint8Array, feed: ContractId): bigint {
  return readInstanceStorage(value, feed, 'boost feed instance').get('TotalSupply', u128) ?? 0n
}
