// The context and the results of deriving an operation's actions.

import { type Action, type EventPlace, type Ignore, ignoreEvent, type Leg, type MovementKind, type Unused } from '@orrery/fold-kit'
import type { Address, ContractId } from '@orrery/ledger'
import { type Amounts, SHARE_DECIMALS } from '../math/constant-product.ts'
import type { Claims } from './claims.ts'
import type { Directory } from './directory.ts'
import type { Operation } from './operation.ts'

/** How an event moved a holder's shares, for cost accounting. Owned pairs only. */
export interface Movement {
  readonly pair: ContractId
  readonly holder: Address
  readonly kind: MovementKind
  readonly shares: bigint
  /** Tokens paid in or out, in the pair's order. Null where only shares moved. */
  readonly amounts: Amounts | null
}

export interface Derived {
  readonly actions: readonly Action[]
  readonly movements: readonly Movement[]
  readonly unused: readonly Unused[]
}

/** Reasons why known events make no action, by topic. */
export const IGNORED = {
  sync: 'the reserves are in the entries; it comes with every swap, deposit and withdraw',
  approve: 'an allowance moves nothing',
  init: 'set-up of a contract',
  new_pair: 'registers a pair; the first deposit is the action',
  skim_of_nothing: 'nothing was above the reserves',
  locked_minimum: 'the 1000 shares of the first deposit that belong to no account',
} as const

/** The inputs of deriving one operation, and its results beside actions. */
export interface Derivation {
  readonly operation: Operation
  readonly directory: Directory
  readonly claims: Claims
  readonly movements: Movement[]
  readonly unused: Unused[]
}

/** For a reason on the list. */
export const ignore: Ignore<keyof typeof IGNORED> = ignoreEvent

/** How shares of a pair are counted. */
export const LP_SHARE = { shareType: 'lp_share', shareDecimals: SHARE_DECIMALS } as const

/** A leg for each token that moved, in the pair's order. */
export function tokenLegs(
  seen: EventPlace,
  amounts: Amounts,
  direction: Leg['direction'],
  { directory }: Derivation,
  of: Pick<Leg, 'address' | 'counterparty' | 'volume' | 'pathStep'>,
): Leg[] {
  const tokens = directory.tokensOf(seen.contract)
  return amounts.flatMap((amount, n) =>
    amount > 0n
      ? [
          {
            ...of,
            ...LP_SHARE,
            owned: seen.owned,
            contract: seen.contract,
            asset: tokens?.[n] ?? '',
            amount,
            shares: 0n,
            direction,
            counts: false,
          },
        ]
      : [],
  )
}
