// Aquarius on paper. 1 USDC = 1 USD, 1 XLM = 0.25 USD all along.
//
// | pool     | holds                  | shares | Alice                | rewards                                      |
// |----------|------------------------|--------|----------------------|----------------------------------------------|
// | USDC/XLM | 1,000 USDC, 4,000 XLM  | 2,000  | 200 from ledger 110  | 0.001 XLM a second from the first ledger on  |
// | odd      | 10 USDC, 5 XLM         | 7      | 1 from ledger 115    |                                              |
//
// Nobody here knows what shares of the odd pool pay. At her last checkpoint, in the first ledger, 5 XLM of rewards were owed to Alice.

import type { PoolSnapshotRow, Rows, StateRow } from '@orrery/protocol-kit'
import { ALICE, AQUA_POOL, AQUA_ROUTER, closeTime, FIRST, ODD_POOL, ODD_SHARE, SHARE, USDC, whole, XLM } from './paper.ts'
import { oracleState, positionSnapshot, rows, stateRow } from './paper-rows.ts'

const state = (at: string, key: string, ledger: number, value: unknown, owner = ''): StateRow =>
  stateRow('aquarius', at, key, ledger, value, { owner })
const text = (units: number): string => whole(units).toString()

interface PaperPool {
  /** As the router announced it. */
  readonly kind: string
  readonly layout: string
  readonly share: string
  readonly reserves: readonly [usdc: number, xlm: number]
  readonly shares: number
  readonly rate: number
}

function pool(at: string, { kind, layout, share, reserves, shares, rate }: PaperPool): StateRow[] {
  const tokens = [USDC, XLM]
  const listing = { router: AQUA_ROUTER, tokens, kind, index: at, registered: true, announced: true }
  return [
    state(AQUA_ROUTER, `pool:${at}`, FIRST, listing),
    state(at, 'pool', FIRST, {
      layout,
      code: 'b54ba37b7bb7dd69',
      release: '170',
      known_build: layout !== 'other',
      router: AQUA_ROUTER,
      tokens,
      reserves: reserves.map(text),
      protocol_fees: ['0', '0'],
      fee: '30',
      protocol_fee: '0',
      share_token: share,
      total_shares: text(shares),
      killed: [false, false, false, false],
      sync_ledger: String(FIRST),
      reward_token: XLM,
      reward_tps: String(rate),
      reward_expires_at: String(closeTime(1_000)),
      reward_accumulated: '0',
      reward_block: '0',
      reward_claimed: '0',
      reward_last_time: String(closeTime(FIRST)),
      working_supply: text(shares),
      gauges: [],
    }),
    state(at, 'registered', FIRST, listing),
    state(share, 'share', FIRST, { pool: at }),
    state(at, `balance:${USDC}`, FIRST, { amount: text(reserves[0]) }),
    // Rewards are paid from what the pool holds beyond its reserves.
    state(at, `balance:${XLM}`, FIRST, { amount: text(reserves[1] + 100) }),
  ]
}

function holding(at: string, ledger: number, shares: number, cost: string): StateRow[] {
  return [
    state(at, `@${ALICE}:shares`, ledger, { amount: text(shares) }, ALICE),
    state(at, `@${ALICE}:working_balance`, ledger, { amount: text(shares) }, ALICE),
    state(
      at,
      `@${ALICE}:cost`,
      ledger,
      { units: text(shares), cost_usd: cost, realized_usd: '0', opened_ledger: String(ledger), confidence: 'exact' },
      ALICE,
    ),
  ]
}

const poolSnapshot = (at: string, tvlUsd: string): PoolSnapshotRow => ({
  protocol: 'aquarius',
  pool: at,
  ledger: 110,
  closeTimeSeconds: closeTime(110),
  heartbeat: false,
  tvlUsd,
  unpricedAssets: 0,
  shareSupply: 0n,
  native: {},
})

const snapshot = (ledger: number, usd: string) => ({ ...positionSnapshot(ledger, usd, ALICE, AQUA_POOL), protocol: 'aquarius' as const })

export const AQUARIUS_WORLD: Rows = rows({
  state: [
    ...oracleState('aquarius'),
    state(AQUA_ROUTER, 'router', FIRST, { reward_token: XLM, token_sets: '1', protocol_fee: '0', code: 'b54ba37b7bb7dd69' }),
    ...pool(AQUA_POOL, {
      kind: 'constant',
      layout: 'constant_product',
      share: SHARE,
      reserves: [1_000, 4_000],
      shares: 2_000,
      rate: 10_000,
    }),
    // Its storage looks like another kind's: only its announcement says that it is none that we know.
    ...pool(ODD_POOL, { kind: 'weighted', layout: 'constant_product', share: ODD_SHARE, reserves: [10, 5], shares: 7, rate: 0 }),
    ...holding(AQUA_POOL, 110, 200, '180'),
    ...holding(ODD_POOL, 115, 1, '2'),
    state(AQUA_POOL, `@${ALICE}:reward`, 110, { last_block: '0', pool_accumulated: '0', to_claim: text(5), index: '0' }, ALICE),
  ],
  positionSnapshots: [snapshot(110, '200'), snapshot(130, '210')],
  poolSnapshots: [poolSnapshot(AQUA_POOL, '2000'), poolSnapshot(ODD_POOL, '11.25')],
})
