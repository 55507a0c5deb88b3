// The ledgers of a window of time: sort keys find rows by their ledger.

import type { IndexedSpan } from '../params/bucket-window.ts'
import type { RouteContext } from '../route.ts'

/** The indexed ledgers that closed from one second to another, both inclusive; `to_ledger` is before `from_ledger` where there are none. */
export async function ledgersBetween(
  { from, to }: { readonly from: number; readonly to: number },
  { first, last }: IndexedSpan,
  { readModel, call }: RouteContext,
): Promise<{ readonly from_ledger: number; readonly to_ledger: number }> {
  const [before, end] = await Promise.all([
    from <= first.closeTimeSeconds ? null : readModel.ledgerAtOrBefore(from - 1, call),
    to >= last.closeTimeSeconds ? last : readModel.ledgerAtOrBefore(to, call),
  ])
  return { from_ledger: before === null ? first.ledger : before.ledger + 1, to_ledger: end?.ledger ?? 0 }
}
