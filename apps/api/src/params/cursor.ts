// A cursor of the activity feed: base64url of version, key of the last row, watermark of the first page, and a MAC.
// The MAC also covers the address and every filter, so a cursor works only with the filters of the request that returned it.

import { createHmac, timingSafeEqual } from 'node:crypto'
import { decodeEventKey, type EventKey, encodeEventKey } from '@orrery/protocol-kit'
import { refuse } from '../errors.ts'

export interface Cursor {
  /** The last row of the page before: the next page starts below it. */
  readonly key: EventKey
  /** Watermark of the first page. Later pages do not read past it, so rows that arrive in the meantime cause no repeated or lost row. */
  readonly watermark: number
}

const VERSION = 1
const KEY_BYTES = 16
const MAC_BYTES = 16
/** version 1, key 16, watermark 4 (big endian), MAC 16. */
const CURSOR_BYTES = 1 + KEY_BYTES + 4 + MAC_BYTES

/** `question` is the address and all filters as one text: equal only for equal requests. */
export function writeCursor(cursor: Cursor, question: string, macKey: Uint8Array): string {
  const body = Buffer.alloc(CURSOR_BYTES - MAC_BYTES)
  body.writeUInt8(VERSION, 0)
  body.write(encodeEventKey(cursor.key), 1, 'hex')
  body.writeUInt32BE(cursor.watermark, 1 + KEY_BYTES)
  return Buffer.concat([body, macOf(body, question, macKey)]).toString('base64url')
}

/** @throws 400 `invalid_cursor` for a cursor that was altered, cut, made elsewhere, or given with another question. */
export function readCursor(text: string, question: string, macKey: Uint8Array): Cursor {
  const bytes = Buffer.from(text, 'base64url')
  const body = bytes.subarray(0, CURSOR_BYTES - MAC_BYTES)
  const good =
    bytes.length === CURSOR_BYTES &&
    // Decoding ignores invalid characters and unused bits: only the spelling that `writeCursor` makes is accepted.
    bytes.toString('base64url') === text &&
    bytes[0] === VERSION &&
    timingSafeEqual(bytes.subarray(CURSOR_BYTES - MAC_BYTES), macOf(body, question, macKey))
  if (!good) {
    throw refuse(
      'invalid_cursor',
      '`cursor` does not belong to this request. Pass `next_cursor` unmodified, with the same address and filters (`limit` may change), or omit it to start again.',
    )
  }
  return { key: decodeEventKey(body.toString('hex', 1, 1 + KEY_BYTES)), watermark: body.readUInt32BE(1 + KEY_BYTES) }
}

function macOf(body: Uint8Array, question: string, macKey: Uint8Array): Buffer {
  return createHmac('sha256', macKey).update(body).update(question).digest().subarray(0, MAC_BYTES)
}
