// What the derivation of an operation's actions collects, and what it shares while it goes on.

import { type Action, type EventPlace, type Ignore, ignoreEvent, type Leg, type Unused } from '@orrery/fold-kit'
import type { Address, ContractId } from '@orrery/ledger'
import type { Movement } from '../math/cost.ts'
import type { Claims } from './claims.ts'
import type { FilledAuctions } from './filled-auctions.ts'
import type { Moment } from './ledger-end.ts'
import type { Operation, Seen } from './operation.ts'

export interface Derived {
  readonly actions: readonly Action[]
  readonly movements: readonly Movement[]
  readonly unused: readonly Unused[]
}

/** Why an event makes no action. Every other event of every contract and version makes one. */
export const IGNORED = {
  approve: 'an allowance of LP tokens moves nothing',
  part_of_fill: 'LP tokens drawn or donated for an auction are legs of its fill',
  part_of_claim: 'a claim of the backstop buys LP tokens with its BLND; the claim has the amount',
  part_of_backstop: "a transfer of LP tokens into a backstop or out of it belongs to the backstop's event",
  part_of_exit: 'a burn of LP tokens belongs to the event of what is paid out for them',
  part_of_join: 'the Comet pool emits an event for every token of a join or an exit; they are legs of one action',
} as const

/** What the derivation of one operation knows, and what it collects beside actions. */
export interface Derivation {
  readonly operation: Operation
  readonly moment: Moment
  readonly claims: Claims
  /** What each fill took over and gave. */
  readonly auctions: FilledAuctions
  readonly movements: Movement[]
  readonly unused: Unused[]
}

/** For a reason on the list. */
export const ignore: Ignore<keyof typeof IGNORED> = ignoreEvent

/** Shares of the backstop have the decimals of its LP tokens: the first deposit is 1:1, and Comet has 7. */
export const BACKSTOP_SHARE = { shareType: 'backstop_share', shareDecimals: 7 } as const
export const LP_SHARE = { shareType: 'lp_share', shareDecimals: 7 } as const

/** A leg of the event's own contract. By default nothing moves, and it counts for its address. */
export function leg({ owned, contract }: EventPlace, of: Partial<Leg> & { readonly address: Address }): Leg {
  return {
    owned,
    contract,
    counterparty: '',
    asset: '',
    amount: 0n,
    shares: 0n,
    shareType: '',
    shareDecimals: 0,
    direction: '',
    volume: false,
    counts: true,
    ...of,
  }
}

/** The action of an event. `metadata` goes beside the event's own name and the version of its contract. */
export function actionOf(
  seen: Seen,
  type: Action['type'],
  legs: readonly Leg[],
  metadata: Action['metadata'] = {},
  confidence: Action['confidence'] = 1,
): Action {
  return {
    type,
    eventIndex: seen.index,
    legs: countOnce(legs),
    confidence,
    metadata: { event: seen.name, version: seen.deployment.version, ...metadata },
  }
}

/** An action counts once for each address: on the first of its legs. */
function countOnce(legs: readonly Leg[]): Leg[] {
  const counted = new Set<Address>()
  return legs.map((it) => {
    const counts = it.counts && !counted.has(it.address)
    if (counts) counted.add(it.address)
    return { ...it, counts }
  })
}

/** Amounts by asset as metadata: decimal strings, in the order of the chain. */
export function amountTexts(amounts: ReadonlyMap<ContractId, bigint>): Readonly<Record<string, string>> {
  return Object.fromEntries([...amounts].map(([asset, amount]) => [asset, amount.toString()]))
}
