// Crossings of a health factor. A position that has fallen below the threshold counts as below until it has recovered, so that one that moves around
// the threshold does not alert at each move.

import { Decimal } from '@orrery/pricing'
import type { PositionChange } from '@orrery/read-model/queries'

/** A position has recovered at this multiple of the threshold. */
const RECOVERED_AT = '1.02'

/** The health factor at and above which a position has recovered. */
export function recoveredAt(threshold: string): string {
  return new Decimal(threshold).times(RECOVERED_AT).toFixed()
}

/** Text that identifies a position, in the order of the statement. */
export function positionKey({ protocol, pool, address }: Pick<PositionChange, 'protocol' | 'pool' | 'address'>): string {
  return `${protocol}/${pool}/${address}`
}

export interface HealthWatch {
  /** `below` or `recovered` when the row crosses the threshold, else null. Rows must come in the order of ledgers. */
  crossing(row: PositionChange): 'below' | 'recovered' | null
}

/** @param below Keys of the positions that are below the threshold when the watch begins. */
export function healthWatch(threshold: string, below: Iterable<string>): HealthWatch {
  const low = new Decimal(threshold)
  const high = new Decimal(recoveredAt(threshold))
  const isBelow = new Set(below)
  return {
    crossing(row) {
      const key = positionKey(row)
      const was = isBelow.has(key)
      const health = row.health_factor === null ? null : new Decimal(row.health_factor)
      if (!was && health !== null && health.lt(low)) {
        isBelow.add(key)
        return 'below'
      }
      // Unknown says nothing, unless there is no debt.
      const hasRecovered = health === null ? isZero(row.borrowed_usd) : health.gte(high)
      if (was && hasRecovered) {
        isBelow.delete(key)
        return 'recovered'
      }
      return null
    },
  }
}

function isZero(usd: string | null): boolean {
  return usd !== null && new Decimal(usd).isZero()
}
