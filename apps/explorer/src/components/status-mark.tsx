// A status as a word with a colour, which alone would be unreadable for some.

import type { PoolPositionSum } from '@orrery/client'
import { labelOf } from '../format/address.ts'
import { NO_VALUE, numbers } from '../format/number.ts'

const GOOD = new Set(['healthy', 'active', 'ok', 'equal', 'supported'])
const BAD = new Set(['failing', 'missing', 'stalled', 'unavailable', 'different', 'frozen'])

export function StatusMark({ status }: { readonly status: string }) {
  const tone = GOOD.has(status) ? 'good' : BAD.has(status) ? 'bad' : 'warn'
  return <span class={`mark ${tone}`}>{labelOf(status)}</span>
}

interface HealthFactorProps {
  readonly value: string | null
  /** What stands where there is no health factor. */
  readonly none?: string
}

/** A health factor. Below 1 the position can be liquidated; from 1.2 on it has no mark, because no figure promises safety. */
export function HealthFactor({ value, none = 'no debt' }: HealthFactorProps) {
  if (value === null) return <span class="dim">{none}</span>
  const factor = Number(value)
  const mark = factor < 1 ? <span class="mark bad">Liquidation possible</span> : factor < 1.2 ? <span class="mark warn">Low</span> : null
  return (
    <span title={value}>
      {numbers.ratio(value)} {mark}
    </span>
  )
}

interface PositionHealthProps {
  readonly position: Pick<PoolPositionSum, 'health_factor' | 'borrowed_usd'>
  /** An asset of the position has no price. */
  readonly isUnpriced?: boolean
}

/** The health factor of a position in a pool. A debt without any collateral is bad debt: it is auctioned, and there is nothing to liquidate. */
export function PositionHealth({ position, isUnpriced = false }: PositionHealthProps) {
  const { health_factor: factor, borrowed_usd } = position
  const hasDebt = Number(borrowed_usd) > 0
  if (factor !== null && hasDebt && Number(factor) === 0) {
    return (
      <span title={factor}>
        {numbers.ratio(factor)} <span class="mark bad">Bad debt</span>
      </span>
    )
  }
  return <HealthFactor value={factor} none={hasDebt || isUnpriced ? NO_VALUE : 'no debt'} />
}
