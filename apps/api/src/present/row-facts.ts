// What the sentences read of an activity row beside its columns.

import type { ActivityRecord } from '@orrery/read-model/queries'

/** Roles of the side that started an action with two sides. */
export const ACTING_ROLES: ReadonlySet<string> = new Set(['liquidator', 'redeemer', 'filler', 'giver'])

/** '' in an action without roles. */
export function roleOf(row: ActivityRecord): string {
  return String(metadataOf(row).role ?? '')
}

export function metadataOf(row: ActivityRecord): Readonly<Record<string, unknown>> {
  return JSON.parse(row.metadata) as Readonly<Record<string, unknown>>
}
