// The place of a reader in a list that is ordered by a text, such as assets by their contracts: base64url of version, watermark of the first
// page, the last item's key, and a MAC. The MAC also covers the question, so a cursor works only for the question that it came from.

import { createHmac, timingSafeEqual } from 'node:crypto'
import { refuse } from '../errors.ts'

export interface PageCursor {
  /** Key of the last item of the page before: the next page starts after it. */
  readonly after: string
  /** Watermark of the first page: later pages are valued there. */
  readonly watermark: number
}

/** Another number than that of the feed's cursors. */
const VERSION = 2
const HEAD_BYTES = 1 + 4
const MAC_BYTES = 16

/** `question` is the path and all filters in one text: equal for equal questions only. */
export function writePageCursor({ after, watermark }: PageCursor, question: string, macKey: Uint8Array): string {
  const head = Buffer.alloc(HEAD_BYTES)
  head.writeUInt8(VERSION, 0)
  head.writeUInt32BE(watermark, 1)
  const body = Buffer.concat([head, Buffer.from(after)])
  return Buffer.concat([body, macOf(body, question, macKey)]).toString('base64url')
}

/** @throws 400 `invalid_cursor` for a cursor that was altered, cut, made elsewhere, or given with another question. */
export function readPageCursor(text: string, question: string, macKey: Uint8Array): PageCursor {
  const bytes = Buffer.from(text, 'base64url')
  const body = bytes.subarray(0, Math.max(0, bytes.length - MAC_BYTES))
  const good =
    bytes.length > HEAD_BYTES + MAC_BYTES &&
    // Decoding skips foreign characters and spare bits: only the one spelling that was written is accepted.
    bytes.toString('base64url') === text &&
    bytes[0] === VERSION &&
    timingSafeEqual(bytes.subarray(body.length), macOf(body, question, macKey))
  if (!good) {
    throw refuse(
      'invalid_cursor',
      '`cursor` does not belong to this question. Pass `next_cursor` on unmodified, with the same filters (`limit` may change), or drop it to start anew.',
    )
  }
  return { after: body.toString('utf8', HEAD_BYTES), watermark: body.readUInt32BE(1) }
}

function macOf(body: Uint8Array, question: string, macKey: Uint8Array): Buffer {
  return createHmac('sha256', macKey).update(body).update(question).digest().subarray(0, MAC_BYTES)
}
