// Every refusal of the specification's parameter tables, once, over real HTTP: the status, the code, and that the message names the parameter.

import { encodeStrkey } from '@orrery/ledger'
import { describe, expect, it } from 'vitest'
import { withFixtureApi } from './testing/fixture-api.ts'
import { ALICE, AQUA_POOL, OTHER_CONTRACT, PAIR, POOL, UNKNOWN_ACCOUNT, USDC, XLM } from './testing/fixtures/network.ts'

const fixture = withFixtureApi(['soroswap', 'aquarius', 'blend'])

const MUXED = 'MA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVAAAAAAAAAAAAAJLK'
const BAD_CHECKSUM = `${ALICE.slice(0, -1)}${ALICE.endsWith('A') ? 'B' : 'A'}`
const HASH = 'a'.repeat(64)

const positions = `/v1/users/${ALICE}/positions`
const soroswap = `${positions}/soroswap`
const history = `${soroswap}/${PAIR}/history`
const summary = `${positions}/blend/summary/history`
const worth = `/v1/users/${ALICE}/history`
const feed = `/v1/users/${ALICE}/activities`
const series = `${feed}/series`
const tvl = '/v1/protocols/soroswap/tvl'
const reserves = '/v1/protocols/soroswap/reserves'
const assetPrices = `/v1/assets/${XLM}/prices`

const T1 = '2026-09-01T00:00:00Z'
const T2 = '2026-09-02T00:00:00Z'

const contracts = (count: number): string[] => Array.from({ length: count }, (_, n) => encodeStrkey('C', new Uint8Array(32).fill(n)))

/** Texts that are no integer of at least `minimum`. */
const badIntegers = (minimum: 0 | 1): string[] => [
  ...['-1', '+1', '1.0', '1e3', '0x10', '%201', '1%20', '9223372036854775808', '%D9%A1', 'ledger', 'NaN'],
  ...(minimum === 1 ? ['0'] : []),
]

type Refusals = readonly (readonly [about: string, path: string, code: string, named: string])[]

