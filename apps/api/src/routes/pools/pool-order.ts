// The order of a list of pools, and the place of a cursor in it.

import { Decimal } from '@orrery/pricing'
import type { DecimalText } from '@orrery/protocol-kit'
import type { PoolSort } from '../../params/pools-query.ts'
import type { PoolItem } from '../../present/pools/pool-item.ts'

/** Where a pool is in the order. `value` null: it has none, and comes last. */
export interface PoolPlace {
  readonly value: DecimalText | null
  readonly id: string
}

/** Yields and volumes are read only for lists that are sorted by them, and for the pools of a page. */
export const needsYields = (sort: PoolSort): boolean => sort !== 'tvl'

export function placeOf(item: PoolItem, sort: PoolSort): PoolPlace {
  const values = { tvl: () => item.tvl_usd, volume: () => item.volume_24h_usd, apy: () => yieldOf(item) } as const
  return { value: values[sort](), id: item.pool_id }
}

/** Fees and rewards; of a lending pool the best interest and emission of a supplied asset. An emission without a price counts as none. */
function yieldOf({ type, fee_apy, reward_apy, reserves }: PoolItem): DecimalText | null {
  if (type !== 'lending') return fee_apy === null || reward_apy === null ? null : new Decimal(fee_apy).plus(reward_apy).toFixed()
  const yields = reserves.map(({ supply_apy, supply_emission_apy }) => new Decimal(supply_apy ?? '0').plus(supply_emission_apy ?? '0'))
  return yields.length === 0 ? null : Decimal.max(...yields).toFixed()
}

/** Below 0: `a` comes first. Descending by value, then by id as plain text. */
export function comparePlaces(a: PoolPlace, b: PoolPlace): number {
  const byValue = compareValues(a.value, b.value)
  return byValue !== 0 ? byValue : a.id < b.id ? -1 : Number(a.id > b.id)
}

function compareValues(a: DecimalText | null, b: DecimalText | null): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null)
  // Doubles that differ are in the order of their texts, and a hundred times faster to compare: most values differ.
  const difference = Number(b) - Number(a)
  return difference !== 0 ? difference : (new Decimal(b).comparedTo(a) ?? 0)
}

export function writePlace({ value, id }: PoolPlace): string {
  return `${value ?? ''} ${id}`
}

/** Of a cursor whose MAC is right. */
export function readPlace(text: string): PoolPlace {
  const [value = '', id = ''] = text.split(' ')
  return { value: value === '' ? null : value, id }
}
