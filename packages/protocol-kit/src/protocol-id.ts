// A protocol's id, and the number that stands for it inside sort keys and log records.
// No list is kept here: each protocol declares both with itself, and `@orrery/protocols` lists those that a build has.

import { assert } from '@orrery/errors'

/** Lower case, e.g. `soroswap`: part of topics, paths and rows. */
export type ProtocolId = string

const numbers = new Map<ProtocolId, number>()
const ids = new Map<number, ProtocolId>()

/**
 * Declares the number of a protocol, once for a process: where the protocol's value is made. Stored keys and log records contain the number, so it
 * is never changed and never reused. Two protocols with one id or one number cannot be loaded together.
 */
export function declareProtocolNumber(protocol: ProtocolId, number: number): void {
  assert(Number.isInteger(number) && number >= 1 && number <= 255, 'The number of a protocol is 1 to 255.', { protocol, number })
  assert((numbers.get(protocol) ?? number) === number, 'A protocol has one number.', { protocol, number })
  assert((ids.get(number) ?? protocol) === protocol, 'A number stands for one protocol.', {
    protocol,
    number,
    taken: ids.get(number) ?? '',
  })
  numbers.set(protocol, number)
  ids.set(number, protocol)
}

/** The number of a protocol in the high bits of `row` and in the event log. Of a protocol that this process has not loaded there is none. */
export function protocolNumber(protocol: ProtocolId): number {
  const number = numbers.get(protocol)
  assert(number !== undefined, 'The protocol is one that this process has loaded.', { protocol })
  return number
}

/** The protocol that a number stands for; undefined when this process has not loaded it. */
export function protocolOfNumber(number: number): ProtocolId | undefined {
  return ids.get(number)
}
