// Events of a stream: their data, and their text as server-sent events (https://html.spec.whatwg.org/multipage/server-sent-events.html).

import type { LedgerTime } from '@orrery/read-model'
import type { ActivityRecord, PositionChange } from '@orrery/read-model/queries'
import { z } from 'zod'
import { activityId, presentActivity } from '../present/activity.ts'
import { ProtocolMember } from '../present/protocol-member.ts'
import { Timestamp, timestampOf } from '../present/timestamp.ts'
import { positionKey } from './health-watch.ts'
import { endOfLedger, placeText, type StreamPlace } from './stream-place.ts'

const OF_PRICED_PARTS = 'Parts without a price are left out; null if no part has one.'

const ofPosition = {
  address: z.string().describe('Account that holds the position.'),
  health_factor: z
    .string()
    .nullable()
    .describe(
      'Effective collateral divided by effective debt, as the contract computes it. Null without debt, and while a part has no price.',
    ),
  ledger: z.int().describe('Ledger at whose end the values hold.'),
  pool_id: z.string().describe('Contract of the pool, for FxDAO `fxdao:<currency>`.'),
  protocol: ProtocolMember,
  timestamp: Timestamp,
}

export const StreamPosition = z
  .strictObject({
    ...ofPosition,
    borrowed_usd: z.string().nullable().describe(`USD value of the debts, not negative. ${OF_PRICED_PARTS}`),
    deposited_usd: z.string().nullable().describe(`USD value of what is deposited, the backstop included. ${OF_PRICED_PARTS}`),
    net_usd: z.string().nullable().describe('`deposited_usd` minus `borrowed_usd`. Null where one of them is.'),
    open: z.boolean().describe('False: nothing of the position is left.'),
    unpriced_assets: z.int().describe('Count of assets of the position without a price: the values leave them out.'),
  })
  .meta({ id: 'StreamPosition' })

export const StreamHealthFactor = z
  .strictObject({
    ...ofPosition,
    crossed: z
      .enum(['below', 'recovered'])
      .describe(
        '`below`: the health factor has fallen below the threshold. `recovered`: it is at least 2 % above it, or the debt is repaid.',
      ),
    threshold: z.string().describe('`health_factor_below` of the request.'),
  })
  .meta({ id: 'StreamHealthFactor' })

export const StreamLedger = z
  .strictObject({
    ledger: z.int().describe('All events up to this ledger have been sent.'),
    partial: z
      .boolean()
      .describe(
        'True: an adapter has left out pools that it cannot follow, so that their events are missing and will not be sent later. Ask for them again with `from_ledger` once it is false.',
      ),
    timestamp: Timestamp,
  })
  .meta({ id: 'StreamLedger' })

/** Why the server ends a stream. */
export const END_REASONS = ['key_invalid', 'slow_client', 'server_stopping', 'failed'] as const
export type EndReason = (typeof END_REASONS)[number]

export const StreamEnd = z
  .strictObject({
    last_event_id: z
      .string()
      .nullable()
      .describe('Id of the last event that was sent: `Last-Event-ID` of the next request. Null if none was sent.'),
    reason: z
      .enum(END_REASONS)
      .describe(
        '`key_invalid`: the API key was revoked or has expired. `slow_client`: the client reads too slowly. `server_stopping`: another instance answers. `failed`: the server failed, or could not confirm the key.',
      ),
  })
  .meta({ id: 'StreamEnd' })

export interface StreamEvent {
  readonly place: StreamPlace
  /** '' for the end of a ledger. */
  readonly account: string
  /** Of the ledger. */
  readonly timestamp: string
  /** JSON, without line breaks. */
  readonly data: string
  /** The event as it is written to a stream. */
  readonly text: string
}

export function activityPlace(row: ActivityRecord): StreamPlace {
  return { ledger: row.ledger, part: 'activity', key: activityId(row) }
}

export function positionPlace(row: PositionChange, part: 'position' | 'health_factor'): StreamPlace {
  return { ledger: row.ledger, part, key: positionKey(row) }
}

export function activityEvent(row: ActivityRecord): StreamEvent {
  return eventOf(activityPlace(row), row.address, presentActivity(row))
}

export function positionEvent(row: PositionChange): StreamEvent {
  const data: z.input<typeof StreamPosition> = {
    ...shared(row),
    borrowed_usd: row.borrowed_usd,
    deposited_usd: row.deposited_usd,
    net_usd: row.net_usd,
    open: row.open,
    unpriced_assets: row.unpriced_assets,
  }
  return eventOf(positionPlace(row, 'position'), row.address, data)
}

export function healthEvent(row: PositionChange, crossed: 'below' | 'recovered', threshold: string): StreamEvent {
  const data: z.input<typeof StreamHealthFactor> = { ...shared(row), crossed, threshold }
  return eventOf(positionPlace(row, 'health_factor'), row.address, data)
}

export function ledgerEvent({ ledger, closeTimeSeconds }: LedgerTime, partial: boolean): StreamEvent {
  const data: z.input<typeof StreamLedger> = { ledger, partial, timestamp: timestampOf(closeTimeSeconds) }
  return eventOf(endOfLedger(ledger), '', data)
}

/** Without an id: it is no place to go on from. */
export function endText(reason: EndReason, lastEventId: string | null): string {
  const data: z.input<typeof StreamEnd> = { last_event_id: lastEventId, reason }
  return `event: end\ndata: ${JSON.stringify(data)}\n\n`
}

function shared({ address, health_factor, ledger, pool, protocol, close_time_seconds }: PositionChange) {
  return { address, health_factor, ledger, pool_id: pool, protocol, timestamp: timestampOf(close_time_seconds) }
}

function eventOf(place: StreamPlace, account: string, value: { readonly timestamp: string }): StreamEvent {
  const data = JSON.stringify(value)
  const text = `id: ${placeText(place)}\nevent: ${place.part}\ndata: ${data}\n\n`
  return { place, account, timestamp: value.timestamp, data, text }
}
