// A small world written by hand, so that every expected answer can be worked out on paper. One engine and one running API for a test file.
//
// Ledgers 100 to 220 close every ten minutes from 1 September 2026, noon UTC: 106 at 13:00, 172 at midnight, 220 at 08:00 of the next day.
// An oracle says all along: 1 USDC = 1 USD, 1 XLM = 0.25 USD. Nobody says what NEW is worth, nor how many decimals it has.
//
// | pair     | holds                   | shares | Alice                           | Bob |
// |----------|-------------------------|--------|---------------------------------|-----|
// | USDC/XLM | 2,000 USDC, 10,000 XLM  | 4,000  | 500 from ledger 101, then 1,000 from ledger 130 | |
// | USDC/NEW | 100 USDC, 777 raw NEW   | 10     |                                 | 5 from ledger 110 |

import { encodeStrkey } from '@orrery/ledger'
import type { ActivityRow, PoolSnapshotRow, PositionSnapshotRow, Rows, StateRow, TransactionRow } from '@orrery/protocol-kit'
import { type Network, rowNumber, SHARED_SCOPE } from '@orrery/protocol-kit'
import { openReadModel, openStore, type ReadModel, type Store } from '@orrery/read-model'
import { withClickHouse } from '@orrery/read-model/testing'
import { soroswap } from '@orrery/soroswap'
import { afterAll, beforeAll } from 'vitest'
import { startTestApi, type TestApi } from '../../testing/start-test-api.ts'
import { openViews } from '../../views.ts'
import { routes } from '../index.ts'

const account = (n: number): string => encodeStrkey('G', new Uint8Array(32).fill(n))
const contract = (n: number): string => encodeStrkey('C', new Uint8Array(32).fill(n))

export const ALICE = account(1)
export const BOB = account(2)
/** Did more than fits on a page. */
export const CAROL = account(3)
/** Never seen. */
export const NOBODY = account(9)
export const FACTORY = contract(10)
export const ROUTER = contract(11)
export const ORACLE = contract(12)
export const USDC = contract(21)
export const XLM = contract(22)
export const NEW = contract(23)
export const PAIR = contract(31)
export const NEW_PAIR = contract(32)
/** A contract that is no pair. */
export const STRANGER = contract(99)

export const FIRST = 100
export const LAST = 220
const GENESIS_SECONDS = 1_788_264_000

export function closeTime(ledger: number): number {
  return GENESIS_SECONDS + (ledger - FIRST) * 600
}

export function timestamp(ledger: number): string {
  return `${new Date(closeTime(ledger) * 1000).toISOString().slice(0, 19)}Z`
}

export const NETWORK: Network = {
  name: 'paper',
  passphrase: 'On paper',
  firstLedger: FIRST,
  deployments: { soroswap: [{ factory: FACTORY, routers: [ROUTER], fromLedger: FIRST }], blend: [], aquarius: [], fxdao: [] },
  oracles: [{ contract: ORACLE, kind: 'reflector', base: { kind: 'symbol', symbol: 'USD' }, decimals: 14 }],
  pricePools: [],
  usdPegs: [],
  assets: {
    [USDC]: { code: 'USDC', issuer: null, decimals: 7, tags: ['classic', 'stablecoin'] },
    [XLM]: { code: 'XLM', issuer: null, decimals: 7, tags: ['native'] },
  },
  knownPools: [],
}

/** Hash of the n-th transaction of the world. */
export const hashOf = (n: number): string => n.toString(16).padStart(64, '0')

const whole = (units: number): bigint => BigInt(units) * 10_000_000n

// ---- state --------------------------------------------------------------------------------------------------------

function state(at: string, key: string, ledger: number, value: unknown, { owner = '', scope = 0 } = {}): StateRow {
  return {
    protocol: 'soroswap',
    contract: at,
    key,
    ledger,
    closeTimeSeconds: closeTime(ledger),
    owner,
    scope,
    liveUntil: 0,
    durability: 'persistent',
    removed: false,
    inferred: false,
    value: JSON.stringify(value),
  }
}

