// What @orrery/notify reads events with: the same as the streams.

export { webhookEventsOf } from '../management/webhooks/webhook-item.ts'
export { type HealthWatch, healthWatch } from './health-watch.ts'
export { type LiveListener, type LiveStream, openLiveStream } from './live-stream.ts'
export type { StreamEvent } from './stream-event.ts'
export { eventsFor, type PortionEvents, portionEvents } from './stream-events.ts'
export type { StreamFilter } from './stream-filter.ts'
export { endOfLedger, placeText } from './stream-place.ts'
export { openStreamReader, type StreamReader } from './stream-reader.ts'
