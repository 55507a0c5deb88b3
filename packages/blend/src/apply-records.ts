// The entries of one ledger, applied to the state: afterwards it is that of the ledger's end.
// Entries are absolute, so applying one again changes nothing, and nothing is ever added up from events.
// A key that was never seen brings its old value along: the index began in the middle of its life.

import { applyTokenInstance, isInstanceKey, type Journal, type KeyedRecord, readBalanceHolder, readTokenBalance } from '@orrery/fold-kit'
import { type ContractId, sc, writeScVal } from '@orrery/ledger'
import type { Slice } from '@orrery/protocol-kit'
import { applyBackstop, applyPoolBackstop } from './apply-backstop.ts'
import { applyCometEntry, applyEmitterEntry } from './apply-comet.ts'
import { applyPoolEntry, noteChange } from './apply-pool.ts'
import { readBackstopKey, readFactoryPool } from './backstop-entries.ts'
import type { Changes } from './changes.ts'
import type { Directory } from './directory.ts'
import { readPoolInstance, readPoolKey } from './pool-entries.ts'
import * as codec from './row-codecs.ts'
import { item, put } from './slot.ts'
import { type BlendState, backstopOf, cometOf, type PoolState, poolOf } from './state.ts'
import { listingText, stateKey } from './state-rows.ts'

export interface ApplyContext {
  readonly state: BlendState
  readonly journal: Journal
  readonly directory: Directory
  readonly changes: Changes
}

/** An entry on its way, and whether it belongs to this partition. */
interface Arrived {
  readonly record: KeyedRecord
  readonly owned: boolean
}

/** Who is a pool first, then what it is and which reserves it has, then everything that needs to know that. */
export function applyRecords(state: BlendState, slice: Slice, directory: Directory, journal: Journal): Changes {
  const context: ApplyContext = { state, journal, directory, changes: new Map() }
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

/** A list of reserves says what the indexes in all positions mean, also in those of the same ledger. */
function isReserveList(record: KeyedRecord, directory: Directory): boolean {
  return directory.roleOf(record.contract) === 'pool' && readPoolKey(record.key).kind === 'reserve_list'
}

/** The factory's own list: who is in it is a pool. */
function applyFactoryEntry(record: KeyedRecord, { state, journal, directory }: ApplyContext): void {
  const contract = readFactoryPool(record.key)
  if (contract === null) {
    if (!isInstanceKey(record.key)) journal.notice(record.contract, 'entry', 'unknown key of a factory')
    return
  }
  if (record.kind !== 'entry' || record.value === null) return
  const pool = poolOf(state, contract)
  if (pool.listed) return
  pool.deployment = directory.deploymentOf(record.contract)
  pool.listed = record.change === 'created'
  const row = { contract: record.contract, key: stateKey.listing(contract), durability: 'fact', shared: true } as const
  journal.write({ ...row, value: listingText(pool.listed) })
}

/** A pool of the registry is older than the index: its instance, as it is told once, names its backstop, which never changes. */
function learnPool(record: KeyedRecord, context: ApplyContext): void {
  const pool = context.state.pools.get(record.contract)
  if (record.kind !== 'entry' || record.change !== 'bootstrap' || record.value === null || pool === undefined) return
  const instance = isInstanceKey(record.key) ? readPoolInstance(record.value, pool.pool) : null
  if (instance !== null) learnDeployment(pool, instance.backstop, context)
}

/** Remembers whose pool it is, where no factory of the index said so: its own instance names its backstop, and a backstop asks the factory. */
function learnDeployment(pool: PoolState, backstop: ContractId, { journal, directory }: ApplyContext): void {
  const deployment = directory.deploymentOf(backstop)
  if (pool.deployment !== null || deployment === null) return
  pool.deployment = deployment
  const row = { contract: deployment.factory, key: stateKey.listing(pool.pool), durability: 'fact', shared: true } as const
  journal.infer({ ...row, value: listingText(false) })
}

function applyEntry({ record, owned }: Arrived, context: ApplyContext): void {
  const { state, directory } = context
  const { contract } = record
  const role = directory.roleOf(contract)
  if (role === 'pool' && owned) {
    const pool = poolOf(state, contract)
    pool.owned = true
    applyPoolEntry(pool, readPoolKey(record.key), record, context)
  } else if (role === 'backstop') applyBackstopEntry(record, owned, context)
  else if (role === 'comet') applyCometEntry(record, owned, context)
  else if (role === 'emitter') applyEmitterEntry(record, context)
  else if (role === null && isInstanceKey(record.key)) applyTokenInstance(state.assets, record, context.journal)
  if (owned) applyBalance(record, context)
}

function applyBackstopEntry(record: KeyedRecord, owned: boolean, context: ApplyContext): void {
  const key = readBackstopKey(record.key)
  if (!('pool' in key)) {
    applyBackstop(key, record, context)
    return
  }
  if (!owned) return
  const pool = context.state.pools.get(key.pool)
  if (pool !== undefined) learnDeployment(pool, record.contract, context)
  if (pool?.deployment?.backstop !== record.contract) {
    context.journal.notice(record.contract, 'entry', 'of a pool that is not known: it is older than the index')
    return
  }
  pool.owned = true
  applyPoolBackstop(pool, key, record, context)
}

const NO_BALANCE = writeScVal(sc.i128(0n))

/** What a pool, a backstop or the Comet pool holds of a token. */
function applyBalance(record: KeyedRecord, context: ApplyContext): void {
  const { state, directory, journal } = context
  const token = record.contract
  const holder = readBalanceHolder(record.key)
  if (holder === null) return
  const pool = state.pools.get(holder)
  const balances = pool?.balances ?? balancesOf(holder, context)
  if (balances === null || (pool !== undefined && !directory.assetsOf(holder).includes(token))) return
  const row = { contract: holder, key: stateKey.balance(token) }
  const filing = { row, what: 'balance of a token', read: readTokenBalance, codec: codec.amount }
  // A token may drop an empty balance: that is a zero.
  const isGone = record.kind === 'entry' && record.value === null
  const outcome = put(item(balances, token), filing, isGone ? { ...record, value: NO_BALANCE } : record, journal)
  if (pool !== undefined) noteChange(pool, outcome, context)
}

function balancesOf(holder: ContractId, { state, directory }: ApplyContext) {
  switch (directory.roleOf(holder)) {
    case 'backstop':
      return backstopOf(state, holder).balances
    case 'comet':
      return cometOf(state, holder).balances
    default:
      return null
  }
}
