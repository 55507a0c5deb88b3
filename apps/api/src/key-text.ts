// Text of values that identify an answer: equal for equal values, and different for different ones.

import { assert } from '@orrery/errors'

/** JSON, with integers of any size. `Map` and `Set` are refused, because all of them have the same JSON. */
export function keyText(parts: readonly unknown[]): string {
  return JSON.stringify(parts, (name, value: unknown) => {
    assert(!(value instanceof Map || value instanceof Set), 'A parameter of a request must be JSON data.', { name })
    return typeof value === 'bigint' ? `${value}n` : value
  })
}
