// The parameters of every endpoint and the rules between them, written from chapter 4 of the specification and the decisions about what it leaves
// open. `refusal-matrix.system.test.ts` asks every value and every combination. Nothing here is read from the routes.

import { ALICE, AQUA_POOL, PAIR, POOL, XLM } from './fixtures/network.ts'
import {
  account,
  accounts,
  assets,
  contract,
  cursor,
  fill,
  givenPrices,
  hash,
  INT64_MAX,
  instant,
  interval,
  ledger,
  ledgerBucket,
  listOf,
  oneOf,
  type ParameterKind,
  pageLimit,
  range,
  reservedFor,
  usd,
} from './parameter-kinds.ts'

type Given = ReadonlySet<string>

/** A rule between parameters; the first broken one of an endpoint is the refusal. */
export interface MatrixRule {
  readonly code: 'conflicting_parameters' | 'missing_parameter'
  /** Names that the message must have, for the parameters that were given. Null: the rule holds. */
  broken(given: Given): readonly string[] | null
}

export interface MatrixEndpoint {
  readonly about: string
  readonly path: string
  /** In the order of the specification's table. */
  readonly parameters: Readonly<Record<string, ParameterKind>>
  readonly rules: readonly MatrixRule[]
  /** Without these the endpoint refuses every request. */
  readonly required?: readonly string[]
}

const anyOf = (given: Given, names: readonly string[]): string[] => names.filter((name) => given.has(name))

/** "Mutually exclusive", "cannot be combined". */
function excludes(one: string, others: readonly string[]): MatrixRule {
  return {
    code: 'conflicting_parameters',
    broken: (given) => (given.has(one) && anyOf(given, others).length > 0 ? [one, ...anyOf(given, others)] : null),
  }
}

/** "Requires". All of `needed`. */
function requires(one: string, needed: readonly string[], unless: readonly string[] = []): MatrixRule {
  return {
    code: 'missing_parameter',
    broken: (given) => {
      const missing = needed.filter((name) => !given.has(name))
      return given.has(one) && anyOf(given, unless).length === 0 && missing.length > 0 ? [one, ...missing] : null
    },
  }
}

/** "Requires an active bucketed mode", "only meaningful with". One of `needed`; the message names the first. */
function requiresOneOf(ones: readonly string[], needed: readonly string[]): MatrixRule {
  return {
    code: 'missing_parameter',
    broken: (given) =>
      anyOf(given, ones).length > 0 && anyOf(given, needed).length === 0 ? anyOf(given, ones).slice(0, 1).concat(needed.slice(0, 1)) : null,
  }
}

const FROM = '2026-09-01T12:00:00Z'
const TO = '2026-09-02T08:00:00Z'
const WINDOW = { from: instant(FROM), to: instant(TO) }
/** Values at which the window stays a window; the test of windows asks the largest ledger. */
const LEDGERS = { from_ledger: { ...ledger('110'), alsoGood: ['0', '210'] }, to_ledger: { ...ledger('210'), alsoGood: ['110'] } }
const BUCKETED = ['interval', 'range', 'ledger_bucket']
const PROTOCOLS = ['blend', 'aquarius', 'soroswap', 'fxdao']
const ACTIVITY_TYPES = [
  'swap',
  'deposit',
  'withdraw',
  'borrow',
  'repay',
  'claim',
  'stake',
  'unstake_request',
  'unstake_cancel',
  'unstake',
].concat(['liquidation', 'auction', 'bad_debt', 'redemption', 'transfer', 'emission', 'admin'])

/** 4.2. */
const HISTORY: Pick<MatrixEndpoint, 'parameters' | 'rules'> = {
  parameters: {
    range,
    ...WINDOW,
    resolution: reservedFor('1d'),
    interval,
    ledger_bucket: ledgerBucket,
    ...LEDGERS,
    fill,
    as_of_ledger: ledger('200'),
  },
  rules: [
    excludes('range', ['from', 'to']),
    excludes('interval', ['ledger_bucket', 'from_ledger', 'to_ledger']),
    requires('ledger_bucket', ['from_ledger', 'to_ledger']),
    excludes('ledger_bucket', ['interval', 'range', 'from', 'to']),
    requiresOneOf(['from_ledger', 'to_ledger'], ['ledger_bucket']),
    requiresOneOf(['fill'], BUCKETED),
    excludes('as_of_ledger', BUCKETED),
  ],
}

