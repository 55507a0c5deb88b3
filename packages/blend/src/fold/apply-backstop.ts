// One entry of a backstop: of one pool, or of the backstop as a whole.

import type { ApplyContext, KeyedRecord } from '@orrery/fold-kit'
import type { BackstopKey } from '../chain/backstop-entries.ts'
import { backfillEmissions, backfilled, backstop, lastDistribution, lpValue, rewardZone } from '../state/backstop.ts'
import type { Changes } from '../state/changes.ts'
import {
  backstopEmission,
  backstopEmissionConfig,
  backstopUser,
  backstopUserEmission,
  backstopWaiting,
  poolBackstop,
} from '../state/pool-backstop.ts'
import type { BlendState } from '../state/state.ts'

type Context = ApplyContext<BlendState, Changes>

/** An entry whose key names a pool. */
type OfPool = Extract<BackstopKey, { readonly pool: string }>

/** Filed under the pool. */
export function applyPoolBackstopEntry(key: OfPool, record: KeyedRecord, context: Context): void {
  const contract = key.pool
  switch (key.kind) {
    case 'balance':
      poolBackstop.apply(record, { contract }, context)
      return
    case 'emission':
      backstopEmission.apply(record, { contract }, context)
      return
    case 'emission_config':
      backstopEmissionConfig.apply(record, { contract }, context)
      return
    case 'waiting':
      backstopWaiting.apply(record, { contract }, context)
      return
    case 'user':
      backstopUser.apply(record, { contract, owner: key.user }, context)
      return
    case 'user_emission':
      backstopUserEmission.apply(record, { contract, owner: key.user }, context)
  }
}

export function applyBackstopEntry(key: Exclude<BackstopKey, OfPool>, record: KeyedRecord, context: Context): void {
  const { contract } = record
  switch (key.kind) {
    case 'instance':
      backstop.apply(record, { contract }, context)
      return
    case 'reward_zone':
      rewardZone.apply(record, { contract }, context)
      return
    case 'last_distribution':
      lastDistribution.apply(record, { contract }, context)
      return
    case 'lp_value':
      lpValue.apply(record, { contract }, context)
      return
    case 'backfill_emissions':
      backfillEmissions.apply(record, { contract }, context)
      return
    case 'backfilled':
      backfilled.apply(record, { contract }, context)
      return
    case 'drop_list':
      return
    case 'unknown':
      context.journal.notice(contract, 'entry', 'unknown key of a backstop')
  }
}
