// Memory in which kept answers are put together. Copies of tens of kilobytes, thousands in a second, would be collected with the whole heap, several times
// a second: memory outside of it counts there.

import type { ServerResponse } from 'node:http'

const SIZE = 128 * 1024
/** Smaller copies cost little. */
const SMALL = 8 * 1024
const MOST_FREE = 32

const free: Buffer[] = []

/** The parts one after the other, for the body of `response` alone: when that is closed, the memory is used for another one. */
export function joinedFor(response: ServerResponse, parts: readonly Buffer[]): Buffer {
  const length = parts.reduce((sum, part) => sum + part.length, 0)
  if (length < SMALL || length > SIZE) return Buffer.concat(parts, length)
  const memory = free.pop() ?? Buffer.allocUnsafeSlow(SIZE)
  // Emitted once, after everything was given to the system or the client has left.
  response.once('close', () => {
    if (free.length < MOST_FREE) free.push(memory)
  })
  let at = 0
  for (const part of parts) at += part.copy(memory, at)
  return memory.subarray(0, length)
}
