// Every statement of `/v1` with parameters that have rows in the index of the demo, for comparing two indexes.

import type { PositionTerm } from '@orrery/protocol-kit'
import { positionTermParam, type Query, type ReadModel } from '@orrery/read-model'
import * as exported from '@orrery/read-model/queries'

const OPTIONS = { tag: { route: 'cluster', requestId: 'cluster' } } as const
const FAR = 4_000_000_000
/** A value in USD for any part of a position: a share is 3 / 2 units, and a unit 0.7 USD. */
const FRACTION = {
  ...{ numerator: 3n, denominator: 2n, factorNumerator: 1n, factorDenominator: 1n, isOfPair: false },
  ...{ usd: { numerator: 7n, half: 5n }, own: null },
}

/** Every query of the read model, by name: those in lists and records too. */
export function allQueries(): ReadonlyMap<string, Query> {
  const found = new Map<string, Query>()
  const visit = (value: unknown): void => {
    if (value === null || typeof value !== 'object' || value instanceof RegExp) return
    if (isQuery(value)) found.set(value.name, value)
    else for (const part of Object.values(value)) if (!('_zod' in value)) visit(part)
  }
  visit(Object.values(exported))
  return found
}

function isQuery(value: object): value is Query {
  return 'sql' in value && 'params' in value && 'name' in value
}

/** Names and numbers of an index that its statements are asked about. */
export interface Facts {
  readonly watermark: number
  readonly firstLedger: number
  readonly firstSeconds: number
  readonly lastSeconds: number
  /** Of the accounts with the most rows. */
  readonly accounts: readonly string[]
  readonly pools: readonly { readonly protocol: string; readonly pool: string }[]
  readonly positions: readonly { readonly address: string; readonly protocol: string; readonly pool: string }[]
  readonly assets: readonly { readonly asset: string; readonly protocol: string; readonly source: string }[]
  readonly transactions: readonly { readonly tx_hash: string; readonly ledger: number; readonly tx_order: number }[]
  readonly parts: readonly {
    readonly protocol: string
    readonly pool: string
    readonly side: PositionTerm['side']
    readonly asset: string
  }[]
}

type Params = Readonly<Record<string, unknown>>