function pairState(
  pair: string,
  token1: string,
  index: number,
  amounts: { reserve0: bigint; reserve1: bigint; supply: bigint },
): StateRow[] {
  const value = {
    token_0: USDC,
    token_1: token1,
    reserve_0: amounts.reserve0.toString(),
    reserve_1: amounts.reserve1.toString(),
    factory: FACTORY,
    k_last: null,
    total_supply: amounts.supply.toString(),
    decimals: '7',
    name: 'LP',
    symbol: 'LP',
    code: '18051456',
  }
  return [
    state(FACTORY, `pair:${pair}`, FIRST, { token_0: USDC, token_1: token1, index: String(index) }, { scope: SHARED_SCOPE }),
    state(pair, 'pair', FIRST, value),
    state(pair, `balance:${USDC}`, FIRST, { amount: value.reserve_0 }),
    state(pair, `balance:${token1}`, FIRST, { amount: value.reserve_1 }),
  ]
}

function holding(pair: string, owner: string, ledger: number, shares: bigint, cost: string | null): StateRow[] {
  const fact = {
    units: shares.toString(),
    cost_usd: cost,
    realized_usd: cost === null ? null : '0',
    opened_ledger: '101',
    confidence: 'exact',
  }
  return [
    state(pair, `@${owner}:shares`, ledger, { amount: shares.toString() }, { owner }),
    state(pair, `@${owner}:cost`, ledger, fact, { owner }),
  ]
}

/** One round at the beginning that stays young enough for the whole world. */
function oracleState(): StateRow[] {
  const roundMs = GENESIS_SECONDS * 1000
  const shared = { scope: SHARED_SCOPE }
  const slot = Math.floor(roundMs / 300_000) % 32
  return [
    state(
      ORACLE,
      'settings',
      FIRST,
      {
        base: 'other:USD',
        decimals: 14,
        resolution_ms: String(30 * 86_400_000),
        assets: [USDC, XLM],
        protocol: 2,
        protocol_update_ms: '0',
        version: 6,
      },
      shared,
    ),
    state(ORACLE, 'feed', FIRST, { last_timestamp_ms: String(roundMs), cached_ms: [String(roundMs)] }, shared),
    state(
      ORACLE,
      `round:${slot}`,
      FIRST,
      [{ timestamp_ms: String(roundMs), live_until: 0, forms: ['update'], prices: ['100000000000000', '25000000000000'] }],
      shared,
    ),
    state(FACTORY, 'factory', FIRST, { fee_to: BOB, fee_to_setter: BOB, total_pairs: '2', fees_enabled: false }, shared),
  ]
}

// ---- snapshots ----------------------------------------------------------------------------------------------------

export function positionSnapshot(ledger: number, usd: string | null, address = ALICE, pool = PAIR): PositionSnapshotRow {
  return {
    protocol: 'soroswap',
    address,
    pool,
    ledger,
    closeTimeSeconds: closeTime(ledger),
    heartbeat: false,
    open: usd !== '0',
    suppliedUsd: usd,
    borrowedUsd: '0',
    depositedUsd: usd,
    netUsd: usd,
    effectiveCollateralUsd: '0',
    effectiveLiabilitiesUsd: '0',
    netApy: null,
    unpricedAssets: usd === null ? 1 : 0,
    shares: 1n,
    native: {},
  }
}

function poolSnapshot(pool: string, ledger: number, tvlUsd: string, unpricedAssets = 0): PoolSnapshotRow {
  return {
    protocol: 'soroswap',
    pool,
    ledger,
    closeTimeSeconds: closeTime(ledger),
    heartbeat: false,
    tvlUsd,
    unpricedAssets,
    shareSupply: 1n,
    native: {},
  }
}

// ---- activities ---------------------------------------------------------------------------------------------------

