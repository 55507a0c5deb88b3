// The statements of series that `GET /v1/queries/{name}` shows: the same values that the operations run where they do not add up rows themselves.

import {
  accountActivitySeries,
  assetPriceHistory,
  assetPrices,
  netWorth,
  netWorthSnapshots,
  poolHistory,
  poolReserveHistory,
  poolSnapshots,
  positionFlows,
  positionHistory,
  positionSnapshots,
  positionSummary,
  positionSummarySnapshots,
  protocolTvlByDay,
} from '@orrery/read-model/queries'

interface SeriesStatement {
  readonly query: { readonly name: string; readonly sql: string }
  readonly about: string
}

const POOL = '`/v1/pools/{pool_id}/history`'
const POSITION = '`/v1/users/{address}/positions/{protocol}/{pool}/history`'
const SUMMARY = '`/v1/users/{address}/positions/blend/summary/history`'
const WORTH = '`/v1/users/{address}/history`'
const PRICES = '`/v1/assets/{id}/prices`'

const STATEMENTS = [
  { query: poolHistory, about: `Value, volume, fees and rewards of a pool at the end of each bucket: ${POOL}.` },
  { query: poolReserveHistory, about: `Reserves of a pool at the end of each bucket: ${POOL}.` },
  { query: poolSnapshots, about: `Every snapshot of a pool, newest first: ${POOL} without buckets.` },
  { query: positionHistory.time, about: `Value of a position at the end of each bucket of time, newest first: ${POSITION}.` },
  { query: positionHistory.ledger, about: `Value of a position at the end of each bucket of ledgers, newest first: ${POSITION}.` },
  { query: positionSnapshots, about: `Every snapshot of a position, newest first: ${POSITION} without buckets.` },
  { query: positionSummary, about: `Sum of the positions in a protocol at the end of each bucket: ${SUMMARY}.` },
  {
    query: positionSummarySnapshots,
    about: `Sum of the positions in a protocol at each snapshot, newest first: ${SUMMARY} without buckets.`,
  },
  { query: netWorth.time, about: `Sum of all positions of an account at the end of each bucket of time: ${WORTH}.` },
  { query: netWorth.ledger, about: `Sum of all positions of an account at the end of each bucket of ledgers: ${WORTH}.` },
  { query: netWorthSnapshots, about: `Sum of all positions of an account at each snapshot, newest first: ${WORTH} without buckets.` },
  {
    query: positionFlows.time,
    about: `What entered positions of an account minus what left them, in buckets of time, in no order: ${WORTH}.`,
  },
  {
    query: positionFlows.ledger,
    about: `What entered positions of an account minus what left them, in buckets of ledgers, in no order: ${WORTH}.`,
  },
  { query: accountActivitySeries, about: 'Actions of an account by bucket and type: `/v1/users/{address}/activities/series`.' },
  { query: protocolTvlByDay, about: 'TVL of a protocol by day that is over: `/v1/protocols/{id}/tvl`.' },
  { query: assetPriceHistory, about: `Price of an asset at the end of each bucket: ${PRICES}.` },
  { query: assetPrices, about: `Every price of an asset, newest first: ${PRICES} without buckets.` },
] as const satisfies readonly SeriesStatement[]

/** By name. */
export const SERIES_STATEMENTS: ReadonlyMap<string, SeriesStatement> = new Map(STATEMENTS.map((one) => [one.query.name, one]))

/** What each parameter is, by name. */
export const PARAMETER_TEXTS: Readonly<Record<string, string>> = {
  active: 'Pairs of protocol and active index version. Views show only rows of these.',
  address: 'Account.',
  ages: 'Seconds that a price of each source counts, in the order of `sources`; 4294967295: always.',
  asset: 'Token contract.',
  axis: '`time`: places are Unix seconds; `ledger`: they are ledgers.',
  carry: 'Whether buckets without a value of their own carry the last one before.',
  count: 'Number of buckets.',
  days: 'Number of days.',
  events: 'Most prices that are looked at, over all sources.',
  first: 'Start of the first bucket: Unix seconds, a ledger, or a date where days are counted.',
  from: 'First place that counts: Unix seconds, or a ledger.',
  from_ledger: 'First ledger that counts. Of a window of time: `SELECT min(ledger) FROM ledgers WHERE close_time >= …`.',
  keep: 'Which buckets are shown. `fresh`: those with a value of their own; `carry`: also those that carry one; `all`: every bucket.',
  no_positions: 'Contracts whose shares are held outside of positions.',
  pool: 'Contract of the pool; of vaults `fxdao:USD`.',
  protocol: 'Protocol id; "" for all, where an operation may leave it out.',
  rows: 'Most rows of the answer.',
  since: 'Rows before this instant are not looked at. Unix seconds.',
  sources: 'Sources of the price in their order: the first that counts is the price.',
  split: 'Rows before this instant, the start of an hour, come from the table of hours. Unix seconds.',
  starts: 'Starts of the buckets.',
  to: 'Last place that counts: Unix seconds, or a ledger.',
  to_ledger: 'Last ledger that counts. Of a window of time: `SELECT max(ledger) FROM ledgers WHERE close_time <= …`.',
  watermark: 'Rows of later ledgers do not count: `SELECT min(ledger) FROM checkpoints`.',
  width: 'Width of a bucket: seconds, or ledgers.',
}
