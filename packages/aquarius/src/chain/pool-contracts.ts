// What a pool's instance says of contracts that belong to it, and when all partitions must hear it.
// Read for every change of a pool while ledgers are told, so nothing else of the instance is looked up.

import { address, type ContractId, dict, type LedgerRecord, vec } from '@orrery/ledger'
import { readStored, type Stored } from './instance-storage.ts'

export interface PoolKin {
  /** By raw address bytes: the order of events and reserves. */
  readonly tokens: readonly ContractId[]
  readonly shareToken: ContractId | null
  /** Takes the place of `shareToken` once every balance stands there too: a v1.3 pool that exchanges its share token. */
  readonly nextShareToken: ContractId | null
  readonly rewardToken: ContractId | null
  readonly gauges: readonly (readonly [token: ContractId, gauge: ContractId])[]
}

/** @throws OrreryError `corrupt`/`unexpected_shape` when the value is no instance. */
export function readPoolKin(value: Uint8Array, pool: ContractId): PoolKin {
  const stored = readStored(value, pool, 'pool instance')
  return {
    tokens: readTokens(stored) ?? [],
    shareToken: stored.get('TokenShare', address),
    nextShareToken: stored.get('FutureTokenShare', address),
    rewardToken: stored.get('RewardToken', address),
    gauges: stored.get('RewardGaugesMap', dict(address, address)) ?? [],
  }
}

/** Every kind of pool spells its tokens in its own way. */
export function readTokens(stored: Stored): readonly ContractId[] | null {
  return stored.get('Tokens', vec(address)) ?? stored.pair('TokenA', 'TokenB', address) ?? stored.pair('Token0', 'Token1', address)
}

/** Whether a pool's instance is new, or names other share tokens than before: v1.3 could exchange it. */
export function namesKin(record: LedgerRecord): boolean {
  if (record.kind !== 'entry' || record.value === null) return false
  if (record.change !== 'updated' || record.before === null) return true
  const shareTokens = (value: Uint8Array) => {
    const stored = readStored(value, record.contract, 'pool instance')
    return `${stored.get('TokenShare', address)} ${stored.get('FutureTokenShare', address)}`
  }
  return shareTokens(record.value) !== shareTokens(record.before)
}
