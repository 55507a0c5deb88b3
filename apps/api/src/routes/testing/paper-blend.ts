// Blend v2 on paper. 1 USDC = 1 USD and 1 XLM = 0.25 USD by the pools' oracle all along. Nobody pays interest, so that figures can be
// worked out by hand: a bUSDC is worth 1.1 USDC, a dXLM 1.2 XLM, a bXLM 1 XLM.
//
// | pool     | what         | supplied               | borrowed             |
// |----------|--------------|------------------------|----------------------|
// | Fixed v2 | USDC (0.95)  | 10,000 bUSDC           |                      |
// |          | XLM (0.75)   | 20,000 bXLM            | 1,000 dXLM           |
// | Second   | USDC (0.95)  | 1,000 bUSDC            |                      |
//
// Alice, from ledger 110 on: 1,000 bUSDC as collateral, 50 bXLM beside it, 1,000 dXLM of debt; of the backstop 50 shares and 10 queued ones.
// The backstop of Fixed v2 has 1,000 shares, 100 of them queued, for 2,000 LP tokens. The Comet pool holds 80,000 BLND and 1,000 USDC for
// 10,000 LP tokens: an LP token is worth 5 · 0.1 = 0.5 USD, a BLND (1,000 / 0.2) / (80,000 / 0.8) = 0.05 USD.
// Who supplies XLM to Fixed v2 earns 0.001 BLND a second among all, from the first ledger on.

import type { PoolSnapshotRow, PositionSnapshotRow, Rows, StateRow } from '@orrery/protocol-kit'
import { SHARED_SCOPE } from '@orrery/protocol-kit'
import {
  ALICE,
  BACKSTOP,
  BLND,
  BOB,
  COMET,
  closeTime,
  EMITTER,
  FIRST,
  ORACLE,
  POOL,
  POOL_2,
  POOL_FACTORY,
  USDC,
  whole,
  XLM,
} from './paper.ts'
import { leg, oracleState, rows, stateRow, transaction } from './paper-rows.ts'

const state = (at: string, key: string, ledger: number, value: unknown, owner = ''): StateRow =>
  stateRow('blend', at, key, ledger, value, { owner })
const shared = (at: string, key: string, value: unknown): StateRow => stateRow('blend', at, key, FIRST, value, { scope: SHARED_SCOPE })
const text = (units: number): string => whole(units).toString()

function pool(at: string, name: string): StateRow[] {
  return [
    state(POOL_FACTORY, `pool:${at}`, FIRST, { announced: true }),
    state(at, 'pool', FIRST, {
      name,
      admin: BOB,
      backstop: BACKSTOP,
      blnd: BLND,
      oracle: ORACLE,
      bstop_rate: '2000000',
      max_positions: '4',
      status: '1',
      min_collateral: '0',
      code: 'a41fc53d',
    }),
  ]
}

interface PaperReserve {
  readonly index: number
  readonly factor: number
  readonly bRate: string
  readonly dRate: string
  readonly supplied: number
  readonly borrowed: number
}

function reserve(at: string, asset: string, of: PaperReserve): StateRow[] {
  return [
    state(at, `config:${asset}`, FIRST, {
      index: String(of.index),
      decimals: '7',
      c_factor: String(of.factor),
      l_factor: String(of.factor),
      util: '8000000',
      max_util: '9500000',
      r_base: '0',
      r_one: '0',
      r_two: '0',
      r_three: '0',
      reactivity: '0',
      supply_cap: text(1_000_000),
      enabled: true,
    }),
    state(at, `data:${asset}`, 110, {
      b_rate: of.bRate,
      d_rate: of.dRate,
      b_supply: text(of.supplied),
      d_supply: text(of.borrowed),
      backstop_credit: '0',
      ir_mod: '10000000',
      last_time: String(closeTime(110)),
    }),
    state(at, `balance:${asset}`, 110, { amount: text(of.supplied) }),
  ]
}

const ONE = '1000000000000'
const cost = (key: string, units: number, usd: string, netPaid: number): StateRow =>
  state(
    POOL,
    `@${ALICE}:cost:${key}`,
    110,
    {
      units: text(units),
      cost_usd: usd,
      realized_usd: '0',
      opened_ledger: '110',
      confidence: 'exact',
      net_paid: text(netPaid),
    },
    ALICE,
  )

const ACCOUNT: StateRow[] = [
  state(
    POOL,
    `@${ALICE}:positions`,
    110,
    { supply: { 1: text(50) }, collateral: { 0: text(1_000) }, liabilities: { 1: text(1_000) } },
    ALICE,
  ),
  // Untouched since the emission began: 50 of 20,000 bXLM earn 0.18 BLND in twenty hours.
  state(POOL, `@${ALICE}:emission:3`, FIRST, { index: '0', accrued: '0' }, ALICE),
  state(POOL, `@${ALICE}:backstop`, 110, { shares: text(50), queue: [[text(10), String(closeTime(200))]] }, ALICE),
  // 1,050 USDC went in and are 1,100 now; 1,100 XLM were borrowed and are 1,200 now.
  cost(`supply:${USDC}`, 1_000, '1050', 1_050),
  cost(`borrow:${XLM}`, 1_000, '275', 1_100),
]

// ---- snapshots ----------------------------------------------------------------------------------------------------

