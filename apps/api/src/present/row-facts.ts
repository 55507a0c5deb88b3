// What the sentences read of an activity row beside its columns.

import type { ActivityRecord } from '@orrery/read-model/queries'

/** Roles of the side that started an action with two sides. */
export const ACTING_ROLES: ReadonlySet<string> = new Set(['liquidator', 'redeemer', 'filler', 'giver'])

/** '' in an action without roles. */
export function roleOf(row: ActivityRecord): string {
  return String(metadataOf(row).role ?? '')
}

type Metadata = Readonly<Record<string, unknown>>

/** A sentence asks several times for each row. */
const parsed = new WeakMap<ActivityRecord, Metadata>()

export function metadataOf(row: ActivityRecord): Metadata {
  const known = parsed.get(row)
  if (known !== undefined) return known
  const metadata = JSON.parse(row.metadata) as Metadata
  parsed.set(row, metadata)
  return metadata
}
