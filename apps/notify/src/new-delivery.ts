// A delivery of an event: its id and the body of its request.

import { createHash } from 'node:crypto'
import { placeText, type StreamEvent } from '@orrery/api/stream'
import { assert } from '@orrery/errors'
import { type NewDelivery, WEBHOOK_EVENTS } from '@orrery/identity'

const ID_CHARACTERS = 32

/** The same for each attempt, for an event that is read again, and for every adapter version: of the webhook and of the place of the event. */
export function deliveryId(webhookId: string, eventId: string): string {
  return `msg_${createHash('sha256').update(`${webhookId}\n${eventId}`).digest('hex').slice(0, ID_CHARACTERS)}`
}

export function newDelivery(webhookId: string, { place, account, timestamp, data }: StreamEvent): NewDelivery {
  const eventId = placeText(place)
  const kind = WEBHOOK_EVENTS.find((one) => one === place.part)
  assert(kind !== undefined, 'A webhook was given an event that webhooks do not have.', { part: place.part })
  const head = JSON.stringify({ type: kind, id: eventId, timestamp, webhook_id: webhookId })
  return {
    id: deliveryId(webhookId, eventId),
    kind,
    eventId,
    account,
    ledger: place.ledger,
    // `data` is JSON already.
    payload: `${head.slice(0, -1)},"data":${data}}`,
  }
}
