// How many statements an answer costs, once what never changes, what answers as of one ledger have in common and the current state of the account are remembered.
// A step more is a round trip more for everybody.

import { expect, it } from 'vitest'
import { withFixtureApi } from './testing/fixture-api.ts'
import { ALICE, BOB, hashOf, PAIR, POOL, UNKNOWN_ACCOUNT } from './testing/fixtures/network.ts'

const fixture = withFixtureApi(['soroswap', 'blend', 'fxdao'])
const blend = `/v1/users/${ALICE}/positions/blend`
const soroswap = `/v1/users/${ALICE}/positions/soroswap`

/** Asked once for each tip of the index, not for each answer: here every question reads a new tip. */
const OF_THE_TIP = ['adapter_health', 'control_facts', 'first_indexed_ledger', 'version_progress']

it.each([
  ['an account now', soroswap, []],
  ['one lending pool', `${blend}/${POOL}`, []],
  ['one lending pool as of a ledger', `${blend}/${POOL}?as_of_ledger=129`, ['owner_state']],
  ['lending pools over time', `${blend}/summary/history`, ['position_summary_snapshots']],
  ['lending pools in buckets', `${blend}/summary/history?ledger_bucket=1&from_ledger=100&to_ledger=220&fill=locf`, ['position_summary']],
  ['vaults', `/v1/users/${ALICE}/positions/fxdao`, []],
  ['an account as of a ledger', `${soroswap}?as_of_ledger=129`, ['owner_state']],
  ['an account that was never seen', `/v1/users/${UNKNOWN_ACCOUNT}/positions`, []],
  ['net worth', `/v1/users/${ALICE}/history`, ['net_worth_snapshots']],
  ['net worth by day', `/v1/users/${ALICE}/history?range=30d`, ['net_worth_days', 'position_flows']],
  ['lending pools by day', `${blend}/summary/history?range=30d`, ['summary_days']],
  ['a chart by day', `${soroswap}/${PAIR}/history?range=30d`, ['position_days']],
  ['net worth in buckets', `/v1/users/${ALICE}/history?range=24h`, ['net_worth', 'position_flows']],
  ['accounts, one of which was never seen', `/v1/positions?addresses=${ALICE},${BOB},${UNKNOWN_ACCOUNT}`, []],
  ['every pool', '/v1/protocols/soroswap/reserves', []],
  ['every lending pool', '/v1/protocols/blend/reserves', []],
  ['the list of pools', '/v1/pools', []],
  // A chart ends at the current position, whose state is known.
  ['a chart', `${soroswap}/${PAIR}/history?range=24h`, ['position_history']],
  ['a history', `${soroswap}/${PAIR}/history`, ['position_snapshots']],
  ['a page of a feed of two protocols', `/v1/users/${ALICE}/activities`, ['account_activities']],
  ['a page of a feed with a filter', `/v1/users/${ALICE}/activities?protocol=soroswap`, ['filtered_account_activities']],
  ['a page of actions of two protocols', `/v1/users/${ALICE}/actions`, ['account_action_rows']],
  ['a page of actions with a filter', `/v1/users/${ALICE}/actions?activity_type=swap`, ['account_actions']],
  ['a transaction', `/v1/transactions/${hashOf(3)}`, ['transaction_activities', 'transaction_places', 'transaction_records']],
  ['a series', `/v1/users/${ALICE}/activities/series?interval=1d`, ['account_series_rows']],
  [
    'a series of a window whose ledgers are known',
    `/v1/users/${ALICE}/activities/series?interval=1h&from=2026-09-01T13:00:01Z&to=2026-09-01T16:00:01Z`,
    ['account_series_rows'],
  ],
  [
    'a series whose window over the whole index has too many buckets',
    `/v1/users/${ALICE}/activities/series?interval=5m&to=2026-09-18T20:40:00Z`,
    ['account_series_rows', 'first_account_activity'],
  ],
  ['TVL', '/v1/protocols/soroswap/tvl', ['last_ledger_by_bucket', 'pool_days']],
])('%s', async (_, path, statements) => {
  await fixture.data(path)
  expect((await fixture.statements(path)).filter((name) => !OF_THE_TIP.includes(name))).toEqual(statements)
})
