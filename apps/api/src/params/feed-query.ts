// Parameters of the activity feed.

import type { ProtocolId } from '@orrery/protocol-kit'
import { z } from 'zod'
import type { Rule } from '../route.ts'
import { ContractAddress } from './address.ts'
import { choice, choiceList } from './choice.ts'
import { LedgerParameter, rowLimit } from './integer.ts'
import { TransactionHash } from './transaction-hash.ts'

/** What an account can have done. The closed list of the wire. */
export const ACTIVITY_TYPES = [
  'deposit',
  'withdraw',
  'borrow',
  'repay',
  'swap',
  'claim',
  'stake',
  'unstake_request',
  'unstake_cancel',
  'unstake',
  'liquidation',
  'auction',
  'bad_debt',
  'redemption',
  'transfer',
  'emission',
  'admin',
] as const

const DEFAULT_LIMIT = 50
const MAX_LIMIT = 100

export function feedQuery(protocols: readonly ProtocolId[]) {
  return z.strictObject({
    cursor: z.string().optional().describe('`next_cursor` of the page before, unmodified.'),
    limit: rowLimit(MAX_LIMIT).default(DEFAULT_LIMIT).describe('Rows of a page.'),
    as_of_ledger: LedgerParameter.optional().describe('Rows at or before this ledger. Not with `to_ledger`.'),
    protocol: choice(protocols).optional().describe('Rows of this protocol.'),
    activity_type: choiceList(ACTIVITY_TYPES).optional().describe('One type, or several with commas between: rows of any of them.'),
    contract: ContractAddress.optional().describe('Rows of this contract: the pool touched.'),
    tx_hash: TransactionHash.optional().describe('Rows of this transaction.'),
    from_ledger: LedgerParameter.optional().describe('First ledger, inclusive. After `as_of_ledger` there is nothing.'),
    to_ledger: LedgerParameter.optional().describe('Last ledger, inclusive.'),
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
]
