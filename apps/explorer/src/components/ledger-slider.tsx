// The ledger of a page: a slider over all ledgers of the index, a field for an exact one, and the way back to the newest.

import { useEffect, useRef, useState } from 'preact/hooks'
import { numbers } from '../format/number.ts'
import { Skeleton } from './block.tsx'
import { LedgerLink } from './links.tsx'
import { Moment } from './moment.tsx'

interface LedgerSliderProps {
  /** First and last ledger of the index; null until they are known. */
  readonly bounds: { readonly first: number; readonly last: number; readonly lastClosedAt: string | null } | null
  /** Null: the newest one, whichever that is. */
  readonly ledger: number | null
  /** Close time of `ledger`; undefined while it is unknown. */
  readonly closedAt: string | null | undefined
  readonly onChange: (ledger: number | null) => void
}

/** How long the slider rests before the page asks for its ledger. */
const REST_MS = 350

export function LedgerSlider({ bounds, ledger, closedAt, onChange }: LedgerSliderProps) {
  return (
    <section class={ledger === null ? 'block as-of' : 'block as-of past'} aria-label="Ledger of this page">
      {bounds === null ? <Skeleton lines={4} /> : <Controls bounds={bounds} ledger={ledger} closedAt={closedAt} onChange={onChange} />}
    </section>
  )
}

function Controls({
  bounds,
  ledger,
  closedAt,
  onChange,
}: LedgerSliderProps & { readonly bounds: NonNullable<LedgerSliderProps['bounds']> }) {
  const { first, last, lastClosedAt } = bounds
  const [moved, setMoved] = useState<number | null>(null)
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  const choose = (value: number, afterMs: number): void => {
    setMoved(value)
    clearTimeout(timer.current)
    timer.current = setTimeout(() => {
      setMoved(null)
      onChange(value >= last ? null : value)
    }, afterMs)
  }
  const slider = useRef<HTMLInputElement>(null)
  const backToNewest = (): void => {
    // The button disappears: the keyboard goes on at the slider.
    slider.current?.focus()
    onChange(null)
  }
  const shown = moved ?? ledger ?? last
  const isPast = ledger !== null
  return (
    <>
      <div class="block-head">
        <h2>
          As of ledger {numbers.whole(shown)} {isPast && <span class="mark warn">Past ledger</span>}
        </h2>
        {isPast && (
          <button type="button" class="plain" onClick={backToNewest}>
            Back to the newest ledger
          </button>
        )}
      </div>
      <input
        ref={slider}
        type="range"
        aria-label="Ledger"
        aria-valuetext={`ledger ${numbers.whole(shown)}`}
        min={first}
        max={last}
        value={Math.min(last, Math.max(first, shown))}
        onInput={(event) => choose(event.currentTarget.valueAsNumber, REST_MS)}
      />
      <p class="slider-ends" aria-hidden="true">
        <span>{numbers.whole(first)}</span>
        <span>{numbers.whole(last)}</span>
      </p>
      <div class="controls">
        <label>
          Ledger
          <input
            type="number"
            min={first}
            max={last}
            value={shown}
            onChange={(event) => {
              const typed = event.currentTarget.valueAsNumber
              if (Number.isInteger(typed)) choose(Math.min(last, Math.max(first, typed)), 0)
            }}
          />
        </label>
        <p role="status" class="dim">
          {isPast ? (
            <>
              <LedgerLink ledger={ledger} /> closed {closedAt === undefined ? '…' : <Moment at={closedAt} />}. Everything below is as of its
              end.
            </>
          ) : (
            <>
              The newest ledger, closed <Moment at={lastClosedAt} />. Move the slider to see the account as it was.
            </>
          )}
        </p>
      </div>
    </>
  )
}
