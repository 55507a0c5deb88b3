// FxDAO on paper. 1 XLM = 0.25 USD by its own feed all along, and a coin of USD stands at par.
//
// | who   | from | collateral | debt     | redeemed |
// |-------|------|------------|----------|----------|
// | Alice | 110  | 1,000 XLM  | 100 USDx | second   |
// | Bob   | 105  | 500 XLM    | 100 USDx | first    |
//
// A vault may be liquidated below 110 %. Alice has locked 40 USDx from ledger 120 on, and 2 USDx of rewards wait for her.

import type { Rows, StateRow } from '@orrery/protocol-kit'
import { SHARED_SCOPE } from '@orrery/protocol-kit'
import { ALICE, BOB, FIRST, GENESIS_SECONDS, LOCKING, RATES, timestamp, USDX, VAULTS, whole, XLM } from './paper.ts'
import { oracleState, positionSnapshot, rows, stateRow } from './paper-rows.ts'

const state = (at: string, key: string, ledger: number, value: unknown, owner = ''): StateRow =>
  stateRow('fxdao', at, key, ledger, value, { owner })

/** The feed says it from the beginning; its entries outlive the world. */
const FEED: StateRow[] = [
  ['settings', { base: XLM, decimals: 7, assets: ['other:USD'] }] as const,
  [
    'rates',
    [
      {
        asset: 'other:USD',
        stamp_seconds: String(GENESIS_SECONDS),
        stamp_live_until: 0,
        price: '2500000',
        record_seconds: String(GENESIS_SECONDS),
        record_live_until: 0,
      },
    ],
  ] as const,
].map(([key, value]) => stateRow('fxdao', RATES, key, FIRST, value, { scope: SHARED_SCOPE }))

const CORE = {
  admin: BOB,
  collateral: XLM,
  fee: '50000',
  oracle: RATES,
  panic: false,
  manager: BOB,
  stable_issuer: BOB,
  treasury: BOB,
}

const totals = (collateral: number, debt: number, vaults: number) => ({
  lowest_account: BOB,
  lowest_index: '1',
  minimum_ratio: '11000000',
  minimum_debt: whole(1).toString(),
  opening_ratio: '11500000',
  collateral: whole(collateral).toString(),
  debt: whole(debt).toString(),
  vaults: String(vaults),
})

function vault(owner: string, ledger: number, index: number, collateral: number, cost: string): StateRow[] {
  const fact = { realized_usd: '0', opened_ledger: String(ledger), confidence: 'exact' }
  return [
    state(
      VAULTS,
      `@${owner}:vault:USD`,
      ledger,
      {
        index: String(index),
        next_account: null,
        next_index: null,
        collateral: whole(collateral).toString(),
        debt: whole(100).toString(),
      },
      owner,
    ),
    state(VAULTS, `@${owner}:collateral_cost:USD`, ledger, { units: whole(collateral).toString(), cost_usd: cost, ...fact }, owner),
    state(VAULTS, `@${owner}:debt_cost:USD`, ledger, { units: whole(100).toString(), cost_usd: '100', ...fact }, owner),
  ]
}

const snapshot = (ledger: number, supplied: string, borrowed: string, net: string) => ({
  ...positionSnapshot(ledger, supplied, ALICE, 'fxdao:USD'),
  protocol: 'fxdao' as const,
  borrowedUsd: borrowed,
  netUsd: net,
})

const pool = (name: string, ledger: number, tvlUsd: string) => ({
  protocol: 'fxdao' as const,
  pool: name,
  ledger,
  closeTimeSeconds: GENESIS_SECONDS + (ledger - FIRST) * 600,
  heartbeat: false,
  tvlUsd,
  unpricedAssets: 0,
  shareSupply: 0n,
  native: {},
})

export const FXDAO_WORLD: Rows = rows({
  state: [
    ...oracleState('fxdao'),
    ...FEED,
    stateRow(
      'fxdao',
      VAULTS,
      'pricing_coins',
      FIRST,
      { oracle: RATES, coins: [{ token: USDX, denomination: 'USD', has_collateral: true, emptied_ledger: 0 }] },
      { scope: SHARED_SCOPE },
    ),
    state(VAULTS, 'core', FIRST, CORE),
    state(VAULTS, 'currency:USD', FIRST, { active: true, coin: USDX }),
    state(VAULTS, 'totals:USD', 105, totals(500, 100, 1)),
    state(VAULTS, 'totals:USD', 110, totals(1_500, 200, 2)),
    ...vault(BOB, 105, 1, 500, '125'),
    ...vault(ALICE, 110, 2, 1_000, '240'),
    state(LOCKING, 'rewards_asset', FIRST, { address: USDX }),
    state(LOCKING, `pool:${USDX}`, 120, {
      active: true,
      balance: whole(40).toString(),
      deposits: '1',
      factor: '700000',
      lock_seconds: '604800',
      minimum_deposit: '1',
    }),
    // 40 USDx times (0.07 - 0.02) are 2 USDx.
    state(
      LOCKING,
      `@${ALICE}:deposit:${USDX}`,
      120,
      { amount: whole(40).toString(), snapshot: '200000', unlocks_at: String(Date.parse(timestamp(200)) / 1000) },
      ALICE,
    ),
  ],
  positionSnapshots: [snapshot(110, '250', '100', '150'), snapshot(130, '260', '100', '160')],
  poolSnapshots: [pool('fxdao:USD', 110, '375'), pool(LOCKING, 120, '40')],
})
