// The entries of one ledger, applied to the state: afterwards it is that of the ledger's end.
// Entries are absolute, so applying one again changes nothing, and nothing is ever added up from events.
// A key that was never seen brings its old value along: the index began in the middle of its life.

import {
  type ApplyContext,
  applyTokenInstance,
  isInstanceKey,
  type KeyedRecord,
  type LedgerContext,
  readBalanceHolder,
} from '@orrery/fold-kit'
import type { ContractId } from '@orrery/ledger'
import { readBackstopKey, readFactoryPool } from '../chain/backstop-entries.ts'
import { readPoolInstance, readPoolKey } from '../chain/pool-entries.ts'
import { balance } from '../state/balance.ts'
import type { Changes } from '../state/changes.ts'
import { listing } from '../state/pool.ts'
import type { BlendState, PoolState } from '../state/state.ts'
import { applyBackstopEntry, applyCometEntry, applyEmitterEntry, applyPoolBackstopEntry, applyPoolEntry } from './apply-entry.ts'
import type { Directory } from './directory.ts'

type Context = ApplyContext<BlendState, Changes> & { readonly directory: Directory }

/** An entry's record, and whether it belongs to this partition. */
interface Arrived {
  readonly record: KeyedRecord
  readonly owned: boolean
}

/** First which contracts are pools, then their instances and lists of reserves, then the entries that depend on these. */
export function applyRecords({ state, slice, journal }: LedgerContext<BlendState>, directory: Directory): Changes {
  const context: Context = { state, journal, directory, changes: new Map() }
  const first: Arrived[] = []
  const later: Arrived[] = []
  for (const { class: recordClass, record } of slice.records) {
    if (recordClass === 'context' || !('key' in record)) continue
    const owned = recordClass === 'owned'
    if (directory.roleOf(record.contract) === 'factory') applyFactoryEntry(record, context)
    else if (isInstanceKey(record.key) || isReserveList(record, directory)) first.push({ record, owned })
    else later.push({ record, owned })
  }
  for (const { record } of first) learnPool(record, context)
  for (const arrived of first) applyEntry(arrived, context)
  for (const arrived of later) applyEntry(arrived, context)
  return context.changes
}

/** A list of reserves gives the indexes in all positions their assets, also in those of the same ledger. */
function isReserveList(record: KeyedRecord, directory: Directory): boolean {
  return directory.roleOf(record.contract) === 'pool' && readPoolKey(record.key).kind === 'reserve_list'
}

/** The factory's own list: a contract in it is a pool. */
function applyFactoryEntry(record: KeyedRecord, context: Context): void {
  const pool = readFactoryPool(record.key)
  if (pool === null) {
    if (!isInstanceKey(record.key)) context.journal.notice(record.contract, 'entry', 'unknown key of a factory')
    return
  }
  if (record.kind !== 'entry' || record.value === null || context.state.pools.get(pool)?.listed) return
  listing.write(context, { contract: record.contract, pool }, record.change === 'created')
}

/** A pool of the registry predates the index: its bootstrapped instance names its backstop, which never changes. */
function learnPool(record: KeyedRecord, context: Context): void {
  const pool = context.state.pools.get(record.contract)
  if (record.kind !== 'entry' || record.change !== 'bootstrap' || record.value === null || pool === undefined) return
  const instance = isInstanceKey(record.key) ? readPoolInstance(record.value, pool.pool) : null
  if (instance !== null) learnDeployment(pool, instance.backstop, context)
}

/** Remembers a pool's deployment where no factory's entry named it: its own instance names its backstop, and a backstop asks the factory. */
function learnDeployment(pool: PoolState, backstop: ContractId, context: Context): void {
  const deployment = context.directory.deploymentOf(backstop)
  if (pool.deployment !== null || deployment === null) return
  listing.infer(context, { contract: deployment.factory, pool: pool.pool }, false)
}

function applyEntry({ record, owned }: Arrived, context: Context): void {
  const { state, directory } = context
  const role = directory.roleOf(record.contract)
  if (role === 'pool' && owned) applyPoolEntry(record, context)
  else if (role === 'backstop') applyOfBackstop(record, owned, context)
  else if (role === 'comet') applyCometEntry(record, owned, context)
  else if (role === 'emitter') applyEmitterEntry(record, context)
  else if (role === null && isInstanceKey(record.key)) applyTokenInstance(state.assets, record, context.journal)
  if (owned) applyBalance(record, context)
}

/** An entry of a backstop that names a pool is applied where the pool is owned. */
function applyOfBackstop(record: KeyedRecord, owned: boolean, context: Context): void {
  const key = readBackstopKey(record.key)
  if (!('pool' in key)) {
    applyBackstopEntry(key, record, context)
    return
  }
  if (!owned) return
  const pool = context.state.pools.get(key.pool)
  if (pool !== undefined) learnDeployment(pool, record.contract, context)
  if (pool?.deployment?.backstop === record.contract) applyPoolBackstopEntry(key, record, context)
  else context.journal.notice(record.contract, 'entry', 'of a pool that is not known: it is older than the index')
}

/** What a pool, a backstop or the Comet pool holds of a token. */
function applyBalance(record: KeyedRecord, context: Context): void {
  const { directory } = context
  const token = record.contract
  const holder = readBalanceHolder(record.key)
  const role = holder === null ? null : directory.roleOf(holder)
  if (holder === null || role === null || (role === 'pool' && !directory.assetsOf(holder).includes(token))) return
  balance.apply(record, { contract: holder, token }, context)
}
