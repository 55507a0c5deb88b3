// `GET /v1/stream` as a value: its parameters and its texts. It is no `Route`, because its answer has no envelope and no end.

import type { Protocol } from '@orrery/protocol-kit'
import type { z } from 'zod'
import { Activity } from '../present/activity.ts'
import type { Rule } from '../route.ts'
import { StreamEnd, StreamHealthFactor, StreamLedger, StreamPosition } from './stream-event.ts'
import { STREAM_RULES, type StreamQuery, streamQuery } from './stream-query.ts'

export interface StreamRoute {
  readonly operationId: string
  readonly path: string
  readonly summary: string
  readonly description: string
  readonly tagName: string
  readonly stability: 'experimental'
  readonly query: ReturnType<typeof streamQuery>
  readonly rules: readonly Rule<StreamQuery>[]
  /** The schema of `data` by the name of the event. */
  readonly events: Readonly<Record<string, z.ZodType>>
}

export const EVENT_STREAM = 'text/event-stream'
export const LAST_EVENT_ID = 'last-event-id'

export const streamRoute = (protocols: readonly Protocol<unknown>[]): StreamRoute => ({
  operationId: 'streamEvents',
  path: '/v1/stream',
  summary: 'Stream of what happens',
  description: `Activities, changes of positions and crossings of a health factor as server-sent events, as soon as they are indexed. Read it with \`fetch\`, or with \`stream()\` of the client: \`EventSource\` of browsers cannot send a key.

The stream begins with \`from_ledger\`, goes on from the event in the header \`Last-Event-ID\`, or begins with the next ledger. What the index already has comes first; then new ledgers follow without a gap. Within a ledger the order is: activities, positions, health factors, and \`ledger\`, which says that everything up to it has been sent. The id of an event is a place in the stream for every filter, so a client may go on with another filter.

An event is sent at least once: a client that loses the connection and sends the id of the last event that it has *processed* misses nothing. Ids are stable; an id that comes twice is the same event. A line that begins with \`:\` keeps the connection open. The server ends a stream with the event \`end\` and a reason: when its key becomes invalid, when the client reads too slowly, when the server stops, and when it fails or cannot confirm the key.

Health factors of Blend are checked when prices or the pool change, those of FxDAO when a vault changes and once an hour, or once a day while collateral and debt of the vault together are below 1 USD. An organization may have a number of streams at the same time, by its plan; beyond it a request gets 429. A stream costs 1 unit, and 10 if it begins more than 17,280 ledgers (about a day) ago.`,
  tagName: 'Streams',
  stability: 'experimental',
  query: streamQuery(protocols.map(({ id }) => id)),
  rules: STREAM_RULES,
  events: {
    activity: Activity,
    position: StreamPosition,
    health_factor: StreamHealthFactor,
    ledger: StreamLedger,
    end: StreamEnd,
  },
})
