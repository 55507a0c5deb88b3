// Crossings of a health factor. A position that has fallen below the threshold counts as below until it has recovered, so that one that moves around
// the threshold does not alert at each move.

import { Decimal } from '@orrery/pricing'
import type { PositionChange } from '@orrery/read-model/queries'

/** A position has recovered at this multiple of the threshold. */
const RECOVERED_AT = '1.02'
/**
 * About a week. A position without a health factor below the threshold for longer counts as below no more: what a stream knows of a position is
 * in these ledgers, so that one that goes on finds it there. A position that owes has at least one row each day.
 */
export const BELOW_FOR_LEDGERS = 120_960

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

/** @param below Positions that are below the threshold when the watch begins, by key: the last ledger in which their health factor was below it. */
export function healthWatch(threshold: string, below: ReadonlyMap<string, number>): HealthWatch {
  const low = new Decimal(threshold)
  const high = new Decimal(recoveredAt(threshold))
  const lastBelow = new Map(below)
  return {
    crossing(row) {
      const key = positionKey(row)
      const last = lastBelow.get(key)
      const was = last !== undefined && row.ledger - last <= BELOW_FOR_LEDGERS
      const health = row.health_factor === null ? null : new Decimal(row.health_factor)
      if (health?.lt(low) === true) {
        lastBelow.set(key, row.ledger)
        return was ? null : 'below'
      }
      // Unknown says nothing, unless there is no debt.
      const hasRecovered = health === null ? isZero(row.borrowed_usd) : health.gte(high)
      if (hasRecovered || !was) lastBelow.delete(key)
      return was && hasRecovered ? 'recovered' : null
    },
  }
}

function isZero(usd: string | null): boolean {
  return usd !== null && new Decimal(usd).isZero()
}
