// Parameters of the list of positions of a protocol.

import { z } from 'zod'
import { choice } from './choice.ts'
import { UsdParameter } from './decimal.ts'
import { rowLimit } from './integer.ts'
import { PoolId } from './pool-id.ts'

const DEFAULT_LIMIT = 50
const MAX_LIMIT = 100

const ACCOUNT_SORTS = ['health_factor', 'net_usd', 'borrowed_usd'] as const

export const AccountsQuery = z.strictObject({
  cursor: z.string().optional().describe('`next_cursor` of the previous page, unmodified.'),
  limit: rowLimit(MAX_LIMIT).default(DEFAULT_LIMIT).describe('Maximum number of positions of a page.'),
  sort: choice(ACCOUNT_SORTS)
    .default('net_usd')
    .describe(
      '`health_factor`: ascending, positions without one last; only of protocols with debts. `net_usd` and `borrowed_usd`: descending. Equal ones are in the order of `pool_id`, then of `address`.',
    ),
  health_factor_below: UsdParameter.optional().describe(
    'Only positions whose `health_factor` is below this, a fraction such as `1.05`. Only of protocols with debts.',
  ),
  pool: PoolId.optional().describe('Only positions in this pool.'),
})

export type AccountsQuery = z.output<typeof AccountsQuery>
