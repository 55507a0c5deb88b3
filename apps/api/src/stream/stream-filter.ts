// Which events a stream wants. The same rules choose rows in statements and in memory, where many streams share what was read once.

import type { ActivityRecord, PositionChange } from '@orrery/read-model/queries'
import type { StreamPart } from './stream-place.ts'
import type { StreamQuery } from './stream-query.ts'

/** Empty lists match everything. */
export interface StreamFilter {
  readonly addresses: ReadonlySet<string>
  readonly protocols: ReadonlySet<string>
  readonly contracts: ReadonlySet<string>
  readonly types: ReadonlySet<string>
  readonly parts: ReadonlySet<StreamPart>
  /** Null: health factors are not watched. */
  readonly threshold: string | null
}

/** Everything that any stream may want. */
export const NO_FILTER: StreamFilter = {
  addresses: new Set(),
  protocols: new Set(),
  contracts: new Set(),
  types: new Set(),
  parts: new Set(['activity', 'position', 'health_factor', 'ledger']),
  threshold: null,
}

export function filterOf(query: StreamQuery): StreamFilter {
  const threshold = query.health_factor_below ?? null
  const parts: readonly StreamPart[] = query.events ?? [
    'activity',
    'position',
    'ledger',
    ...(threshold === null ? [] : (['health_factor'] as const)),
  ]
  return {
    addresses: new Set(query.addresses),
    protocols: new Set(query.protocols),
    contracts: new Set(query.contracts),
    types: new Set(query.activity_type),
    parts: new Set(parts),
    threshold,
  }
}

export function wantsActivity(filter: StreamFilter, row: ActivityRecord): boolean {
  return (
    filter.parts.has('activity') &&
    has(filter.addresses, row.address) &&
    has(filter.protocols, row.protocol) &&
    has(filter.contracts, row.contract) &&
    has(filter.types, row.activity_type)
  )
}

/** Whether the position is one of those that the stream is about, for a change of it or for its health factor. */
export function isAboutPosition(filter: StreamFilter, row: Pick<PositionChange, 'address' | 'protocol' | 'pool'>): boolean {
  return has(filter.addresses, row.address) && has(filter.protocols, row.protocol) && has(filter.contracts, row.pool)
}

function has(wanted: ReadonlySet<string>, value: string): boolean {
  return wanted.size === 0 || wanted.has(value)
}
