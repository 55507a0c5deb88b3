import { expect, it } from 'vitest'
import { apiCall } from './api-call.ts'
import { clickhouseText, statementsOf } from './sql-text.ts'

it('a series in buckets of time has statements, and nothing else has', () => {
  expect(statementsOf(apiCall('accounts', 'history', 'GA', { range: '30d' }))).toEqual(['net_worth', 'position_flows'])
  expect(statementsOf(apiCall('pools', 'history', 'CA', { interval: '1d' }))).toEqual(['pool_history', 'pool_reserve_history'])
  expect(statementsOf(apiCall('protocols', 'tvl', 'blend'))).toEqual(['protocol_tvl_by_day'])
  expect(statementsOf(apiCall('pools', 'history', 'CA'))).toEqual([])
  expect(statementsOf(apiCall('accounts', 'portfolio', 'GA'))).toEqual([])
})

it('the text for ClickHouse has the parameters in the address and the statement in the body', () => {
  const parameter = (name: string, value: string | null) => ({ name, type: 'String', about: '', value })
  const statement = {
    ...{ name: 'net_worth', about: '', sql: 'SELECT 2', sql_on_views: 'SELECT 1', tables: [], views: [] },
    parameters: [parameter('active', "[('blend',1)]"), parameter('address', 'GA'), parameter('rows', null)],
  }
  expect(
    clickhouseText(statement),
  ).toBe(`curl "$CLICKHOUSE_URL/?database=orrery&param_active=%5B('blend'%2C1)%5D&param_address=GA" --data-binary @- <<'SQL'
SELECT 1
FORMAT PrettyCompact
SQL`)
})
