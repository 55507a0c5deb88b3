// Activities as they are indexed, as state of a component. A stream is open only while it is wanted and the tab is seen.

import type { Activity, StreamLedger, StreamQuery } from '@orrery/client'
import { useEffect, useRef, useState } from 'preact/hooks'
import { client } from './client.ts'

/** Older ones are in the lists of the page. */
const MOST_ACTIVITIES = 50

export interface Live {
  /** The newest first. */
  readonly activities: readonly Activity[]
  /** The last ledger of which everything has come. Null: none since the start. */
  readonly ledger: StreamLedger | null
  /** The stream is wanted, but the tab is hidden. */
  readonly isPaused: boolean
  /** The connection was lost, and is tried again. */
  readonly isReconnecting: boolean
  /** The stream was refused, and is not tried again. */
  readonly error: Error | null
}

const NOTHING = { activities: [], ledger: null } as const

/** @param run 0: no stream is wanted. Another number opens one; a change of it forgets what came. */
export function useLive(query: StreamQuery, run: number): Live {
  const isOn = run > 0
  const [seen, setSeen] = useState<Pick<Live, 'activities' | 'ledger'>>(NOTHING)
  const [isReconnecting, setReconnecting] = useState(false)
  const [error, setError] = useState<Error | null>(null)
  const isVisible = useVisible()
  /** Where the stream goes on after a pause. */
  const lastId = useRef<string | undefined>(undefined)
  const key = JSON.stringify(query)

  useEffect(() => {
    lastId.current = undefined
    setSeen(NOTHING)
    setError(null)
  }, [key, run])

  useEffect(() => {
    if (!isOn || !isVisible) return
    const stop = new AbortController()
    const read = async (): Promise<void> => {
      const options = {
        signal: stop.signal,
        onReconnect: () => setReconnecting(true),
        ...(lastId.current !== undefined && { lastEventId: lastId.current }),
      }
      for await (const { id, event, data } of client.stream({ ...query, events: ['activity', 'ledger'] }, options)) {
        if (stop.signal.aborted) return
        lastId.current = id
        setReconnecting(false)
        if (event === 'activity') setSeen((before) => ({ ...before, activities: withActivity(before.activities, data) }))
        if (event === 'ledger') setSeen((before) => ({ ...before, ledger: data }))
      }
    }
    read().catch((cause: unknown) => {
      if (!stop.signal.aborted) setError(cause instanceof Error ? cause : new Error(String(cause)))
    })
    return () => {
      stop.abort()
      setReconnecting(false)
    }
  }, [key, run, isVisible])

  return { ...seen, isPaused: isOn && !isVisible, isReconnecting, error }
}

/** After a lost connection an activity may come again. */
function withActivity(before: readonly Activity[], activity: Activity): readonly Activity[] {
  return before.some(({ id }) => id === activity.id) ? before : [activity, ...before].slice(0, MOST_ACTIVITIES)
}

function useVisible(): boolean {
  const [isVisible, setVisible] = useState(() => document.visibilityState === 'visible')
  useEffect(() => {
    const changed = (): void => setVisible(document.visibilityState === 'visible')
    document.addEventListener('visibilitychange', changed)
    return () => document.removeEventListener('visibilitychange', changed)
  }, [])
  return isVisible
}