/** 4.3, with `resolution` (9) and `range` (decisions 12.10), which stand last. */
const SUMMARY: Pick<MatrixEndpoint, 'parameters' | 'rules'> = {
  parameters: {
    as_of_ledger: ledger('200'),
    ...LEDGERS,
    interval,
    ...WINDOW,
    ledger_bucket: ledgerBucket,
    fill,
    resolution: reservedFor('1d'),
    range,
  },
  rules: [
    excludes('as_of_ledger', ['from_ledger', 'to_ledger', ...BUCKETED]),
    requires('from_ledger', ['to_ledger'], ['ledger_bucket']),
    requires('to_ledger', ['from_ledger'], ['ledger_bucket']),
    requires('interval', ['from', 'to'], ['range']),
    excludes('interval', ['ledger_bucket', 'from_ledger', 'to_ledger', 'as_of_ledger']),
    requiresOneOf(['from', 'to'], ['interval', 'range']),
    requires('ledger_bucket', ['from_ledger', 'to_ledger']),
    requiresOneOf(['fill'], ['interval', 'ledger_bucket', 'range']),
    excludes('range', ['from', 'to']),
    excludes('range', ['ledger_bucket', 'from_ledger', 'to_ledger']),
  ],
}

const FEED_PARAMETERS = {
  cursor,
  limit: pageLimit,
  as_of_ledger: ledger('200'),
  protocol: oneOf(PROTOCOLS),
  activity_type: listOf(ACTIVITY_TYPES),
  contract: contract(PAIR),
  tx_hash: hash,
  ...LEDGERS,
  ...WINDOW,
  order: oneOf(['desc', 'asc']),
}

/** 4.5, with the window in time of decisions 12.12: both bounds of one side define the same thing. */
const FEED_RULES: readonly MatrixRule[] = [
  excludes('as_of_ledger', ['to_ledger']),
  excludes('from', ['from_ledger']),
  excludes('to', ['to_ledger', 'as_of_ledger']),
]

const positions = `/v1/users/${ALICE}/positions`
const asOf = (about: string, path: string): MatrixEndpoint => ({ about, path, parameters: { as_of_ledger: ledger('200') }, rules: [] })
const none = (about: string, path: string): MatrixEndpoint => ({ about, path, parameters: {}, rules: [] })

