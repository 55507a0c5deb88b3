// One entry of a backstop: of one pool, or of the backstop as a whole.

import type { KeyedRecord, LiveEntry } from '@orrery/fold-kit'
import type { Address } from '@orrery/ledger'
import { before, noteAccount, noteChange } from './apply-pool.ts'
import type { ApplyContext } from './apply-records.ts'
import * as read from './backstop-entries.ts'
import { type BackstopUser, NO_BACKSTOP_SHARES } from './chain.ts'
import { changesOf } from './changes.ts'
import { readEmissionConfig, readEmissionData, readUserEmission } from './pool-entries.ts'
import * as codec from './row-codecs.ts'
import { member, put } from './slot.ts'
import { accountOf, allShares, backstopOf, type PoolState, setBackstopUser } from './state.ts'
import { stateKey } from './state-rows.ts'

/** An entry whose key names a pool: filed under the pool. */
export type OfPool = Extract<read.BackstopKey, { readonly pool: string }>

export function applyPoolBackstop(pool: PoolState, key: OfPool, record: KeyedRecord, context: ApplyContext): void {
  const { journal } = context
  const { backstop } = pool
  const contract = pool.pool
  switch (key.kind) {
    case 'balance': {
      const row = { contract, key: stateKey.poolBackstop }
      const filing = { row, what: 'pool balance', read: read.readBackstopBalance, codec: codec.backstopBalance }
      const outcome = put(member(backstop, 'balance'), filing, record, journal)
      if (noteChange(pool, outcome, context)) changesOf(context.changes, pool).backstopBefore ??= before(outcome)
      return
    }
    case 'emission': {
      const row = { contract, key: stateKey.backstopEmission }
      const filing = { row, what: 'backstop emission', read: readEmissionData, codec: codec.emissionData }
      noteChange(pool, put(member(backstop, 'emission'), filing, record, journal), context)
      return
    }
    case 'emission_config': {
      const row = { contract, key: stateKey.backstopEmissionConfig }
      const filing = { row, what: 'backstop emission config', read: readEmissionConfig, codec: codec.emissionConfig }
      noteChange(pool, put(member(backstop, 'emissionConfig'), filing, record, journal), context)
      return
    }
    case 'waiting': {
      const row = { contract, key: stateKey.waiting }
      const filing = { row, what: 'waiting emission', read: read.readWaitingEmission, codec: codec.waitingEmission }
      put(member(backstop, 'waiting'), filing, record, journal)
      return
    }
    case 'user':
      applyUser(pool, key.user, record, context)
      return
    case 'user_emission': {
      const row = { contract, key: stateKey.backstopUserEmission(key.user), owner: key.user }
      const filing = { row, what: 'backstop user emission', read: readUserEmission, codec: codec.userEmission }
      put(member(accountOf(pool, key.user), 'backstopEmission'), filing, record, journal)
    }
  }
}

function applyUser(pool: PoolState, user: Address, record: KeyedRecord, context: ApplyContext): void {
  const row = { contract: pool.pool, key: stateKey.backstopUser(user), owner: user }
  const slot = {
    get: () => pool.accounts.get(user)?.backstop ?? null,
    set: (live: LiveEntry<BackstopUser> | null) => setBackstopUser(pool, user, live),
  }
  const outcome = put(slot, { row, what: 'user balance', read: read.readBackstopUser, codec: codec.backstopUser }, record, context.journal)
  if (outcome.kind !== 'changed' && outcome.kind !== 'removed') return
  if (outcome.kind === 'changed' && outcome.before === null && allShares(outcome.now) === 0n) return
  noteAccount(pool, user, { backstop: outcome.before ?? NO_BACKSTOP_SHARES }, context)
}

/** What a backstop keeps as a whole. */
export function applyBackstop(key: Exclude<read.BackstopKey, OfPool>, record: KeyedRecord, { state, journal }: ApplyContext): void {
  const { contract } = record
  const backstop = backstopOf(state, contract)
  const row = (name: string) => ({ contract, key: name })
  switch (key.kind) {
    case 'instance': {
      const filing = {
        row: row(stateKey.whole),
        what: 'backstop instance',
        read: (value: Uint8Array) => read.readBackstopInstance(value, contract),
        codec: codec.backstopInstance,
      }
      put(member(backstop, 'instance'), filing, record, journal)
      return
    }
    case 'reward_zone': {
      const filing = { row: row(stateKey.rewardZone), what: 'reward zone', read: read.readRewardZone, codec: codec.contracts }
      put(member(backstop, 'rewardZone'), filing, record, journal)
      return
    }
    case 'last_distribution': {
      const filing = { row: row(stateKey.lastDistribution), what: 'last distribution', read: read.readSeconds, codec: codec.amount }
      put(member(backstop, 'lastDistribution'), filing, record, journal)
      return
    }
    case 'lp_value': {
      const lpRow = { ...row(stateKey.lpTokenValue), shared: true }
      const filing = { row: lpRow, what: 'value of an LP token', read: read.readLpTokenValue, codec: codec.lpTokenValue }
      put(member(backstop, 'lpTokenValue'), filing, record, journal)
      return
    }
    case 'backfill_emissions': {
      const filing = { row: row(stateKey.backfillEmissions), what: 'back-filled emissions', read: read.readAmount, codec: codec.amount }
      put(member(backstop, 'backfillEmissions'), filing, record, journal)
      return
    }
    case 'backfilled': {
      const filing = { row: row(stateKey.backfilled), what: 'back-fill', read: read.readFlag, codec: codec.flag }
      put(member(backstop, 'backfilled'), filing, record, journal)
      return
    }
    case 'drop_list':
      return
    case 'unknown':
      journal.notice(contract, 'entry', 'unknown key of a backstop')
  }
}
