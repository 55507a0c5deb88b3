// The rows of the world on paper: state as Soroswap and its oracle would have written it, snapshots, activities and transactions.

import type { ActivityRow, PoolSnapshotRow, PositionSnapshotRow, ProtocolId, Rows, StateRow, TransactionRow } from '@orrery/protocol-kit'
import { NO_ROWS, rowNumber, SHARED_SCOPE } from '@orrery/protocol-kit'
import {
  ALICE,
  BOB,
  CAROL,
  closeTime,
  FACTORY,
  FIRST,
  GENESIS_SECONDS,
  hashOf,
  NEW,
  NEW_PAIR,
  ORACLE,
  PAIR,
  ROUTER,
  USDC,
  whole,
  XLM,
} from './paper.ts'

function state(at: string, key: string, ledger: number, value: unknown, of: PaperState = {}): StateRow {
  return stateRow('soroswap', at, key, ledger, value, of)
}

interface PaperState {
  readonly owner?: string
  readonly scope?: number
}

/** A row of state as the fold of `protocol` would have written it. */
export function stateRow(
  protocol: ProtocolId,
  at: string,
  key: string,
  ledger: number,
  value: unknown,
  { owner = '', scope = 0 }: PaperState = {},
): StateRow {
  return {
    protocol,
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

/** One round at the beginning that stays young enough for the whole world, as every protocol remembers it for itself. */
export function oracleState(protocol: ProtocolId): StateRow[] {
  const state = (...row: readonly [string, string, number, unknown, PaperState]): StateRow => stateRow(protocol, ...row)
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

export function rows(some: Partial<Rows>): Rows {
  return { ...NO_ROWS, ...some }
}

export const WORLD: Rows = rows({
  state: [
    ...oracleState('soroswap'),
    state(FACTORY, 'factory', FIRST, { fee_to: BOB, fee_to_setter: BOB, total_pairs: '2', fees_enabled: false }, { scope: SHARED_SCOPE }),
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
