// One entry of a lending pool, applied to the pool's state.

import type { ApplyContext, KeyedRecord } from '@orrery/fold-kit'
import { readPoolKey } from '../chain/pool-entries.ts'
import { auction } from '../state/auction.ts'
import type { Changes } from '../state/changes.ts'
import { emission, emissionConfig, emissionShares, userEmission } from '../state/emissions.ts'
import { pool, reserveList } from '../state/pool.ts'
import { positions } from '../state/positions.ts'
import { config, data, queued } from '../state/reserve.ts'
import type { BlendState } from '../state/state.ts'

export function applyPoolEntry(record: KeyedRecord, context: ApplyContext<BlendState, Changes>): void {
  const { contract } = record
  const key = readPoolKey(record.key)
  switch (key.kind) {
    case 'instance':
      pool.apply(record, { contract }, context)
      return
    case 'reserve_list':
      reserveList.apply(record, { contract }, context)
      return
    case 'data':
      data.apply(record, { contract, asset: key.asset }, context)
      return
    case 'config':
      config.apply(record, { contract, asset: key.asset }, context)
      return
    case 'queued':
      queued.apply(record, { contract, asset: key.asset }, context)
      return
    case 'positions':
      positions.apply(record, { contract, owner: key.user }, context)
      return
    case 'user_emission':
      userEmission.apply(record, { contract, owner: key.user, token: key.tokenId.toString() }, context)
      return
    case 'auction':
      auction.apply(record, { contract, owner: key.user, type: key.type.toString() }, context)
      return
    case 'emission':
      emission.apply(record, { contract, token: key.tokenId.toString() }, context)
      return
    case 'emission_config':
      emissionConfig.apply(record, { contract, token: key.tokenId.toString() }, context)
      return
    case 'emission_shares':
      emissionShares.apply(record, { contract }, context)
      return
    case 'proposed_admin':
      return
    case 'unknown':
      context.journal.notice(contract, 'entry', 'unknown key of a pool')
  }
}