/** A leg of USDC in USDC/XLM, unless `of` says otherwise. `row` is its place in the action. */
export function leg(of: Partial<ActivityRow> & { ledger: number; tx: number; row?: number }): ActivityRow {
  const { ledger, tx, row = 0, ...rest } = of
  return {
    protocol: 'soroswap',
    key: { ledger, txOrder: 1, opIndex: 0, eventIndex: 4, row: rowNumber('soroswap', row) },
    closeTimeSeconds: closeTime(ledger),
    txHash: hashOf(tx),
    address: ALICE,
    activityType: 'deposit',
    contract: PAIR,
    counterparty: PAIR,
    assetId: USDC,
    assetSymbol: 'USDC',
    assetDecimals: 7,
    amount: whole(250),
    shareAmount: 0n,
    shareDecimals: 7,
    shareType: '',
    usdValue: '250',
    volumeUsd: '250',
    counts: row === 0 ? 1 : 0,
    actionId: hashOf(tx).slice(32),
    leg: 'in',
    confidence: 1,
    priceSource: `oracle:${ORACLE}`,
    priceAgeSeconds: closeTime(ledger) - GENESIS_SECONDS,
    metadata: { event: 'SoroswapPair/deposit' },
    ...rest,
  }
}

const XLM_LEG = { assetId: XLM, assetSymbol: 'XLM', amount: whole(1_250), usdValue: '312.5', volumeUsd: '312.5' } as const

/** Alice's deposits are told by transactions 1 and 2, her swap by 3. Carol did something in every ledger from 200 to 206. */
const ACTIVITIES: ActivityRow[] = [
  leg({ ledger: 101, tx: 1, shareAmount: whole(500), shareType: 'lp_share' }),
  leg({ ledger: 101, tx: 1, row: 1, ...XLM_LEG }),
  leg({
    ledger: 120,
    tx: 3,
    activityType: 'swap',
    amount: whole(1_250),
    usdValue: '1250',
    volumeUsd: '1250',
    confidence: 0.9,
    metadata: { event: 'SoroswapPair/swap', router: ROUTER },
  }),
  leg({
    ledger: 120,
    tx: 3,
    row: 1,
    activityType: 'swap',
    ...XLM_LEG,
    amount: 49_850_000_001n,
    usdValue: '1246.25',
    volumeUsd: '0',
    leg: 'out',
    confidence: 0.9,
    metadata: { event: 'SoroswapPair/swap', router: ROUTER },
  }),
  leg({ ledger: 130, tx: 2, shareAmount: whole(500), shareType: 'lp_share' }),
  leg({ ledger: 130, tx: 2, row: 1, ...XLM_LEG }),
  ...Array.from({ length: 7 }, (_, n) =>
    leg({ ledger: 200 + n, tx: 20 + n, address: CAROL, activityType: n % 2 === 0 ? 'deposit' : 'withdraw' }),
  ),
]

export function transaction(ledger: number, tx: number, activityRows: number): TransactionRow {
  return {
    protocol: 'soroswap',
    txHash: hashOf(tx),
    ledger,
    txOrder: 1,
    closeTimeSeconds: closeTime(ledger),
    source: ALICE,
    feeSource: '',
    activityRows,
  }
}

// ---- the world ----------------------------------------------------------------------------------------------------

export function rows(some: Partial<Rows>): Rows {
  return {
    state: [],
    prices: [],
    positionSnapshots: [],
    reserveSnapshots: [],
    poolSnapshots: [],
    activities: [],
    transactions: [],
    notices: [],
    ...some,
  }
}

const WORLD: Rows = rows({
  state: [
    ...oracleState(),
    ...pairState(PAIR, XLM, 0, { reserve0: whole(2_000), reserve1: whole(10_000), supply: whole(4_000) }),
    ...pairState(NEW_PAIR, NEW, 1, { reserve0: whole(100), reserve1: 777n, supply: whole(10) }),
    ...holding(PAIR, ALICE, 101, whole(500), '560'),
    ...holding(PAIR, ALICE, 130, whole(1_000), '1000'),
    ...holding(NEW_PAIR, BOB, 110, whole(5), null),
  ],
  positionSnapshots: [
    positionSnapshot(101, '562.5'),
    positionSnapshot(106, '563'),
    positionSnapshot(112, '570.25'),
    positionSnapshot(130, '1125'),
    positionSnapshot(110, null, BOB, NEW_PAIR),
  ],
  poolSnapshots: [
    poolSnapshot(PAIR, 101, '4000'),
    poolSnapshot(PAIR, 160, '4500'),
    poolSnapshot(NEW_PAIR, 165, '100', 1),
    poolSnapshot(PAIR, 200, '5000'),
    poolSnapshot(PAIR, 210, '5100'),
  ],
  activities: ACTIVITIES,
  transactions: [transaction(101, 1, 2), transaction(120, 3, 2), transaction(130, 2, 2)],
})

