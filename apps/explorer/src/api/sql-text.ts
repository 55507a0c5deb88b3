// The SQL of a series as the user would send it to ClickHouse.

import type { QueryName, QueryStatement } from '@orrery/client'
import type { ApiCall } from './api-call.ts'

/** Statements of each series in buckets of time, by resource and method. */
const STATEMENTS: Readonly<Record<string, readonly QueryName[]>> = {
  'accounts.activitySeries': ['account_activity_series'],
  'accounts.history': ['net_worth', 'position_flows'],
  'aquarius.history': ['position_history'],
  'assets.priceHistory': ['asset_price_history'],
  'blend.history': ['position_history'],
  'blend.summaryHistory': ['position_summary'],
  'fxdao.history': ['position_history'],
  'pools.history': ['pool_history', 'pool_reserve_history'],
  'protocols.tvl': ['protocol_tvl_by_day'],
  'soroswap.history': ['position_history'],
}
/** TVL has days without being asked for them. */
const ALWAYS_IN_BUCKETS = 'protocols.tvl'

/** Names of the statements behind the answer to a call. None where it is no series in buckets of time. */
export function statementsOf({ resource, method, args }: ApiCall<unknown>): readonly QueryName[] {
  const called = `${resource}.${method}`
  const isInBuckets = args.some(
    (argument) => typeof argument === 'object' && argument !== null && ('range' in argument || 'interval' in argument),
  )
  return called === ALWAYS_IN_BUCKETS || isInBuckets ? (STATEMENTS[called] ?? []) : []
}

/** With the address that `orrery secrets` prints, and the parameters of the request. */
export function clickhouseText({ sql_on_views, parameters }: QueryStatement): string {
  const values = parameters.flatMap(({ name, value }) => (value === null ? [] : [`&param_${name}=${encodeURIComponent(value)}`]))
  return `curl "$CLICKHOUSE_URL/?database=orrery${values.join('')}" --data-binary @- <<'SQL'
${sql_on_views}
FORMAT PrettyCompact
SQL`
}
