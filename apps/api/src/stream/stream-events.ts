// The events of a portion for one stream, in order, after the place that it has reached.

import type { ActivityRecord, PositionChange } from '@orrery/read-model/queries'
import type { HealthWatch } from './health-watch.ts'
import { activityEvent, activityPlace, healthEvent, ledgerEvent, positionEvent, positionPlace, type StreamEvent } from './stream-event.ts'
import { isAboutPosition, type StreamFilter, wantsActivity } from './stream-filter.ts'
import { comparePlaces, type StreamPlace } from './stream-place.ts'
import type { StreamPortion } from './stream-reader.ts'

/** Texts of the rows of a portion, made once for all streams that want them. */
export interface PortionEvents {
  readonly portion: StreamPortion
  readonly activity: (row: ActivityRecord) => StreamEvent
  readonly position: (row: PositionChange) => StreamEvent
  readonly ledger: StreamEvent
}

export function portionEvents(portion: StreamPortion): PortionEvents {
  return {
    portion,
    activity: kept(activityEvent),
    position: kept(positionEvent),
    ledger: ledgerEvent(portion.through, portion.partial),
  }
}

function kept<Row extends object>(make: (row: Row) => StreamEvent): (row: Row) => StreamEvent {
  const made = new WeakMap<Row, StreamEvent>()
  return (row) => {
    const event = made.get(row) ?? make(row)
    made.set(row, event)
    return event
  }
}

/** @param watch Sees every row that the stream is about, also those of events that its client has already. */
export function eventsFor(
  filter: StreamFilter,
  after: StreamPlace,
  { portion, activity, position, ledger }: PortionEvents,
  watch: HealthWatch | null,
): StreamEvent[] {
  const events: StreamEvent[] = []
  const isNew = (place: StreamPlace): boolean => comparePlaces(place, after) > 0
  for (const row of portion.activities) if (wantsActivity(filter, row) && isNew(activityPlace(row))) events.push(activity(row))
  for (const row of portion.positions) {
    if (!isAboutPosition(filter, row)) continue
    if (!row.heartbeat && filter.parts.has('position') && isNew(positionPlace(row, 'position'))) events.push(position(row))
    const crossed = watch?.crossing(row) ?? null
    if (crossed === null || filter.threshold === null || !isNew(positionPlace(row, 'health_factor'))) continue
    events.push(healthEvent(row, crossed, filter.threshold))
  }
  // Each list is in order, and a ledger has events of all of them.
  events.sort((a, b) => comparePlaces(a.place, b.place))
  if (filter.parts.has('ledger') && isNew(ledger.place)) events.push(ledger)
  return events
}
