// Parameters of the list of pools.

import type { ProtocolId } from '@orrery/protocol-kit'
import { z } from 'zod'
import { POOL_STATUSES, POOL_TYPES } from '../present/pools/pool-item.ts'
import { ContractAddress } from './address.ts'
import { choice, choiceList } from './choice.ts'
import { UsdParameter } from './decimal.ts'
import { pageLimit } from './page-limit.ts'

export const POOL_SORTS = ['tvl', 'volume', 'apy'] as const
export type PoolSort = (typeof POOL_SORTS)[number]

/** `csvRows`: the default and maximum of `limit` for an answer as CSV. */
export function poolsQuery(protocols: readonly ProtocolId[], csvRows?: number) {
  return z.strictObject({
    cursor: z.string().optional().describe('`next_cursor` of the previous page, unmodified.'),
    limit: pageLimit('pools', csvRows),
    protocol: choice(protocols).optional().describe('Only pools of this protocol.'),
    asset: ContractAddress.optional().describe('Only pools that hold this token, or in which it is owed.'),
    type: choiceList(POOL_TYPES).optional().describe('Only pools of this type, or of any of several types separated by commas.'),
    status: choiceList(POOL_STATUSES).optional().describe('Only pools with this status, or with any of several separated by commas.'),
    min_tvl_usd: UsdParameter.optional().describe('Only pools whose `tvl_usd` is at least this.'),
    sort: choice(POOL_SORTS)
      .default('tvl')
      .describe(
        'Descending by `tvl_usd`, by `volume_24h_usd`, or by yield: `fee_apy` plus `reward_apy`, and of a lending pool the best `supply_apy` plus `supply_emission_apy` of its reserves. Pools without such a value come last. Equal ones are in the order of `pool_id`.',
      ),
  })
}

export type PoolsQuery = z.output<ReturnType<typeof poolsQuery>>
