// A status as a word with a colour, which alone would be unreadable for some.

import { labelOf } from '../format/address.ts'

const GOOD = new Set(['healthy', 'active', 'ok', 'equal', 'supported'])
const BAD = new Set(['failing', 'missing', 'stalled', 'unavailable', 'different', 'frozen'])

export function StatusMark({ status }: { readonly status: string }) {
  const tone = GOOD.has(status) ? 'good' : BAD.has(status) ? 'bad' : 'warn'
  return <span class={`mark ${tone}`}>{labelOf(status)}</span>
}

/** A health factor. Below 1 the position can be liquidated; from 1.2 on it has no mark, because no figure promises safety. */
export function HealthFactor({ value, text }: { readonly value: string | null; readonly text: string }) {
  if (value === null) return <span class="dim">no debt</span>
  const factor = Number(value)
  if (factor >= 1.2) return <span>{text}</span>
  return (
    <span>
      {text} <span class={`mark ${factor < 1 ? 'bad' : 'warn'}`}>{factor < 1 ? 'Liquidation possible' : 'Low'}</span>
    </span>
  )
}
