// Ids of requests: UUIDs of version 7, which sort by the millisecond.

import { randomFillSync } from 'node:crypto'
import { v7 } from 'uuid'

const ID_BYTES = 16
/** Random bytes for 256 ids: asking the system for each id takes as long as much of a kept answer. */
const pool = new Uint8Array(256 * ID_BYTES)
let used = pool.length

export function newRequestId(): string {
  if (used === pool.length) {
    randomFillSync(pool)
    used = 0
  }
  used += ID_BYTES
  return v7({ random: pool.subarray(used - ID_BYTES, used) })
}
