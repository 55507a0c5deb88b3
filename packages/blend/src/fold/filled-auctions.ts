// What each fill of an operation took over and gave. The events of v2 have it; for v1 it is derived from the auction as it was stored before,
// fill by fill, since one submit may fill an auction in parts, and an auction may be made and filled again in one operation.

import type { Auction } from '../chain/values.ts'
import { scaleAuction } from '../math/auction-scale.ts'
import { auctionName, type Operation, type SeenOf } from './operation.ts'

type Fill = SeenOf<'pool', 'fill_auction'>

export class FilledAuctions {
  readonly #filled = new Map<Fill, Auction>()
  readonly #stored: Map<string, Auction>

  constructor(operation: Operation, ledger: number) {
    this.#stored = new Map(operation.auctionsBefore)
    for (const seen of operation.events) {
      if (seen.role !== 'pool') continue
      switch (seen.name) {
        case 'new_auction':
        case 'new_liquidation_auction':
          this.#stored.set(auctionName(seen.contract, seen.user ?? seen.deployment.backstop, seen.auctionType), seen.auction)
          break
        case 'delete_auction':
        case 'delete_liquidation_auction':
          this.#stored.delete(auctionName(seen.contract, seen.user, seen.auctionType))
          break
        case 'fill_auction':
          this.#fill(seen, ledger)
      }
    }
  }

  /** Null when v1 filled an auction that was created before the index began. */
  of(event: Fill): Auction | null {
    return event.filled ?? this.#filled.get(event) ?? null
  }

  #fill(event: Fill, ledger: number): void {
    const name = auctionName(event.contract, event.user, event.auctionType)
    const stored = this.#stored.get(name)
    if (stored === undefined) return
    const { filled, remaining } = scaleAuction(stored, event.percent, ledger)
    this.#filled.set(event, filled)
    if (remaining === null) this.#stored.delete(name)
    else this.#stored.set(name, remaining)
  }
}