interface PaperValue {
  /** Alice, in Fixed v2, unless told otherwise. */
  readonly address?: string
  readonly pool?: string
  readonly supplied: string | null
  readonly borrowed?: string
  readonly deposited?: string | null
  readonly effective?: readonly [collateral: string | null, liabilities: string | null]
  /** As the contract rounds it. Default: the ratio of the effective values, floored to the 7 digits of the pool's oracle. */
  readonly health?: string
  readonly apy?: string
}

/** What an account has in a pool, at a ledger. */
export function lendingSnapshot(ledger: number, of: PaperValue): PositionSnapshotRow {
  const { supplied, borrowed = '0', effective = ['0', '0'] } = of
  return {
    protocol: 'blend',
    address: of.address ?? ALICE,
    pool: of.pool ?? POOL,
    ledger,
    closeTimeSeconds: closeTime(ledger),
    heartbeat: false,
    open: supplied !== '0',
    suppliedUsd: supplied,
    borrowedUsd: borrowed,
    depositedUsd: of.deposited === undefined ? supplied : of.deposited,
    netUsd: supplied === null ? null : String(Number(supplied) - Number(borrowed)),
    effectiveCollateralUsd: effective[0],
    effectiveLiabilitiesUsd: effective[1],
    netApy: supplied === null ? null : (of.apy ?? '0'),
    unpricedAssets: supplied === null ? 1 : 0,
    shares: 0n,
    native: { health_factor: of.health ?? ratioOf(effective) },
  }
}

function ratioOf([collateral, liabilities]: NonNullable<PaperValue['effective']>): string | null {
  if (collateral === null || liabilities === null || Number(liabilities) === 0) return null
  return String(Math.floor((Number(collateral) / Number(liabilities)) * 1e7) / 1e7)
}

function poolSnapshot(at: string, ledger: number, tvlUsd: string): PoolSnapshotRow {
  return {
    protocol: 'blend',
    pool: at,
    ledger,
    closeTimeSeconds: closeTime(ledger),
    heartbeat: false,
    tvlUsd,
    unpricedAssets: 0,
    shareSupply: 0n,
    native: {},
  }
}

const OF_BLEND = { protocol: 'blend', contract: POOL, counterparty: POOL } as const

export const BLEND_WORLD: Rows = rows({
  state: [
    ...oracleState('blend'),
    ...pool(POOL, 'Fixed v2'),
    ...pool(POOL_2, 'Second'),
    state(POOL, 'reserves', FIRST, { contracts: [USDC, XLM] }),
    ...reserve(POOL, USDC, { index: 0, factor: 9_500_000, bRate: '1100000000000', dRate: ONE, supplied: 10_000, borrowed: 0 }),
    ...reserve(POOL, XLM, { index: 1, factor: 7_500_000, bRate: ONE, dRate: '1200000000000', supplied: 20_000, borrowed: 1_000 }),
    state(POOL, 'emission:3', FIRST, {
      index: '0',
      last_time: String(closeTime(FIRST)),
      eps: '100000000000',
      expiration: String(closeTime(1_000)),
    }),
    state(POOL, 'backstop', FIRST, { shares: text(1_000), queued_shares: text(100), tokens: text(2_000) }),
    state(POOL_2, 'reserves', FIRST, { contracts: [USDC] }),
    ...reserve(POOL_2, USDC, { index: 0, factor: 9_500_000, bRate: ONE, dRate: ONE, supplied: 1_000, borrowed: 0 }),
    shared(BACKSTOP, 'whole', { emitter: EMITTER, backstop_token: COMET, pool_factory: POOL_FACTORY, blnd: BLND, usdc: USDC }),
    shared(BACKSTOP, 'reward_zone', { contracts: [POOL] }),
    shared(COMET, 'records', {
      records: [
        [BLND, text(80_000), '8000000'],
        [USDC, text(1_000), '2000000'],
      ],
    }),
    shared(COMET, 'total_shares', { amount: text(10_000) }),
    shared(COMET, 'swap_fee', { amount: '30000' }),
    ...ACCOUNT,
  ],
  positionSnapshots: [
    lendingSnapshot(110, { supplied: '1000', borrowed: '400', deposited: '1060', effective: ['950', '500'], apy: '0.05' }),
    lendingSnapshot(112, { pool: POOL_2, supplied: '200', effective: ['190', '0'], apy: '0.01' }),
    lendingSnapshot(118, { supplied: '1100', borrowed: '300', deposited: '1160', effective: ['1045', '400'], apy: '0.04' }),
    lendingSnapshot(130, { pool: POOL_2, supplied: '0' }),
  ],
  poolSnapshots: [poolSnapshot(POOL, 110, '15700'), poolSnapshot(POOL_2, 110, '1000')],
  activities: [
    leg({
      ...OF_BLEND,
      ledger: 110,
      tx: 40,
      amount: whole(1_050),
      usdValue: '1050',
      volumeUsd: '1050',
      shareAmount: whole(1_000),
      shareType: 'b_token_collateral',
      metadata: { event: 'pool_v2/supply_collateral' },
    }),
    leg({
      ...OF_BLEND,
      ledger: 110,
      tx: 40,
      row: 1,
      activityType: 'borrow',
      assetId: XLM,
      assetSymbol: 'XLM',
      amount: whole(1_100),
      usdValue: '275',
      volumeUsd: '275',
      shareAmount: whole(1_000),
      shareType: 'd_token',
      leg: 'out',
      counts: 1,
      actionId: 'second',
      metadata: { event: 'pool_v2/borrow' },
    }),
  ],
  transactions: [{ ...transaction(110, 40, 2), protocol: 'blend' }],
})
