// Parameters of the activity feed.

import { ACTIVITY_TYPES, type ProtocolId } from '@orrery/protocol-kit'
import { z } from 'zod'
import type { Rule } from '../route.ts'
import { ContractAddress } from './address.ts'
import { choice, choiceList } from './choice.ts'
import { DateTimeParameter, isAfter } from './date-time.ts'
import { LedgerParameter } from './integer.ts'
import { pageLimit } from './page-limit.ts'
import { TransactionHash } from './transaction-hash.ts'

/** `csvRows`: the default and maximum of `limit` for an answer as CSV. */
export function feedQuery(protocols: readonly ProtocolId[], csvRows?: number) {
  return z.strictObject({
    cursor: z.string().optional().describe('`next_cursor` of the previous page, unmodified.'),
    limit: pageLimit('rows', csvRows),
    as_of_ledger: LedgerParameter.optional().describe('Only rows at or before this ledger. Not with `to_ledger`.'),
    protocol: choice(protocols).optional().describe('Only rows of this protocol.'),
    activity_type: choiceList(ACTIVITY_TYPES)
      .optional()
      .describe('Only rows of this type, or of any of several types separated by commas.'),
    contract: ContractAddress.optional().describe('Only rows of this pool contract.'),
    tx_hash: TransactionHash.optional().describe('Only rows of this transaction.'),
    from_ledger: LedgerParameter.optional().describe('First ledger, inclusive. If it is after `as_of_ledger`, the answer is empty.'),
    to_ledger: LedgerParameter.optional().describe('Last ledger, inclusive.'),
    from: DateTimeParameter.optional().describe('First instant, inclusive. Not with `from_ledger`.'),
    to: DateTimeParameter.optional().describe('Last instant, inclusive. Not with `to_ledger` or `as_of_ledger`.'),
    order: choice(['desc', 'asc']).default('desc').describe('`desc`: newest first. `asc`: oldest first.'),
  })
}

export type FeedQuery = z.output<ReturnType<typeof feedQuery>>

export const FEED_RULES: readonly Rule<FeedQuery>[] = [
  {
    code: 'conflicting_parameters',
    broken: (q) => q.as_of_ledger !== undefined && q.to_ledger !== undefined,
    message: '`as_of_ledger` cannot be combined with `to_ledger`: both are the last ledger. Use one of them.',
  },
  {
    code: 'invalid_parameter',
    broken: (q) => q.from_ledger !== undefined && q.to_ledger !== undefined && q.from_ledger > q.to_ledger,
    message: '`from_ledger` is after `to_ledger`. Give the smaller ledger as `from_ledger`.',
  },
  {
    code: 'conflicting_parameters',
    broken: (q) => q.from !== undefined && q.from_ledger !== undefined,
    message: '`from` cannot be combined with `from_ledger`: both are the first bound. Use one of them.',
  },
  {
    code: 'conflicting_parameters',
    broken: (q) => q.to !== undefined && (q.to_ledger !== undefined || q.as_of_ledger !== undefined),
    message: '`to` cannot be combined with `to_ledger` or `as_of_ledger`: all are the last bound. Use one of them.',
  },
  {
    code: 'invalid_parameter',
    broken: (q) => q.from !== undefined && q.to !== undefined && isAfter(q.from, q.to),
    message: '`from` is after `to`. Give the earlier instant as `from`.',
  },
]

/** The filters as one text, for cursors: equal for equal filters only. `limit` and `cursor` are no filters. */
export function feedFilters({ cursor: _, limit: __, ...filters }: Partial<FeedQuery>): string {
  return JSON.stringify(filters, (_, value: unknown) => (typeof value === 'bigint' ? value.toString() : value))
}
