// Values of state that are more than one entry on chain: made from several, or from events.

import { flag, integer, list, named, nullable, object, optional, stored, text, tuple, type ValueOf } from '@orrery/fold-kit'

/** How a pool stands in its router's list. */
export const listingValue = object({
  router: text,
  /** As announced; empty where only the list names the pool: then its instance has them. */
  tokens: list(text),
  /** `constant`, `stable`, `concentrated`, or a kind that came later. */
  kind: text,
  /** 64 hex characters: what router calls name the pool by. Pools of the same fee share it. */
  index: text,
  /** False once the router took it off its list. */
  isRegistered: named('registered', flag),
  /** By `add_pool` within the index: every holder is known then. */
  isAnnounced: named('announced', flag),
})
export type Listing = ValueOf<typeof listingValue>

/** Whose shares a token counts. A pool that exchanged its share token has had two, of which one counts. */
export const shareTokenValue = object({
  pool: text,
  /** It is the one that the pool's supply is made of. */
  counts: optional(flag, true),
})
export type ShareToken = ValueOf<typeof shareTokenValue>

/** What a working balance was made of. */
interface WorkingTerms {
  readonly shares: bigint
  readonly supply: bigint
  readonly totalLocked: bigint
}

const workingTerms = stored(tuple(integer, integer, integer), {
  toStored: ({ shares, supply, totalLocked }: WorkingTerms) => [shares, supply, totalLocked] as const,
  fromStored: ([shares, supply, totalLocked]) => ({ shares, supply, totalLocked }),
})

/** A working balance with what it was made of, where that matters later: in pools before v1.7. */
export const workingBalanceValue = object({ amount: integer, terms: optional(nullable(workingTerms), null) })
export type WorkingBalance = ValueOf<typeof workingBalanceValue>
