// Parameters of a stream.

import { ACTIVITY_TYPES, type ProtocolId } from '@orrery/protocol-kit'
import { z } from 'zod'
import { AddressList, MAX_ADDRESSES } from '../params/address-list.ts'
import { choiceList } from '../params/choice.ts'
import { LedgerParameter } from '../params/integer.ts'
import { textValue } from '../params/text-value.ts'
import type { Rule } from '../route.ts'
import { isPool, MAX_CONTRACTS, THRESHOLD } from './filter-rules.ts'
import { STREAM_PARTS } from './stream-place.ts'

const PoolList = textValue(
  { type: 'string', pattern: '^(?:C[A-Z2-7]{55}|[a-z]+:[A-Za-z0-9]{1,12})(?:,(?:C[A-Z2-7]{55}|[a-z]+:[A-Za-z0-9]{1,12}))*$' },
  `must be 1 to ${MAX_CONTRACTS} different pools (a contract \`C...\` with a valid checksum, or \`fxdao:<currency>\`), with commas and no spaces between.`,
  (text): readonly string[] | null => {
    const pools = text.split(',')
    return pools.length <= MAX_CONTRACTS && new Set(pools).size === pools.length && pools.every(isPool) ? pools : null
  },
)

const HealthFactor = textValue(
  { type: 'string', pattern: THRESHOLD.source, examples: ['1.1'] },
  'must be a decimal number greater than 0 and below 10000, with at most 7 fractional digits, such as `1.1`.',
  (text) => (THRESHOLD.test(text) ? text : null),
)

export function streamQuery(protocols: readonly ProtocolId[]) {
  return z.strictObject({
    from_ledger: LedgerParameter.optional().describe(
      'First ledger, inclusive: what the index already has of it and of later ledgers is sent first. Without it the stream begins after the last indexed ledger. The header `Last-Event-ID` stands over it.',
    ),
    addresses: AddressList.optional().describe(`Only events of these accounts: 1 to ${MAX_ADDRESSES}, separated by commas.`),
    protocols: choiceList(protocols).optional().describe('Only events of these protocols, separated by commas.'),
    contracts: PoolList.optional().describe(
      `Only events of these pools: 1 to ${MAX_CONTRACTS} contracts, or \`fxdao:<currency>\` for positions in vaults, separated by commas.`,
    ),
    activity_type: choiceList(ACTIVITY_TYPES)
      .optional()
      .describe('Only activities of these types, separated by commas. Other events are not filtered by it.'),
    events: choiceList(STREAM_PARTS)
      .optional()
      .describe('Only events of these kinds, separated by commas. Default: all; `health_factor` only with `health_factor_below`.'),
    health_factor_below: HealthFactor.optional().describe(
      'A threshold: an event `health_factor` is sent when the health factor of a position falls below it, and another one when it has recovered, at 2 % above it or without debt. A position that has not been known to be below it for 120,960 ledgers, about a week, counts as recovered without an event.',
    ),
  })
}

export type StreamQuery = z.output<ReturnType<typeof streamQuery>>

export const STREAM_RULES: readonly Rule<StreamQuery>[] = [
  {
    code: 'missing_parameter',
    broken: (q) => q.events?.includes('health_factor') === true && q.health_factor_below === undefined,
    message: '`events` has `health_factor`, which needs a threshold. Give it as `health_factor_below`.',
  },
  {
    code: 'conflicting_parameters',
    broken: (q) => q.health_factor_below !== undefined && q.events !== undefined && !q.events.includes('health_factor'),
    message: '`health_factor_below` is given, but `events` lacks `health_factor`. Add it to `events`, or leave `health_factor_below` out.',
  },
]