/** What the history of a position refuses, whichever protocol it is of. */
function historyRefusals(history: string): Refusals {
  return [
    ['an unknown preset', `${history}?range=1y`, 'invalid_parameter', 'range'],
    ['a preset with from', `${history}?range=24h&from=${T1}`, 'conflicting_parameters', 'range'],
    ['a preset with to', `${history}?range=24h&to=${T1}`, 'conflicting_parameters', 'range'],
    ['a day as from', `${history}?from=2026-09-01`, 'invalid_parameter', 'from'],
    ['seconds as to', `${history}?to=1788220800`, 'invalid_parameter', 'to'],
    ['from after to', `${history}?from=${T2}&to=${T1}`, 'invalid_parameter', 'from'],
    ['resolution, which is reserved', `${history}?resolution=1d`, 'reserved_parameter', 'interval'],
    ['any resolution', `${history}?resolution=x`, 'reserved_parameter', 'resolution'],
    ['an unknown interval', `${history}?interval=2h`, 'invalid_parameter', 'interval'],
    [
      'interval with ledger_bucket',
      `${history}?interval=1h&ledger_bucket=5&from_ledger=1&to_ledger=2`,
      'conflicting_parameters',
      'interval',
    ],
    ['interval with from_ledger', `${history}?interval=1h&from_ledger=1`, 'conflicting_parameters', 'from_ledger'],
    ['interval with to_ledger', `${history}?interval=1h&to_ledger=1`, 'conflicting_parameters', 'to_ledger'],
    ...badIntegers(1).map(
      (text) => [`\`${text}\` as ledger_bucket`, `${history}?ledger_bucket=${text}`, 'invalid_parameter', 'ledger_bucket'] as const,
    ),
    ['ledger_bucket without its bounds', `${history}?ledger_bucket=5`, 'missing_parameter', 'from_ledger'],
    ['ledger_bucket without to_ledger', `${history}?ledger_bucket=5&from_ledger=1`, 'missing_parameter', 'to_ledger'],
    ['ledger_bucket without from_ledger', `${history}?ledger_bucket=5&to_ledger=1`, 'missing_parameter', 'from_ledger'],
    ['ledger_bucket with range', `${history}?ledger_bucket=5&from_ledger=1&to_ledger=2&range=24h`, 'conflicting_parameters', 'range'],
    ['ledger_bucket with from', `${history}?ledger_bucket=5&from_ledger=1&to_ledger=2&from=${T1}`, 'conflicting_parameters', 'from'],
    ['ledger_bucket with to', `${history}?ledger_bucket=5&from_ledger=1&to_ledger=2&to=${T1}`, 'conflicting_parameters', 'to'],
    ['from_ledger without ledger_bucket', `${history}?from_ledger=1`, 'missing_parameter', 'ledger_bucket'],
    ['to_ledger without ledger_bucket', `${history}?to_ledger=1`, 'missing_parameter', 'ledger_bucket'],
    ['from_ledger after to_ledger', `${history}?ledger_bucket=5&from_ledger=3&to_ledger=2`, 'invalid_parameter', 'from_ledger'],
    ['an unknown fill', `${history}?range=24h&fill=linear`, 'invalid_parameter', 'fill'],
    ['fill without buckets', `${history}?fill=null`, 'missing_parameter', 'interval'],
    ['fill=none without buckets', `${history}?fill=none`, 'missing_parameter', 'interval'],
    ['locf without an end', `${history}?interval=1h&fill=locf&from=${T1}`, 'missing_parameter', '`to`'],
    ['locf without a beginning', `${history}?interval=1h&fill=locf&to=${T1}`, 'missing_parameter', '`from`'],
    ['as_of_ledger with interval', `${history}?as_of_ledger=1&interval=1h`, 'conflicting_parameters', 'as_of_ledger'],
    ['as_of_ledger with range', `${history}?as_of_ledger=1&range=24h`, 'conflicting_parameters', 'as_of_ledger'],
    [
      'as_of_ledger with ledger_bucket',
      `${history}?as_of_ledger=1&ledger_bucket=5&from_ledger=1&to_ledger=2`,
      'conflicting_parameters',
      'as_of_ledger',
    ],
    ['too many buckets of time', `${history}?interval=5m&from=2026-01-01T00:00:00Z&to=2026-09-01T00:00:00Z`, 'too_many_points', '`4h`'],
    ['too many buckets of a preset', `${history}?range=30d&interval=5m`, 'too_many_points', '`15m`'],
    ['too many buckets of ledgers', `${history}?ledger_bucket=1&from_ledger=0&to_ledger=20000`, 'too_many_points', 'is 5.'],
  ]
}

/** What a feed refuses about its window and order, whichever it is of. */
function windowRefusals(feed: string): Refusals {
  return [
    ['a day as from', `${feed}?from=2026-09-01`, 'invalid_parameter', '`from`'],
    ['seconds as to', `${feed}?to=1788220800`, 'invalid_parameter', '`to`'],
    ['an empty from', `${feed}?from=`, 'invalid_parameter', '`from`'],
    ['from twice', `${feed}?from=${T1}&from=${T1}`, 'invalid_parameter', '`from`'],
    ['an unknown order', `${feed}?order=newest`, 'invalid_parameter', '`order`'],
    ['another case of an order', `${feed}?order=ASC`, 'invalid_parameter', '`order`'],
    ['two first bounds', `${feed}?from=${T1}&from_ledger=1`, 'conflicting_parameters', '`from_ledger`'],
    ['two last bounds', `${feed}?to=${T1}&to_ledger=1`, 'conflicting_parameters', '`to_ledger`'],
    ['a last instant with as_of_ledger', `${feed}?to=${T1}&as_of_ledger=1`, 'conflicting_parameters', '`as_of_ledger`'],
    ['from after to', `${feed}?from=${T2}&to=${T1}`, 'invalid_parameter', '`from`'],
    ['from after to by a fraction', `${feed}?from=2026-09-01T00:00:00.2Z&to=2026-09-01T00:00:00.1Z`, 'invalid_parameter', '`from`'],
  ]
}

