// When the ledgers of a recording closed.

import type { WholeNetwork } from './whole-network.ts'

const OPTIONS = { tag: { route: 'ground truth', requestId: 'close-times' } }

/** Unix seconds; 0 before the first ledger. */
async function closeTimeOf({ readModel }: WholeNetwork, ledger: number): Promise<number> {
  return (await readModel.closeTimeOf(ledger, OPTIONS)) ?? 0
}

/** Whether nothing closed before `ledger` in its hour of UTC: everything that is open has a snapshot there. */
export async function isFirstOfHour(whole: WholeNetwork, ledger: number, closeTime: number): Promise<boolean> {
  const before = await closeTimeOf(whole, ledger - 1)
  return before > 0 && Math.floor(before / 3_600) < Math.floor(closeTime / 3_600)
}

/** The UTC day of a time: `2026-09-01`. */
export function dayOf(seconds: number): string {
  return new Date(seconds * 1_000).toISOString().slice(0, 10)
}

/** The last ledger of every UTC day between two ledgers, ascending. A day in which none closed is not among them. */
export async function lastLedgersOfDays(whole: WholeNetwork, first: number, last: number): Promise<Map<string, number>> {
  const found = new Map<string, number>()
  for (let from = first; from <= last; ) {
    const day = dayOf(await closeTimeOf(whole, from))
    let [low, high] = [from, last]
    while (low < high) {
      const middle = Math.ceil((low + high) / 2)
      if (dayOf(await closeTimeOf(whole, middle)) === day) low = middle
      else high = middle - 1
    }
    found.set(day, low)
    from = low + 1
  }
  return found
}
