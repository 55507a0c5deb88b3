// The ledgers of a window of time: sort keys find rows by their ledger. The list of ledgers has every indexed one, so that the ledger after the last one before an
// instant is the first one at or after it. What it says of a second before the last ledger is kept.

import type { IndexedSpan } from '../params/bucket-window.ts'
import type { RouteContext } from '../route.ts'

type Context = Pick<RouteContext, 'readModel' | 'call'>

/** The first ledger that closed at or after a second; null: all indexed ledgers did. Of ledgers that close at the same second it is the first. */
export async function firstLedgerFrom(seconds: number, { first, last }: IndexedSpan, { readModel, call }: Context): Promise<number | null> {
  if (seconds <= first.closeTimeSeconds) return null
  if (seconds > last.closeTimeSeconds) return last.ledger + 1
  const before = await readModel.ledgerAtOrBefore(seconds - 1, call)
  return before === null ? null : before.ledger + 1
}

/** The last ledger that closed at or before a second; 0: none did. Of ledgers that close at the same second it is the last. */
export async function lastLedgerUpTo(seconds: number, { first, last }: IndexedSpan, { readModel, call }: Context): Promise<number> {
  if (seconds >= last.closeTimeSeconds) return last.ledger
  if (seconds < first.closeTimeSeconds) return 0
  return (await readModel.ledgerAtOrBefore(seconds, call))?.ledger ?? 0
}

/** The ledgers that closed from one second to another, both inclusive; `to_ledger` is before `from_ledger` where there are none. */
export async function ledgersBetween(
  { from, to }: { readonly from: number; readonly to: number },
  indexed: IndexedSpan,
  context: Context,
): Promise<{ readonly from_ledger: number; readonly to_ledger: number }> {
  const [first, last] = await Promise.all([firstLedgerFrom(from, indexed, context), lastLedgerUpTo(to, indexed, context)])
  return { from_ledger: first ?? indexed.first.ledger, to_ledger: last }
}