/** What a feed of an account refuses, whatever its items are. */
function feedRefusals(feed: string): Refusals {
  return [
    ['an invented cursor', `${feed}?cursor=abc`, 'invalid_cursor', 'cursor'],
    ['a very long cursor', `${feed}?cursor=${'A'.repeat(4_000)}`, 'invalid_cursor', 'cursor'],
    ['an empty cursor', `${feed}?cursor=`, 'invalid_parameter', 'cursor'],
    ['a page of nothing', `${feed}?limit=0`, 'invalid_parameter', 'limit'],
    ['a page of 101', `${feed}?limit=101`, 'invalid_parameter', 'limit'],
    ...badIntegers(1).map((text) => [`\`${text}\` as limit`, `${feed}?limit=${text}`, 'invalid_parameter', 'limit'] as const),
    ['as_of_ledger with to_ledger', `${feed}?as_of_ledger=5&to_ledger=5`, 'conflicting_parameters', 'as_of_ledger'],
    ['an unknown protocol', `${feed}?protocol=uniswap`, 'invalid_parameter', 'protocol'],
    ['an unknown type', `${feed}?activity_type=flash`, 'invalid_parameter', 'activity_type'],
    ['a list with an unknown type', `${feed}?activity_type=swap,flash`, 'invalid_parameter', 'activity_type'],
    ['a list with an empty item', `${feed}?activity_type=swap,`, 'invalid_parameter', 'activity_type'],
    ['an account as contract', `${feed}?contract=${ALICE}`, 'invalid_parameter', 'contract'],
    ['an upper-case hash', `${feed}?tx_hash=${'A'.repeat(64)}`, 'invalid_parameter', 'tx_hash'],
    ['from_ledger after to_ledger', `${feed}?from_ledger=3&to_ledger=2`, 'invalid_parameter', 'from_ledger'],
    ...windowRefusals(feed),
  ]
}

