// How far an auction of Blend is: in its first 200 ledgers the lot grows from none to all, in the next 200 the bid falls from all to none.

const PHASE_LEDGERS = 200

export interface AuctionProgress {
  /** Part of the lot that a filler receives now, a fraction. */
  readonly lot: number
  /** Part of the bid that a filler pays or takes over now, a fraction. */
  readonly bid: number
}

export function auctionProgress(startLedger: number, ledger: number): AuctionProgress {
  const passed = Math.max(0, ledger - startLedger)
  return {
    lot: Math.min(1, passed / PHASE_LEDGERS),
    bid: Math.max(0, Math.min(1, 2 - passed / PHASE_LEDGERS)),
  }
}