export const MATRIX: readonly MatrixEndpoint[] = [
  { about: 'the portfolio', path: positions, parameters: { as_of_ledger: { ...reservedFor('200'), reserved: ['200', '0'] } }, rules: [] },
  asOf('positions in Aquarius', `${positions}/aquarius`),
  asOf('positions in Soroswap', `${positions}/soroswap`),
  asOf('positions in FxDAO', `${positions}/fxdao`),
  {
    about: 'a position in a Blend pool',
    path: `${positions}/blend/${POOL}`,
    parameters: { as_of_ledger: { ...ledger('200'), alsoGood: ['110', INT64_MAX] }, prices: givenPrices },
    rules: [],
  },
  { about: 'history in an Aquarius pool', path: `${positions}/aquarius/${AQUA_POOL}/history`, ...HISTORY },
  { about: 'history in a Blend pool', path: `${positions}/blend/${POOL}/history`, ...HISTORY },
  { about: 'history in a Soroswap pair', path: `${positions}/soroswap/${PAIR}/history`, ...HISTORY },
  { about: 'history of a vault', path: `${positions}/fxdao/USD/history`, ...HISTORY },
  { about: 'history of a pool', path: `/v1/pools/${PAIR}/history`, ...HISTORY },
  {
    about: 'prices of an asset',
    path: `/v1/assets/${XLM}/prices`,
    rules: HISTORY.rules,
    parameters: { ...HISTORY.parameters, fill: oneOf(['null', 'none'], ['zero', 'linear']) },
  },
  { about: 'summary history of Blend', path: `${positions}/blend/summary/history`, ...SUMMARY },
  { about: 'net worth over time', path: `/v1/users/${ALICE}/history`, ...SUMMARY },
  {
    about: 'the activity series',
    path: `/v1/users/${ALICE}/activities/series`,
    parameters: { interval, ...WINDOW, ledger_bucket: ledgerBucket, ...LEDGERS, range, protocol: oneOf(PROTOCOLS) },
    rules: [
      { code: 'missing_parameter', broken: (given) => (anyOf(given, BUCKETED).length === 0 ? ['interval', 'ledger_bucket'] : null) },
      excludes('interval', ['ledger_bucket']),
      requiresOneOf(['from', 'to'], ['interval', 'range']),
      requires('ledger_bucket', ['from_ledger', 'to_ledger'], ['range']),
      excludes('range', ['from', 'to']),
      excludes('range', ['ledger_bucket', 'from_ledger', 'to_ledger']),
      requiresOneOf(['from_ledger', 'to_ledger'], ['ledger_bucket']),
    ],
  },
  { about: 'the activity feed', path: `/v1/users/${ALICE}/activities`, parameters: FEED_PARAMETERS, rules: FEED_RULES },
  { about: 'actions', path: `/v1/users/${ALICE}/actions`, parameters: FEED_PARAMETERS, rules: FEED_RULES },
  {
    about: 'the feed of a pool',
    path: `/v1/pools/${PAIR}/activities`,
    parameters: (({ protocol: _, contract: __, ...kept }) => kept)(FEED_PARAMETERS),
    rules: FEED_RULES,
  },
  {
    about: 'portfolios of several accounts',
    path: '/v1/positions',
    parameters: { addresses: accounts, view: oneOf(['full', 'summary']), as_of_ledger: ledger('200') },
    rules: [],
    required: ['addresses'],
  },
  {
    about: 'pools',
    path: '/v1/pools',
    parameters: {
      cursor,
      limit: pageLimit,
      protocol: oneOf(PROTOCOLS),
      asset: contract(XLM),
      type: listOf(['lending', 'constant_product', 'stable', 'concentrated', 'vault', 'staking', 'unknown']),
      status: listOf(['active', 'on_ice', 'frozen', 'setup', 'paused', 'retired']),
      min_tvl_usd: usd,
      sort: oneOf(['tvl', 'volume', 'apy']),
    },
    rules: [],
  },
  none('a pool', `/v1/pools/${PAIR}`),
  { about: 'assets', path: '/v1/assets', parameters: { cursor, limit: pageLimit }, rules: [] },
  none('an asset', `/v1/assets/${XLM}`),
  {
    about: 'prices of several assets',
    path: '/v1/prices',
    parameters: { assets, at: instant(TO), as_of_ledger: ledger('200') },
    rules: [excludes('at', ['as_of_ledger'])],
    required: ['assets'],
  },
  { about: 'the ledger of an instant', path: '/v1/ledgers', parameters: { at: instant(TO) }, rules: [], required: ['at'] },
  none('a ledger', '/v1/ledgers/200'),
  {
    about: 'the statement of a series',
    path: '/v1/queries/pool_snapshots',
    parameters: {
      request: {
        good: `/v1/pools/${PAIR}/history`,
        alsoGood: [`/v1/pools/${PAIR}/history?as_of_ledger=200`],
        bad: [
          ...['/v1', '/v1/', 'v1/pools', `https://example.com/v1/pools/${PAIR}/history`, `/v1/pools/${PAIR}/history `],
          ...[`/v1/pools/${PAIR}`, `/v1/pools/${PAIR}/history/`, '/v1/queries/pool_snapshots', `/v1/${'x'.repeat(2_001)}`],
          // Another statement, and one that its operation refuses.
          ...[`/v1/pools/${PAIR}/history?range=24h`, `/v1/pools/${PAIR}/history?range=1y`],
        ],
      },
    },
    rules: [],
  },
  none('the index', '/v1/index'),
  none('the protocols', '/v1/protocols'),
  {
    about: 'TVL',
    path: '/v1/protocols/soroswap/tvl',
    parameters: {
      ...WINDOW,
      resolution: { good: '1d', reserved: ['1h', '1w'], bad: ['4h', '1D', 'day', '1y'] },
      as_of_ledger: ledger('200'),
    },
    rules: [],
  },
  none('emissions', '/v1/protocols/blend/emissions'),
  asOf('reserves', '/v1/protocols/blend/reserves'),
  {
    about: 'accounts of Blend',
    path: '/v1/protocols/blend/accounts',
    parameters: {
      cursor,
      limit: pageLimit,
      sort: oneOf(['health_factor', 'net_usd', 'borrowed_usd']),
      health_factor_below: usd,
      pool: contract(POOL),
    },
    rules: [],
  },
  { about: 'a transaction', path: `/v1/transactions/${'f'.repeat(64)}`, parameters: { address: account }, rules: [] },
  none('the health of the service', '/v1/health'),
]