const table: Readonly<Record<string, Refusals>> = {
  'every endpoint': [
    ['a name that it does not have', `${soroswap}?as_of=1`, 'unknown_parameter', 'as_of'],
    ['another case of a name', `${soroswap}?As_Of_Ledger=1`, 'unknown_parameter', 'As_Of_Ledger'],
    ['a name given twice', `${soroswap}?as_of_ledger=1&as_of_ledger=1`, 'invalid_parameter', 'as_of_ledger'],
    ['an empty value', `${soroswap}?as_of_ledger=`, 'invalid_parameter', 'as_of_ledger'],
    ['a name without a value', `${soroswap}?as_of_ledger`, 'invalid_parameter', 'as_of_ledger'],
    ['any parameter where none is taken', '/v1/health?verbose=1', 'unknown_parameter', 'verbose'],
    ['another parameter of a transaction', `/v1/transactions/${HASH}?as_of_ledger=1`, 'unknown_parameter', 'as_of_ledger'],
    ['any parameter of the index', '/v1/index?protocol=blend', 'unknown_parameter', 'protocol'],
    ['any parameter of the listing', '/v1/protocols?id=blend', 'unknown_parameter', 'id'],
    ['any parameter of emissions', '/v1/protocols/soroswap/emissions?as_of_ledger=1', 'unknown_parameter', 'as_of_ledger'],
  ],
  'addresses and hashes': [
    ['an alias of a Blend pool', `${positions}/blend/fixed-v2/history`, 'invalid_parameter', 'pool_id'],
    ['a muxed account', `/v1/users/${MUXED}/positions`, 'invalid_parameter', 'address'],
    ['a wrong checksum', `/v1/users/${BAD_CHECKSUM}/positions`, 'invalid_parameter', 'address'],
    ['lower case', `/v1/users/${ALICE.toLowerCase()}/positions`, 'invalid_parameter', 'address'],
    ['anything else', '/v1/users/alice/activities', 'invalid_parameter', 'address'],
    ['an account as pair', `${soroswap}/${ALICE}/history`, 'invalid_parameter', 'pair'],
    ['an upper-case hash', `/v1/transactions/${'A'.repeat(64)}`, 'invalid_parameter', 'hash'],
    ['a muxed account of a transaction', `/v1/transactions/${HASH}?address=${MUXED}`, 'invalid_parameter', 'address'],
    ['a wrong checksum of a transaction', `/v1/transactions/${HASH}?address=${BAD_CHECKSUM}`, 'invalid_parameter', 'address'],
    ['an account named twice', `/v1/transactions/${HASH}?address=${ALICE}&address=${ALICE}`, 'invalid_parameter', 'address'],
    ['a short hash', `/v1/transactions/${'a'.repeat(63)}`, 'invalid_parameter', 'hash'],
    ['a hash with a prefix', `/v1/transactions/0x${'a'.repeat(62)}`, 'invalid_parameter', 'hash'],
  ],
  'the portfolio': [
    ['as_of_ledger, which is reserved', `${positions}?as_of_ledger=1`, 'reserved_parameter', '/positions/soroswap'],
    ['as_of_ledger, with the endpoint that has it', `${positions}?as_of_ledger=1`, 'reserved_parameter', '/v1/positions?addresses='],
    ['as_of_ledger without a value', `${positions}?as_of_ledger=`, 'invalid_parameter', 'as_of_ledger'],
  ],
  'portfolios of several accounts': [
    ['no accounts', '/v1/positions', 'missing_parameter', 'addresses'],
    ['an empty list', '/v1/positions?addresses=', 'invalid_parameter', 'addresses'],
    ['an account twice', `/v1/positions?addresses=${ALICE},${POOL},${ALICE}`, 'invalid_parameter', 'addresses'],
    ['a space between', `/v1/positions?addresses=${ALICE},%20${POOL}`, 'invalid_parameter', 'addresses'],
    ['a comma at the end', `/v1/positions?addresses=${ALICE},`, 'invalid_parameter', 'addresses'],
    ['a muxed account', `/v1/positions?addresses=${ALICE},${MUXED}`, 'invalid_parameter', 'addresses'],
    ['a wrong checksum', `/v1/positions?addresses=${BAD_CHECKSUM}`, 'invalid_parameter', 'addresses'],
    ['101 accounts', `/v1/positions?addresses=${contracts(101)}`, 'invalid_parameter', 'addresses'],
    ['an unknown view', `/v1/positions?addresses=${ALICE}&view=items`, 'invalid_parameter', 'view'],
    ...badIntegers(0).map(
      (text) =>
        [`\`${text}\` as a ledger`, `/v1/positions?addresses=${ALICE}&as_of_ledger=${text}`, 'invalid_parameter', 'as_of_ledger'] as const,
    ),
  ],
  'as_of_ledger of positions and reserves': [
    ...badIntegers(0).map(
      (text) => [`\`${text}\` as a ledger`, `${soroswap}?as_of_ledger=${text}`, 'invalid_parameter', 'as_of_ledger'] as const,
    ),
    ['a negative ledger of reserves', `${reserves}?as_of_ledger=-1`, 'invalid_parameter', 'as_of_ledger'],
  ],
  'net worth over time': [
    ['any resolution', `${worth}?resolution=1d`, 'reserved_parameter', 'interval'],
    ['an unknown preset', `${worth}?range=1y`, 'invalid_parameter', 'range'],
    ['a preset with from', `${worth}?range=24h&from=${T1}`, 'conflicting_parameters', 'range'],
    ['a preset with as_of_ledger', `${worth}?range=24h&as_of_ledger=1`, 'conflicting_parameters', 'range'],
    ['a preset with ledgers', `${worth}?range=24h&from_ledger=1&to_ledger=2`, 'conflicting_parameters', 'range'],
    ['a preset with ledger_bucket', `${worth}?range=24h&ledger_bucket=1&from_ledger=1&to_ledger=2`, 'conflicting_parameters', 'range'],
    ['too many buckets of a preset', `${worth}?range=30d&interval=5m`, 'too_many_points', '`15m`'],
    ['as_of_ledger with interval', `${worth}?as_of_ledger=1&interval=1h&from=${T1}&to=${T2}`, 'conflicting_parameters', 'as_of_ledger'],
    ['interval without bounds', `${worth}?interval=1h`, 'missing_parameter', 'from'],
    ['from without interval', `${worth}?from=${T1}`, 'missing_parameter', 'interval'],
    ['from_ledger alone', `${worth}?from_ledger=1`, 'missing_parameter', 'to_ledger'],
    ['ledger_bucket without its bounds', `${worth}?ledger_bucket=5`, 'missing_parameter', 'from_ledger'],
    ['fill without buckets', `${worth}?fill=locf`, 'missing_parameter', 'fill'],
    ['too many buckets of ledgers', `${worth}?ledger_bucket=1&from_ledger=0&to_ledger=20000`, 'too_many_points', 'is 5.'],
  ],
  'history of a Soroswap pair (4.2)': historyRefusals(history),
  'history of an Aquarius pool (4.2)': historyRefusals(`${positions}/aquarius/${AQUA_POOL}/history`),
  'history of a Blend pool (4.2)': historyRefusals(`${positions}/blend/${POOL}/history`),
  'summary history (4.3)': [
    ['as_of_ledger with from_ledger', `${summary}?as_of_ledger=1&from_ledger=1`, 'conflicting_parameters', 'as_of_ledger'],
    ['as_of_ledger with to_ledger', `${summary}?as_of_ledger=1&to_ledger=1`, 'conflicting_parameters', 'as_of_ledger'],
    ['as_of_ledger with interval', `${summary}?as_of_ledger=1&interval=1h&from=${T1}&to=${T2}`, 'conflicting_parameters', 'as_of_ledger'],
    [
      'as_of_ledger with ledger_bucket',
      `${summary}?as_of_ledger=1&ledger_bucket=5&from_ledger=1&to_ledger=2`,
      'conflicting_parameters',
      'as_of_ledger',
    ],
    ['from_ledger alone', `${summary}?from_ledger=1`, 'missing_parameter', 'Add `to_ledger`'],
    ['to_ledger alone', `${summary}?to_ledger=1`, 'missing_parameter', 'Add `from_ledger`'],
    ['from_ledger after to_ledger', `${summary}?from_ledger=3&to_ledger=2`, 'invalid_parameter', 'from_ledger'],
    ['interval without its bounds', `${summary}?interval=1h`, 'missing_parameter', '`from` and `to`'],
    ['interval without to', `${summary}?interval=1h&from=${T1}`, 'missing_parameter', 'Add `to`'],
    ['interval without from', `${summary}?interval=1h&to=${T1}`, 'missing_parameter', 'Add `from`'],
    ['an unknown interval', `${summary}?interval=2h&from=${T1}&to=${T2}`, 'invalid_parameter', 'interval'],
    [
      'interval with ledger_bucket',
      `${summary}?interval=1h&from=${T1}&to=${T2}&ledger_bucket=5`,
      'conflicting_parameters',
      'ledger_bucket',
    ],
    [
      'interval with both ledgers',
      `${summary}?interval=1h&from=${T1}&to=${T2}&from_ledger=1&to_ledger=2`,
      'conflicting_parameters',
      'from_ledger',
    ],
    ['from without interval', `${summary}?from=${T1}`, 'missing_parameter', 'interval'],
    ['to with ledger_bucket', `${summary}?ledger_bucket=5&from_ledger=1&to_ledger=2&to=${T1}`, 'missing_parameter', 'interval'],
    ['from after to', `${summary}?interval=1h&from=${T2}&to=${T1}`, 'invalid_parameter', 'from'],
    ['ledger_bucket without its bounds', `${summary}?ledger_bucket=5`, 'missing_parameter', 'from_ledger'],
    ['ledger_bucket without to_ledger', `${summary}?ledger_bucket=5&from_ledger=1`, 'missing_parameter', 'to_ledger'],
    ['a bucket of nothing', `${summary}?ledger_bucket=0&from_ledger=1&to_ledger=2`, 'invalid_parameter', 'ledger_bucket'],
    ['fill without buckets', `${summary}?fill=locf`, 'missing_parameter', 'interval'],
    ['fill of a range of ledgers without buckets', `${summary}?from_ledger=1&to_ledger=2&fill=null`, 'missing_parameter', 'ledger_bucket'],
    ['an unknown fill', `${summary}?fill=linear`, 'invalid_parameter', 'fill'],
    ['range with from', `${summary}?range=24h&from=${T1}`, 'conflicting_parameters', '`range`'],
    ['range with ledger_bucket', `${summary}?range=24h&ledger_bucket=5&from_ledger=1&to_ledger=2`, 'conflicting_parameters', '`range`'],
    ['range with as_of_ledger', `${summary}?range=24h&as_of_ledger=5`, 'conflicting_parameters', 'as_of_ledger'],
    ['an unknown range', `${summary}?range=1y`, 'invalid_parameter', 'range'],
    ['resolution, which is reserved', `${summary}?resolution=1d`, 'reserved_parameter', 'interval'],
    ['too many buckets of time', `${summary}?interval=5m&from=2026-01-01T00:00:00Z&to=${T1}`, 'too_many_points', '`4h`'],
    ['too many buckets of ledgers', `${summary}?ledger_bucket=1&from_ledger=0&to_ledger=20000`, 'too_many_points', 'is 5.'],
  ],
  'activity series (4.4)': [
    ['neither interval nor ledger_bucket', series, 'missing_parameter', 'interval'],
    ['both of them', `${series}?interval=1h&ledger_bucket=5&from_ledger=1&to_ledger=2`, 'conflicting_parameters', 'interval'],
    ['range with from', `${series}?range=24h&from=${T1}`, 'conflicting_parameters', 'range'],
    ['range with ledger_bucket', `${series}?range=24h&ledger_bucket=5&from_ledger=1&to_ledger=2`, 'conflicting_parameters', 'range'],
    ['range with from_ledger', `${series}?range=24h&from_ledger=1`, 'conflicting_parameters', 'range'],
    ['an unknown protocol', `${series}?interval=1h&protocol=phoenix`, 'invalid_parameter', 'protocol'],
    ['an unknown interval', `${series}?interval=1m`, 'invalid_parameter', 'interval'],
    ['from without interval', `${series}?ledger_bucket=5&from_ledger=1&to_ledger=2&from=${T1}`, 'missing_parameter', 'interval'],
    ['to without interval', `${series}?ledger_bucket=5&from_ledger=1&to_ledger=2&to=${T1}`, 'missing_parameter', 'interval'],
    ['from after to', `${series}?interval=1h&from=${T2}&to=${T1}`, 'invalid_parameter', 'from'],
    ['ledger_bucket without its bounds', `${series}?ledger_bucket=5`, 'missing_parameter', 'from_ledger'],
    ['ledger_bucket without to_ledger', `${series}?ledger_bucket=5&from_ledger=1`, 'missing_parameter', 'to_ledger'],
    ['a bucket of nothing', `${series}?ledger_bucket=0&from_ledger=1&to_ledger=2`, 'invalid_parameter', 'ledger_bucket'],
    ['from_ledger without ledger_bucket', `${series}?interval=1h&from_ledger=1`, 'missing_parameter', 'ledger_bucket'],
    ['from_ledger after to_ledger', `${series}?ledger_bucket=5&from_ledger=3&to_ledger=2`, 'invalid_parameter', 'from_ledger'],
    ['too many buckets', `${series}?interval=5m&from=2026-01-01T00:00:00Z&to=${T1}`, 'too_many_points', '`4h`'],
  ],
  'activity feed (4.5)': feedRefusals(feed),
  actions: feedRefusals(`/v1/users/${ALICE}/actions`),
  TVL: [
    ['resolution 1h, which is reserved', `${tvl}?resolution=1h`, 'reserved_parameter', '`1d`'],
    ['resolution 1w, which is reserved', `${tvl}?resolution=1w`, 'reserved_parameter', '`1d`'],
    ['an unknown resolution', `${tvl}?resolution=1y`, 'invalid_parameter', 'resolution'],
    ['a day as from', `${tvl}?from=2026-09-01`, 'invalid_parameter', 'from'],
    ['from after to', `${tvl}?from=${T2}&to=${T1}`, 'invalid_parameter', 'from'],
    ['a bad ledger', `${tvl}?as_of_ledger=1.5`, 'invalid_parameter', 'as_of_ledger'],
  ],
  'prices of an asset (4.2)': [
    ...historyRefusals(assetPrices),
    ['fill=zero, which would read as a price', `${assetPrices}?range=24h&fill=zero`, 'invalid_parameter', 'fill'],
    ['an account as asset', `/v1/assets/${ALICE}/prices`, 'invalid_parameter', '`id`'],
  ],
  assets: [
    ['an account as asset', `/v1/assets/${ALICE}`, 'invalid_parameter', '`id`'],
    ['a symbol as asset', '/v1/assets/XLM', 'invalid_parameter', '`id`'],
    ['any parameter of one asset', `/v1/assets/${XLM}?as_of_ledger=1`, 'unknown_parameter', 'as_of_ledger'],
    ['a page of nothing', '/v1/assets?limit=0', 'invalid_parameter', 'limit'],
    ['a page of 101', '/v1/assets?limit=101', 'invalid_parameter', 'limit'],
    ['an invented cursor', '/v1/assets?cursor=abc', 'invalid_cursor', 'cursor'],
    ['a filter that it does not have', '/v1/assets?tag=native', 'unknown_parameter', 'tag'],
  ],
  pools: [
    ['a page of nothing', '/v1/pools?limit=0', 'invalid_parameter', 'limit'],
    ['a page of 101', '/v1/pools?limit=101', 'invalid_parameter', 'limit'],
    ['an invented cursor', '/v1/pools?cursor=abc', 'invalid_cursor', 'cursor'],
    ['an unknown protocol', '/v1/pools?protocol=uniswap', 'invalid_parameter', 'protocol'],
    ['an account as asset', `/v1/pools?asset=${ALICE}`, 'invalid_parameter', 'asset'],
    ['an unknown type among others', '/v1/pools?type=lending,amm', 'invalid_parameter', 'type'],
    ['an empty status', '/v1/pools?status=', 'invalid_parameter', 'status'],
    ['a status twice', '/v1/pools?status=active&status=paused', 'invalid_parameter', 'status'],
    ...['-1', '1e3', '.5', '1.', '1.123456789', '+1', ' 1'].map(
      (text) =>
        [`\`${text}\` as a value`, `/v1/pools?min_tvl_usd=${encodeURIComponent(text)}`, 'invalid_parameter', 'min_tvl_usd'] as const,
    ),
    ['an unknown order', '/v1/pools?sort=name', 'invalid_parameter', 'sort'],
    ['a ledger', '/v1/pools?as_of_ledger=1', 'unknown_parameter', 'as_of_ledger'],
    ['an account as pool', `/v1/pools/${ALICE}`, 'invalid_parameter', 'pool_id'],
    ['a currency of nothing as pool', '/v1/pools/fxdao:', 'invalid_parameter', 'pool_id'],
    ['any parameter of one pool', `/v1/pools/${PAIR}?as_of_ledger=1`, 'unknown_parameter', 'as_of_ledger'],
  ],
  'history of a pool (4.2)': historyRefusals(`/v1/pools/${PAIR}/history`),
  'feed of a pool (4.5)': [
    ['a bad type', `/v1/pools/${PAIR}/activities?activity_type=trade`, 'invalid_parameter', 'activity_type'],
    ['a pool as a filter', `/v1/pools/${PAIR}/activities?contract=${PAIR}`, 'unknown_parameter', 'contract'],
    ['two last ledgers', `/v1/pools/${PAIR}/activities?as_of_ledger=1&to_ledger=1`, 'conflicting_parameters', 'as_of_ledger'],
    ...windowRefusals(`/v1/pools/${PAIR}/activities`),
  ],
  'prices of several assets': [
    ['no asset', '/v1/prices', 'missing_parameter', '`assets`'],
    ['an empty list', '/v1/prices?assets=', 'invalid_parameter', '`assets`'],
    ['an asset twice', `/v1/prices?assets=${XLM},${USDC},${XLM}`, 'invalid_parameter', 'different'],
    ['a list with an empty item', `/v1/prices?assets=${XLM},`, 'invalid_parameter', '`assets`'],
    ['a list with a space', `/v1/prices?assets=${XLM},%20${USDC}`, 'invalid_parameter', '`assets`'],
    ['an account as asset', `/v1/prices?assets=${ALICE}`, 'invalid_parameter', '`assets`'],
    ['101 assets', `/v1/prices?assets=${contracts(101)}`, 'invalid_parameter', '1 to 100'],
    ['a day as at', `/v1/prices?assets=${XLM}&at=2026-09-01`, 'invalid_parameter', '`at`'],
    ['a bad ledger', `/v1/prices?assets=${XLM}&as_of_ledger=1.5`, 'invalid_parameter', 'as_of_ledger'],
    ['at with as_of_ledger', `/v1/prices?assets=${XLM}&at=${T1}&as_of_ledger=1`, 'conflicting_parameters', '`at`'],
  ],
  ledgers: [
    ['no instant', '/v1/ledgers', 'missing_parameter', '`at`'],
    ['an empty instant', '/v1/ledgers?at=', 'invalid_parameter', '`at`'],
    ['a day as the instant', '/v1/ledgers?at=2026-09-01', 'invalid_parameter', '`at`'],
    ['seconds as the instant', '/v1/ledgers?at=1788264000', 'invalid_parameter', '`at`'],
    ['an instant and another name', `/v1/ledgers?at=${T1}&ledger=1`, 'unknown_parameter', '`ledger`'],
    ...badIntegers(0).map((text) => [`\`${text}\` as a sequence`, `/v1/ledgers/${text}`, 'invalid_parameter', 'sequence'] as const),
    ['any parameter of a ledger', '/v1/ledgers/100?at=1', 'unknown_parameter', '`at`'],
  ],
  'the order of problems': [
    ['an unknown name stands before a bad value', `${feed}?limit=0&foo=1`, 'unknown_parameter', 'foo'],
    ['unknown names are reported in the order of the query', `${feed}?bar=1&foo=1`, 'unknown_parameter', 'bar'],
    ['invalid values are reported in the order of the table', `${feed}?protocol=x&limit=0`, 'invalid_parameter', 'limit'],
    ['a bad value stands before a broken rule', `${history}?range=24h&from=${T1}&fill=x`, 'invalid_parameter', 'fill'],
    ['a reserved value keeps its place', `${history}?resolution=1d&fill=x`, 'reserved_parameter', 'resolution'],
    [
      'broken rules are reported in the order of the table',
      `${history}?range=24h&from=${T1}&from_ledger=1`,
      'conflicting_parameters',
      'range',
    ],
    [
      'parameters are checked before the existence of the pair',
      `${soroswap}/${OTHER_CONTRACT}/history?fill=null`,
      'missing_parameter',
      'interval',
    ],
    [
      'parameters are checked before the protocol is looked for',
      '/v1/protocols/uniswap/tvl?resolution=1h',
      'reserved_parameter',
      'resolution',
    ],
  ],
}

