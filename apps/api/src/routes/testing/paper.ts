// Names, times and the network of the world on paper.
//
// Ledgers 100 to 220 close every ten minutes from 1 September 2026, noon UTC: 106 at 13:00, 172 at midnight, 220 at 08:00 of the next day.
// An oracle says all along: 1 USDC = 1 USD, 1 XLM = 0.25 USD. Nobody says what NEW is worth, nor how many decimals it has.
//
// | pair     | holds                   | shares | Alice                           | Bob |
// |----------|-------------------------|--------|---------------------------------|-----|
// | USDC/XLM | 2,000 USDC, 10,000 XLM  | 4,000  | 500 from ledger 101, then 1,000 from ledger 130 | |
// | USDC/NEW | 100 USDC, 777 raw NEW   | 10     |                                 | 5 from ledger 110 |

import { encodeStrkey } from '@orrery/ledger'
import type { Network } from '@orrery/protocol-kit'
import { TESTED_PROTOCOLS } from '../../testing/tested-protocols.ts'

const account = (n: number): string => encodeStrkey('G', new Uint8Array(32).fill(n))
const contract = (n: number): string => encodeStrkey('C', new Uint8Array(32).fill(n))

export const ALICE = account(1)
export const BOB = account(2)
/** Did more than fits on a page. */
export const CAROL = account(3)
/** Do nothing but what one test gives them. */
export const DAVE = account(4)
export const ERIN = account(5)
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
/** FxDAO: vaults, a locking pool, its own feed, and the coin of USD. */
export const VAULTS = contract(41)
export const LOCKING = contract(42)
export const RATES = contract(43)
export const USDX = contract(44)
/** Blend v2: two pools, their backstop, and the Comet pool of BLND and USDC. */
export const POOL_FACTORY = contract(51)
export const BACKSTOP = contract(52)
export const EMITTER = contract(53)
export const COMET = contract(54)
export const BLND = contract(55)
export const POOL = contract(56)
export const POOL_2 = contract(57)
/** Aquarius: a router, a pool with its share token, and a pool of a kind that nobody knows. */
export const AQUA_ROUTER = contract(61)
export const AQUA_POOL = contract(62)
export const SHARE = contract(63)
export const ODD_POOL = contract(64)
export const ODD_SHARE = contract(65)
/** A contract that is no pair. */
export const STRANGER = contract(99)

export const FIRST = 100
export const LAST = 220
export const GENESIS_SECONDS = 1_788_264_000

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
  protocols: TESTED_PROTOCOLS,
  deployments: {
    soroswap: [{ factory: FACTORY, routers: [ROUTER], fromLedger: FIRST }],
    blend: [
      {
        version: 'v2',
        factory: POOL_FACTORY,
        backstop: BACKSTOP,
        emitter: EMITTER,
        backstopToken: COMET,
        blnd: BLND,
        usdc: USDC,
        fromLedger: FIRST,
      },
    ],
    aquarius: [{ router: AQUA_ROUTER, rewardToken: XLM, boostToken: null, boostFeed: null, fromLedger: FIRST }],
    fxdao: [{ vaults: VAULTS, lockingPools: [LOCKING], fromLedger: FIRST }],
  },
  oracles: [
    { contract: ORACLE, kind: 'reflector', base: { kind: 'symbol', symbol: 'USD' }, decimals: 14 },
    { contract: RATES, kind: 'fxdao_currencies', base: { kind: 'asset', asset: XLM }, decimals: 7 },
  ],
  pricePools: [],
  usdPegs: [],
  assets: {
    [USDC]: { code: 'USDC', issuer: null, decimals: 7, tags: ['classic', 'stablecoin'] },
    [BLND]: { code: 'BLND', issuer: null, decimals: 7, tags: ['classic', 'reward'] },
    [XLM]: { code: 'XLM', issuer: null, decimals: 7, tags: ['native'] },
  },
  knownPools: [],
}

/** Hash of the n-th transaction of the world. */
export const hashOf = (n: number): string => n.toString(16).padStart(64, '0')

export const whole = (units: number): bigint => BigInt(units) * 10_000_000n
