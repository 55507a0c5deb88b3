// Activities as they are indexed. Nothing is requested until the reader starts it.

import type { StreamQuery } from '@orrery/client'
import { useState } from 'preact/hooks'
import { type Live, useLive } from '../api/use-live.ts'
import { ActivitiesTable } from './activities-table.tsx'
import { Failure } from './block.tsx'
import { LedgerLink } from './links.tsx'
import { Moment } from './moment.tsx'

interface LiveBlockProps {
  readonly query: StreamQuery
}

export function LiveBlock({ query }: LiveBlockProps) {
  /** Counts the starts; 0 while it is off. */
  const [run, setRun] = useState(0)
  const live = useLive(query, run)
  const isOn = run > 0
  return (
    <section class="block" aria-label="Live">
      <div class="block-head">
        <h2>Live</h2>
        <button type="button" class="plain" aria-pressed={isOn} onClick={() => setRun(isOn ? 0 : 1)}>
          Follow live
        </button>
      </div>
      {live.error === null ? (
        <p role="status" class="dim">
          {isOn ? (
            <State live={live} />
          ) : (
            'Shows new activity as soon as it is indexed. While on, it uses one of your organization’s live streams.'
          )}
        </p>
      ) : (
        <Failure error={live.error} retry={() => setRun(run + 1)} />
      )}
      {live.activities.length > 0 && (
        <div role="log">
          <ActivitiesTable label="Live activity" activities={live.activities} />
        </div>
      )}
    </section>
  )
}

function State({ live: { ledger, isPaused, isReconnecting } }: { readonly live: Live }) {
  if (isPaused) return <>Paused while the tab is hidden; it goes on where it was.</>
  if (isReconnecting && ledger === null) return <>The connection was lost and is tried again.</>
  if (ledger === null) return <>Following. No new ledger has come yet.</>
  return (
    <>
      Everything up to ledger <LedgerLink ledger={ledger.ledger} />, closed <Moment at={ledger.timestamp} />
      {ledger.partial && ', without pools that an adapter cannot follow'}
      {isReconnecting && '. The connection was lost and is tried again'}.
    </>
  )
}