for (const [about, refusals] of Object.entries(table)) {
  describe(`400: ${about}`, () => {
    it.each(refusals)('%s', async (_, path, code, named) => {
      const refusal = await fixture.refusal(path)
      expect(refusal).toMatchObject({ status: 400, code })
      expect(refusal.message).toContain(named)
    })
  })
}

describe('404', () => {
  it.each([
    ['a pair that no factory announced', `${soroswap}/${OTHER_CONTRACT}/history`],
    ['a transaction that touched nothing of ours', `/v1/transactions/${'f'.repeat(64)}`],
    ['TVL of an unknown protocol', '/v1/protocols/uniswap/tvl'],
    ['reserves of an unknown protocol', '/v1/protocols/Soroswap/reserves'],
    ['emissions of an unknown protocol', '/v1/protocols/comet/emissions'],
    ['an asset that the index has not met', `/v1/assets/${OTHER_CONTRACT}`],
    ['prices of an asset that the index has not met', `/v1/assets/${OTHER_CONTRACT}/prices`],
    ['a contract that is no pool', `/v1/pools/${OTHER_CONTRACT}`],
    ['the history of a contract that is no pool', `/v1/pools/${OTHER_CONTRACT}/history`],
    ['the feed of a currency without vaults', '/v1/pools/fxdao:EUR/activities'],
    ['a ledger that is not indexed', '/v1/ledgers/221'],
    ['an instant before the first ledger', `/v1/ledgers?at=2020-01-01T00:00:00Z`],
    ['a slash at the end', `${positions}/`],
    ['a double slash', `/v1//users/${UNKNOWN_ACCOUNT}/positions`],
    ['another case', `/v1/Users/${UNKNOWN_ACCOUNT}/positions`],
  ])('%s', async (_, path) => {
    expect(await fixture.refusal(path)).toMatchObject({ status: 404, code: 'not_found' })
  })
})

describe('401', () => {
  it('a request without a key is refused before its parameters are read', async () => {
    const { status, body } = await fixture.api.ask(`${positions}?foo=1`, { headers: { 'x-service-api-key': '' } })
    expect([status, body?.error?.code]).toEqual([401, 'unauthorized'])
  })
})
