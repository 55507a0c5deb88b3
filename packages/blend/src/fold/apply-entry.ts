// One entry of a contract of Blend, applied to the state: for each kind of key the entry of the state that it changes.

import type { ApplyContext, KeyedRecord } from '@orrery/fold-kit'
import type { ContractId } from '@orrery/ledger'
import type { BackstopKey } from '../chain/backstop-entries.ts'
import { type CometKey, type EmitterKey, readCometKey, readEmitterKey } from '../chain/comet-entries.ts'
import { type PoolKey, readPoolKey } from '../chain/pool-entries.ts'
import { auction, backstopUser, backstopUserEmission, positions, userEmission } from '../state/account.ts'
import { backfillEmissions, backfilled, backstop, lastDistribution, lpValue, rewardZone } from '../state/backstop.ts'
import type { Changes } from '../state/changes.ts'
import { lpBalance, records, swapFee, totalShares, wholeLife } from '../state/comet.ts'
import { emission, emissionConfig, emissionShares } from '../state/emissions.ts'
import { dropped, emitter, lastDistributionOf, queuedSwap } from '../state/emitter.ts'
import { pool, reserveList } from '../state/pool.ts'
import { backstopEmission, backstopEmissionConfig, backstopWaiting, poolBackstop } from '../state/pool-backstop.ts'
import { config, data, queued } from '../state/reserve.ts'
import type { BlendState } from '../state/state.ts'

type Context = ApplyContext<BlendState, Changes>

interface Applicable<At> {
  readonly apply: (record: KeyedRecord, at: At, context: Context) => unknown
}

/** For each kind of key its entry, null where the value is not kept. Its place comes from the parts of the key. */
type EntriesByKind<Key extends { readonly kind: string }> = {
  readonly [K in Exclude<Key['kind'], 'unknown'>]: Applicable<Extract<Key, { readonly kind: K }> & { readonly contract: ContractId }> | null
}

/** An entry of a backstop whose key names a pool. */
type PoolBackstopKey = Extract<BackstopKey, { readonly pool: ContractId }>

const POOL: EntriesByKind<PoolKey> = {
  instance: pool,
  reserve_list: reserveList,
  data,
  config,
  queued,
  positions,
  user_emission: userEmission,
  auction,
  emission,
  emission_config: emissionConfig,
  emission_shares: emissionShares,
  proposed_admin: null,
}

const POOL_BACKSTOP: EntriesByKind<PoolBackstopKey> = {
  balance: poolBackstop,
  emission: backstopEmission,
  emission_config: backstopEmissionConfig,
  waiting: backstopWaiting,
  user: backstopUser,
  user_emission: backstopUserEmission,
}

const BACKSTOP: EntriesByKind<Exclude<BackstopKey, PoolBackstopKey>> = {
  instance: backstop,
  reward_zone: rewardZone,
  last_distribution: lastDistribution,
  lp_value: lpValue,
  backfill_emissions: backfillEmissions,
  backfilled,
  drop_list: null,
}

const COMET: EntriesByKind<CometKey> = { instance: swapFee, records, total_shares: totalShares, shares: lpBalance, ignored: null }

const EMITTER: EntriesByKind<EmitterKey> = {
  instance: emitter,
  queued_swap: queuedSwap,
  last_distribution: lastDistributionOf,
  dropped,
}

export function applyPoolEntry(record: KeyedRecord, context: Context): void {
  apply(POOL, readPoolKey(record.key), record, context, 'a pool')
}

/** Filed under the pool. */
export function applyPoolBackstopEntry(key: PoolBackstopKey, record: KeyedRecord, context: Context): void {
  apply(POOL_BACKSTOP, key, record, context, 'a backstop', key.pool)
}

export function applyBackstopEntry(key: Exclude<BackstopKey, PoolBackstopKey>, record: KeyedRecord, context: Context): void {
  apply(BACKSTOP, key, record, context, 'a backstop')
}

/** @param owned The Comet pool is of this partition: its holders are followed here. */
export function applyCometEntry(record: KeyedRecord, owned: boolean, context: Context): void {
  const { contract } = record
  const key = readCometKey(record.key)
  if (key.kind === 'shares' && !owned) return
  apply(COMET, key, record, context, 'the Comet pool')
  const isCreated = key.kind === 'total_shares' && record.kind === 'entry' && record.change === 'created'
  if (isCreated && !context.state.comets.get(contract)?.wholeLife) wholeLife.write(context, { contract }, true)
}

export function applyEmitterEntry(record: KeyedRecord, context: Context): void {
  apply(EMITTER, readEmitterKey(record.key), record, context, 'the emitter')
}

/** @param contract The contract that the state's row is filed under. */
function apply<Key extends { readonly kind: string }>(
  entries: EntriesByKind<Key>,
  key: Key,
  record: KeyedRecord,
  context: Context,
  of: string,
  contract: ContractId = record.contract,
): void {
  if (key.kind === 'unknown') {
    context.journal.notice(record.contract, 'entry', `unknown key of ${of}`)
    return
  }
  // The table has the key's entry under its kind; the compiler does not relate the look-up to one member of the union.
  const entry = entries[key.kind as keyof typeof entries] as Applicable<object> | null
  entry?.apply(record, { ...key, contract }, context)
}
