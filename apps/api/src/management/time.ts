// Times of the identity store as `/v1` writes them.

import { timestampOf } from '../present/timestamp.ts'

/** `unixMilliseconds`, rounded down to its second. */
export function timeOf(unixMilliseconds: number): string {
  return timestampOf(Math.floor(unixMilliseconds / 1000))
}

export function timeOrNull(unixMilliseconds: number | null): string | null {
  return unixMilliseconds === null ? null : timeOf(unixMilliseconds)
}
