// What the derivation of an operation's actions collects, and what it shares while it goes on.

import { type Action, type Ignore, ignoreEvent, type Leg, type MovementKind, type Unused } from '@orrery/fold-kit'
import type { Address, ContractId } from '@orrery/ledger'
import { SHARE_DECIMALS } from '../view/asset.ts'
import type { Claims } from './claims.ts'
import type { Directory } from './directory.ts'
import type { Operation } from './operation.ts'

/** How an event moved what a holder has in a pool, for cost accounting. Owned pools only. */
export interface Movement {
  readonly pool: ContractId
  readonly holder: Address
  readonly kind: MovementKind
  /** Shares, or liquidity of `range`. */
  readonly shares: bigint
  /** `rangeName` in a concentrated pool. */
  readonly range: string | null
  /** Tokens paid in or out. Null where shares moved alone. */
  readonly paid: readonly TokenPaid[] | null
}

export interface TokenPaid {
  readonly token: ContractId
  readonly amount: bigint
}

export interface Derived {
  readonly actions: readonly Action[]
  readonly movements: readonly Movement[]
  readonly unused: readonly Unused[]
}

/** Why an event makes no action, by name. */
export const IGNORED = {
  update_reserves: 'the reserves are in the entries; it comes with everything that moves them',
  reserves_sync: 'a gift or rebase was taken into the reserves; the entries have it',
  pool_state: 'the price is in the entries',
  approve: 'an allowance moves nothing',
  executable_update: 'the code is in the entries; apply_upgrade has the account that applied it',
  claim_of_nothing: 'a claim of zero pays nothing',
  trade_of_nothing: 'nothing went in and nothing came out',
  empty_move: 'no share moved',
  uncounted_shares: 'of two share tokens that a pool has had, one counts',
  repeated: 'the router repeats an event of a pool',
} as const

/** What the derivation of one operation knows, and what it collects beside actions. */
export interface Derivation {
  readonly operation: Operation
  readonly directory: Directory
  readonly claims: Claims
  readonly movements: Movement[]
  readonly unused: Unused[]
}

/** For a reason on the list. */
export const ignore: Ignore<keyof typeof IGNORED> = ignoreEvent

/** What an action is filed under: a pool, or a router. */
export interface PoolPlace {
  readonly pool: ContractId
  /** It belongs to this partition. */
  readonly owned: boolean
}

/** A leg about a pool in which nothing has moved yet. */
export function plainLeg({ pool, owned }: PoolPlace, address: Address, counterparty: Address | ''): Leg {
  return {
    owned,
    contract: pool,
    address,
    counterparty,
    asset: '',
    amount: 0n,
    shares: 0n,
    shareType: 'lp_share',
    shareDecimals: SHARE_DECIMALS,
    direction: '',
    volume: false,
    counts: false,
  }
}

/** A leg for each token that moved, in the order given. */
export function tokenLegs(plain: Leg, paid: readonly TokenPaid[], direction: 'in' | 'out', volume: boolean): Leg[] {
  return paid.flatMap(({ token, amount }) => (amount > 0n ? [{ ...plain, asset: token, amount, direction, volume }] : []))
}

/** The first leg counts and carries the shares; where no token moved, a leg without an asset does. */
export function withShares(legs: readonly Leg[], plain: Leg, shares: bigint): Leg[] {
  const rows = legs.length === 0 ? [plain] : legs
  return rows.map((leg, n) => ({ ...leg, shares: n === 0 ? shares : 0n, counts: n === 0 }))
}

export function pairUp(tokens: readonly ContractId[], amounts: readonly bigint[]): TokenPaid[] {
  return tokens.map((token, n) => ({ token, amount: amounts[n] ?? 0n }))
}