/** Sets of parameters for each query, by its name. A query without one is missing here. */
export function parametersOf(facts: Facts): Readonly<Record<string, readonly Params[]>> {
  const { watermark, firstLedger, firstSeconds, lastSeconds, accounts, pools, positions, assets, transactions, parts } = facts
  const ledgers = { from_ledger: firstLedger, to_ledger: watermark, watermark }
  const times = { first: firstSeconds, width: 7_200, from: firstSeconds, to: lastSeconds }
  const places = { first: firstLedger, width: 16, from: firstLedger, to: watermark }
  const timeBuckets = { ...times, count: Math.ceil((lastSeconds - firstSeconds + 1) / times.width) }
  const ledgerBuckets = { ...places, count: Math.ceil((watermark - firstLedger + 1) / places.width) }
  const axes = [
    { axis: 'time', ...timeBuckets },
    { axis: 'ledger', ...ledgerBuckets },
  ] as const
  const noKey = { after_ledger: null, after_tx_order: null, after_op_index: null, after_event_index: null, after_row: null }
  const key = { ...noKey, after_ledger: watermark - 20, after_tx_order: 1, after_op_index: 0, after_event_index: 0, after_row: 0 }
  const page = { ...ledgers, types: [], tx_hash: '', rows: 40 }
  const windowOf = { from: firstSeconds, to: lastSeconds, to_ledger: watermark, rows: 30, watermark }
  const perAccount = (of: (address: string) => readonly Params[]): Params[] => accounts.flatMap(of)
  const perPool = (of: (pool: { readonly protocol: string; readonly pool: string }) => readonly Params[]): Params[] => pools.flatMap(of)
  const held = (of: (position: { address: string; protocol: string; pool: string }) => readonly Params[]): Params[] =>
    facts.positions.flatMap(of)
  const split = firstSeconds - (firstSeconds % 3_600) + 36_000
  const atPlaces = transactions.map(({ tx_hash, ledger, tx_order }) => ({ tx_hash, ledgers: [ledger], tx_orders: [tx_order] }))
  const filters = [
    { addresses: [], protocols: [], contracts: [] },
    { addresses: accounts, protocols: ['blend', 'fxdao', 'soroswap'], contracts: [...pools, ...positions].map(({ pool }) => pool) },
  ]
  const streams = filters.map((filter) => ({ ...ledgers, ...filter, types: [], rows: 200 }))
  const streamPositions = filters.map((filter) => ({ ...ledgers, ...filter, rows: 200 }))
  const below = filters.map((filter) => ({ ...ledgers, ...filter, threshold: '1000', recovered: '1001' }))
  const byAddress = <T extends { readonly addresses: readonly string[] }>(all: readonly T[]): T[] =>
    all.filter((one) => one.addresses.length > 0)
  const actions =
    (protocol: string, order: 'asc' | 'desc') =>
    (address: string): Params[] => [
      {
        ...{ address, ...ledgers, after_ledger: order === 'desc' ? FAR : 0, after_tx_order: 0, after_action_id: '', after_protocol: '' },
        ...{ protocol, types: [], contract: '', tx_hash: '', actions: 12 },
      },
    ]
  const actionRows =
    (order: 'asc' | 'desc') =>
    (address: string): Params[] => [{ address, ...ledgers, after_ledger: order === 'desc' ? FAR : 0, after_tx_order: 0, rows: 50 }]
  const feed = (address: string): Params[] => [noKey, key].map((after) => ({ address, ...ledgers, rows: 40, ...after }))
  const filteredFeed = (address: string): Params[] =>
    [{ protocol: 'soroswap' }, { types: ['swap', 'deposit'] }].flatMap((filter) =>
      [noKey, key].map((after) => ({ address, protocol: '', contract: '', ...page, ...filter, ...after })),
    )
  const poolFeed = ({ protocol, pool }: { readonly protocol: string; readonly pool: string }): Params[] =>
    [noKey, key].map((after) => ({ protocol, contract: pool, currency: '', ...page, ...after }))
  const dateOf = (seconds: number): string => new Date(seconds * 1_000).toISOString().slice(0, 10)
  const protocols = [...new Set(pools.map(({ protocol }) => protocol))]
  const days = { first_day: dateOf(firstSeconds + 172_800), last_day: dateOf(lastSeconds), rows: 5_001 }
  const quotes = assets.map(({ asset, protocol, source }) => ({ asset, protocol, sources: [source], ages: [FAR], watermark }))
  return {
    active_accounts: [{ after_ledger: watermark - 200, watermark }],
    account_action_rows: perAccount(actionRows('desc')),
    account_action_rows_ascending: perAccount(actionRows('asc')),
    account_actions: ['', 'soroswap'].flatMap((protocol) => perAccount(actions(protocol, 'desc'))),
    account_actions_ascending: perAccount(actions('', 'asc')),
    account_activities: perAccount(feed),
    account_activities_ascending: perAccount(feed),
    filtered_account_activities: perAccount(filteredFeed),
    filtered_account_activities_ascending: perAccount(filteredFeed),
    account_activity_series: perAccount((address) =>
      axes.map(({ axis, first, width }) => ({ address, protocol: '', axis, first, width, ...ledgers })),
    ),
    account_series_rows: ['', 'soroswap'].flatMap((protocol) => perAccount((address) => [{ address, protocol, ...ledgers, rows: 2_001 }])),
    first_account_activity: perAccount((address) => [{ address, protocol: '', watermark }]),
    account_positions: [...new Set(parts.map(({ protocol }) => protocol))].flatMap((protocol) => {
      const own = parts.filter((part) => part.protocol === protocol)
      const terms = own.map(({ pool, side, asset }) => positionTermParam({ pool, side, asset, ...FRACTION }))
      const list = { protocol, pools: [...new Set(own.map(({ pool }) => pool))], terms, vaults: protocol === 'fxdao', below: '', rows: 60 }
      const first = { after: false, after_place: '', after_pool: '', after_address: '' }
      return [
        { ...list, ...first, sort: 'health_factor', watermark },
        // As of an earlier ledger the statement reads the history as well.
        { ...list, ...first, sort: 'net_usd', watermark: watermark - 100 },
      ]
    }),
    adapter_health: [{}],
    gaps_in_log: [{}],
    asset_met: assets.map(({ asset }) => ({ asset, watermark })),
    asset_page: [{ after: '', rows: 1_000, watermark }],
    asset_price_history: quotes.flatMap((quote) => axes.map((axis) => ({ ...quote, ...axis, keep: 'all', since: firstSeconds, split }))),
    asset_prices: quotes.map((quote) => ({ ...quote, from: firstSeconds, to: lastSeconds, to_ledger: watermark, events: 200, rows: 50 })),
    first_asset_price: quotes.map(({ ages: _, ...quote }) => quote),
    close_times_of: [{ ledgers: [firstLedger, watermark - 3, watermark], watermark }],
    control_facts: [{}],
    first_indexed_ledger: [{}],
    first_pool_snapshot: perPool((pool) => [{ ...pool, watermark }]),
    first_position_snapshot: held((position) => [{ ...position, watermark }]),
    first_state_rows: perPool(({ protocol, pool }) => [{ protocol, contracts: [pool], keys: ['pair', 'pool', 'config'], watermark }]),
    last_ledger_by_bucket: [{ first: firstSeconds + 7_200, width: 3_600, to: lastSeconds, watermark }],
    last_verification: [{}],
    ledger_by_sequence: [{ ledger: watermark - 1, watermark }],
    ledger_by_time: [{ close_time: lastSeconds - 3_600, watermark }],
    net_worth: perAccount((address) => [true, false].map((carry) => ({ address, watermark, ...timeBuckets, carry }))),
    net_worth_by_ledger: perAccount((address) => [{ address, watermark, ...ledgerBuckets, carry: true }]),
    net_worth_days: perAccount((address) => [{ address, ...days }]),
    net_worth_snapshots: perAccount((address) => [{ address, ...ledgers, rows: 30 }]),
    notices_by_reason: [{ watermark }],
    pool_activities: perPool(poolFeed),
    pool_activities_ascending: perPool(poolFeed),
    pool_auction_keys: perPool((pool) => [pool]),
    pool_days: protocols.map((protocol) => ({ protocol, first: dateOf(firstSeconds + 86_400), days: 2, watermark, rows: 2_001 })),
    pool_history: perPool((pool) => axes.map((axis) => ({ ...pool, watermark, ...axis, keep: 'all', split }))),
    pool_reserve_history: perPool((pool) =>
      axes.map(({ count: _count, from, ...axis }) => ({ ...pool, watermark, ...axis, starts: [from, from + axis.width], split })),
    ),
    pool_snapshots: perPool((pool) => [{ ...pool, ...windowOf }]),
    position_days: held((position) => [{ ...position, ...days }]),
    position_flows: perAccount((address) => [{ address, no_positions: [], ...times, watermark }]),
    position_flows_by_ledger: perAccount((address) => [{ address, no_positions: [], ...places, watermark }]),
    position_history: held((position) => [{ ...position, watermark, ...times }]),
    position_history_by_ledger: held((position) => [{ ...position, watermark, ...places }]),
    position_snapshots: held((position) => [{ ...position, ...windowOf }]),
    position_summary: held(({ address, protocol }) => axes.map((axis) => ({ address, protocol, watermark, ...axis, carry: true }))),
    position_summary_snapshots: held(({ address, protocol }) => [{ address, protocol, ...ledgers, rows: 30 }]),
    positions_below: below,
    positions_below_by_address: byAddress(below),
    protocol_tvl_by_day: protocols.map((protocol) => ({ protocol, first: dateOf(firstSeconds), days: 2, watermark })),
    stream_activities: streams,
    stream_activities_by_address: byAddress(streams),
    stream_activities_by_contract: streams,
    stream_health_factors: streamPositions,
    stream_health_factors_by_address: byAddress(streamPositions),
    stream_positions: streamPositions,
    stream_positions_by_address: byAddress(streamPositions),
    summary_days: held(({ address, protocol }) => [{ address, protocol, ...days }]),
    transaction_activities: atPlaces,
    transaction_places: transactions.map(({ tx_hash }) => ({ tx_hash })),
    transaction_records: atPlaces,
  }
}

/** The answers to every statement, by its name and the number of its parameters: rows in the order in which they came. */
export async function answersOf(
  readModel: ReadModel,
  parameters: Readonly<Record<string, readonly Params[]>>,
): Promise<Readonly<Record<string, readonly unknown[][]>>> {
  const answers: Record<string, unknown[][]> = {}
  for (const [name, query] of allQueries()) {
    answers[name] = []
    for (const params of distinct(parameters[name] ?? [])) answers[name].push(await readModel.query(query, params, OPTIONS))
  }
  return answers
}

function distinct(all: readonly Params[]): Params[] {
  return [...new Map(all.map((params) => [JSON.stringify(params), params])).values()]
}
