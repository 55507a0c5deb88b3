// The volume of many pools, from one page of the list that has the pools with the most volume first.

import { type ListPoolsResponse, type PoolItem, sumDecimals } from '@orrery/client'
import { matching } from '../api/matching.ts'

export interface TotalVolume {
  /** USD, an exact sum. */
  readonly day: string
  /** Of the same pools. */
  readonly week: string
  /** Pools that have a volume: AMMs. */
  readonly poolCount: number
  /** Every pool with a volume in the last 24 hours is counted. */
  readonly isWhole: boolean
  /** Every pool with a volume in the last seven days is counted: pools come in the order of their volume of 24 hours. */
  readonly isWholeWeek: boolean
}

/** The pools that have a volume, and the warnings about them: what the values of other pools lack is no matter of the volume. */
export function ofAmms(answer: ListPoolsResponse): ListPoolsResponse {
  const { pools, next_cursor } = answer.data
  const amms = matching(answer, 'pools', isAmm)
  // Pools without a volume come last: after one of them no AMM follows.
  return { ...amms, data: { ...amms.data, next_cursor: pools.every(isAmm) ? next_cursor : null } }
}

/** Null: no pool is an AMM. @param page AMMs in the order of their volume. */
export function totalVolume({ pools, next_cursor }: ListPoolsResponse['data']): TotalVolume | null {
  if (pools.length === 0) return null
  return {
    day: sumDecimals(pools.map(({ volume_24h_usd }) => volume_24h_usd)),
    week: sumDecimals(pools.map(({ volume_7d_usd }) => volume_7d_usd)),
    poolCount: pools.length,
    isWhole: next_cursor === null || Number(pools.at(-1)?.volume_24h_usd) === 0,
    isWholeWeek: next_cursor === null,
  }
}

function isAmm({ volume_24h_usd }: PoolItem): boolean {
  return volume_24h_usd !== null
}

/** The volume of 24 hours by protocol, the largest first. @param pools AMMs. */
export function volumeByProtocol(pools: readonly PoolItem[]): readonly (readonly [protocol: string, usd: string])[] {
  const volumes = Map.groupBy(pools, ({ protocol }) => protocol)
  return [...volumes]
    .map(([protocol, own]) => [protocol as string, sumDecimals(own.map(({ volume_24h_usd }) => volume_24h_usd))] as const)
    .toSorted(([, one], [, other]) => Number(other) - Number(one))
}
