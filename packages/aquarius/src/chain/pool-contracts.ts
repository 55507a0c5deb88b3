// Which contracts a pool's instance names, and when all partitions need to know.
// Read for every change of a pool while ledgers are sliced, so nothing else of the instance is looked up.

import { address, type ContractId, dict, type LedgerRecord, vec } from '@orrery/ledger'
import { type InstanceStorage, readInstanceStorage } from './instance-storage.ts'

export type PoolContracts = Readonly<ReturnType<typeof readPoolContracts>>

/** @throws OrreryError `corrupt`/`unexpected_shape` when the value is no instance. */
export function readPoolContracts(value: Uint8Array, pool: ContractId) {
  const storage = readInstanceStorage(value, pool, 'pool instance')
  return {
    /** By raw address bytes: the order of events and reserves. */
    tokens: readTokens(storage) ?? [],
    shareToken: storage.get('TokenShare', address),
    /** Takes the place of `shareToken` once every holder has the same balance of it: a v1.3 pool that exchanges its share token. */
    nextShareToken: storage.get('FutureTokenShare', address),
    rewardToken: storage.get('RewardToken', address),
    /** Pairs of a token and its gauge. */
    gauges: storage.get('RewardGaugesMap', dict(address, address)) ?? [],
  }
}

/** Every kind of pool stores its tokens under keys of its own. */
export function readTokens(storage: InstanceStorage): readonly ContractId[] | null {
  return storage.get('Tokens', vec(address)) ?? storage.pair('TokenA', 'TokenB', address) ?? storage.pair('Token0', 'Token1', address)
}

/** Whether a pool's instance is new, or names other share tokens than before: v1.3 could exchange it. */
export function changesShareToken(record: LedgerRecord): boolean {
  if (record.kind !== 'entry' || record.value === null) return false
  if (record.change !== 'updated' || record.before === null) return true
  const shareTokens = (value: Uint8Array) => {
    const storage = readInstanceStorage(value, record.contract, 'pool instance')
    return `${storage.get('TokenShare', address)} ${storage.get('FutureTokenShare', address)}`
  }
  return shareTokens(record.value) !== shareTokens(record.before)
}