export const VERSION = 1

export interface World {
  readonly api: TestApi
  readonly store: Store
  readonly readModel: ReadModel
  /** Asks for data; the answer must be a success. */
  data(path: string): Promise<Answered>
  /** Asks for a refusal. */
  refusal(path: string): Promise<{ readonly status: number; readonly code: string; readonly message: string }>
}

export interface Answered {
  readonly data: Readonly<Record<string, unknown>>
  readonly enrichment: { readonly assets: Readonly<Record<string, unknown>>; readonly contracts: Readonly<Record<string, unknown>> }
  readonly meta: Readonly<Record<string, unknown>>
}

/** Call it at the top of a test file: the world stands before its first test and is gone after its last. */
export function withWorld(): World {
  const clickhouse = withClickHouse()
  const stack = new AsyncDisposableStack()
  let made: { api: TestApi; store: Store; readModel: ReadModel } | undefined
  const world = () => {
    if (made === undefined) throw new Error('The world stands while tests run: ask for it inside of a test or a hook.')
    return made
  }

  beforeAll(async () => {
    const database = await clickhouse.database()
    const store = openStore(database.connect('writer'))
    await writeWorld(store)
    // A tip is read anew for each question: tests write and ask at once.
    const readModel = openReadModel(database.connect('api'), { tipForMs: 0 })
    const api = stack.use(
      await startTestApi({ routes, shared: { readModel, network: NETWORK, protocols: [soroswap], views: openViews(NETWORK) } }),
    )
    made = { api, store, readModel }
  })
  afterAll(() => stack.disposeAsync())

  return {
    get api() {
      return world().api
    },
    get store() {
      return world().store
    },
    get readModel() {
      return world().readModel
    },
    async data(path) {
      const { status, body } = await world().api.ask(path)
      if (status !== 200) throw new Error(`${path} -> ${status}: ${JSON.stringify(body)}`)
      return body as unknown as Answered
    },
    async refusal(path) {
      const { status, body } = await world().api.ask(path)
      return { status, code: body?.error?.code ?? '', message: body?.error?.message ?? '' }
    },
  }
}

async function writeWorld(store: Store): Promise<void> {
  const ledgers = Array.from({ length: LAST - FIRST + 1 }, (_, n) => FIRST + n)
  await store.writeLedgers(
    ledgers.map((ledger) => ({ ledger, closeTimeSeconds: closeTime(ledger), hash: hashOf(ledger) })),
    1n,
  )
  await store.activateIfNone('soroswap', VERSION, 1)
  // Written twice: at least once is what the log promises, and no answer may show it.
  await store.write([WORLD], VERSION)
  await store.write([WORLD], VERSION)
  await setCheckpoint(store, LAST)
}

/** Everything up to `ledger` is whole, and the source has nothing newer. */
export async function setCheckpoint(store: Store, ledger: number): Promise<void> {
  const at = { protocol: 'soroswap', partition: 0 } as const
  const closeTimeSeconds = closeTime(ledger)
  await store.moveCheckpoint(at, VERSION, { ledger, closeTimeSeconds, offset: 1n, rollingHash: '0'.repeat(16) })
  await store.reportHealth({
    ...at,
    adapterVersion: VERSION,
    reportedAtMs: closeTimeSeconds * 1000,
    state: 'running',
    checkpointLedger: ledger,
    checkpointCloseTimeSeconds: closeTimeSeconds,
    seenLedger: ledger,
    seenCloseTimeSeconds: closeTimeSeconds,
    sourceEnded: true,
    progressedAtMs: closeTimeSeconds * 1000,
    gap: null,
    error: '',
    errorsLastHour: 0,
    contractsTracked: 3,
  })
}
