import type { ListPoolsResponse, Meta, PoolItem, Warning } from '@orrery/client'
import { describe, expect, it } from 'vitest'
import { ofAmms, totalVolume, volumeByProtocol } from './total-volume.ts'

const pool = (protocol: string, day: string | null, week: string | null): PoolItem =>
  ({ protocol, volume_24h_usd: day, volume_7d_usd: week }) as PoolItem

const AMMS = [pool('soroswap', '47920.1', '100000'), pool('aquarius', '1530.25', '9000.000000000000000001'), pool('aquarius', '0', '7')]
const LENDING = pool('blend', null, null)

function answer(pools: readonly PoolItem[], next_cursor: string | null = null, warnings: readonly Warning[] = []): ListPoolsResponse {
  const meta = { warnings, partial_result: warnings.length > 0 } as Meta
  return { data: { pools, next_cursor }, meta } as ListPoolsResponse
}

describe('the volume of all pools', () => {
  it('is the exact sum of the pools that have one', () => {
    expect(totalVolume(ofAmms(answer([...AMMS, LENDING])).data)).toEqual({
      day: '49450.35',
      week: '109007.000000000000000001',
      poolCount: 3,
      isWhole: true,
      isWholeWeek: true,
    })
  })

  it('is whole where more pools follow one without a volume, and not where they follow one with a volume', () => {
    const isWhole = (pools: readonly PoolItem[]) => totalVolume(ofAmms(answer(pools, 'next')).data)?.isWhole
    expect(isWhole([...AMMS.slice(0, 2), LENDING])).toBe(true)
    expect(isWhole(AMMS)).toBe(true)
    expect(isWhole(AMMS.slice(0, 2))).toBe(false)
    // A pool of the next page may have had a volume earlier in the week.
    expect(totalVolume(ofAmms(answer(AMMS, 'next')).data)?.isWholeWeek).toBe(false)
    expect(totalVolume(ofAmms(answer([...AMMS, LENDING], 'next')).data)?.isWholeWeek).toBe(true)
  })

  it('does not exist without an AMM', () => {
    expect(totalVolume(ofAmms(answer([LENDING])).data)).toBeNull()
    expect(totalVolume(ofAmms(answer([])).data)).toBeNull()
  })

  it('has no warning about a pool without a volume', () => {
    const unpriced = (place: number): Warning => ({ code: 'unpriced_asset', message: 'no price', path: `/pools/${place}` }) as Warning
    expect(ofAmms(answer([...AMMS, LENDING], null, [unpriced(3)])).meta).toMatchObject({ warnings: [], partial_result: false })
    expect(ofAmms(answer([...AMMS, LENDING], null, [unpriced(1)])).meta.partial_result).toBe(true)
  })

  it('has a part of each protocol with an AMM, the largest first', () => {
    expect(volumeByProtocol(AMMS.toReversed())).toEqual([
      ['soroswap', '47920.1'],
      ['aquarius', '1530.25'],
    ])
  })
})
