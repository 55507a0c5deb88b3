// Parameters of a query as a program has them: dates, lists. The API takes text.

import type { Activity } from './generated/openapi.ts'

/** A query with more types: an instant may be a `Date`, a list with commas an array. */
export type Query<Wire> = {
  readonly [Name in keyof Wire]: Name extends 'from' | 'to' | 'at'
    ? Date | Wire[Name]
    : Name extends 'activity_type'
      ? Activity['activity_type'] | readonly Activity['activity_type'][]
      : Wire[Name]
}

/** The same as the parameters of the API. Members that are undefined are left out. */
export function wireQuery<Wire>(query: Query<Wire>): Wire {
  const members = Object.entries(query as Record<string, unknown>).filter(([, value]) => value !== undefined)
  return Object.fromEntries(members.map(([name, value]) => [name, wireValue(value)])) as Wire
}

function wireValue(value: unknown): unknown {
  if (value instanceof Date) return value.toISOString()
  return Array.isArray(value) ? value.join(',') : value
}
