// The points of a pool's history, raw or in buckets.

import type { DecimalText } from '@orrery/protocol-kit'
import { z } from 'zod'
import { Timestamp, timestampOf } from '../timestamp.ts'
import { PoolReserve } from './pool-item.ts'

const EMPTY = 'Null in an empty bucket with `fill=null`.'

export const PoolPoint = z
  .strictObject({
    timestamp: Timestamp.describe('Start of the bucket on the time axis; else the close time of the ledger whose value is shown.'),
    ledger: z.int().nonnegative().describe('The ledger whose value is shown; in a bucket of ledgers its start.'),
    value_at: Timestamp.describe(
      'Close time of the ledger whose value is shown; in an empty bucket with `fill` null or zero of the last ledger closed in or before it.',
    ),
    tvl_usd: z.string().nullable().describe(`USD value of the pool as in \`/v1/pools\`, at the prices of that ledger. ${EMPTY}`),
    volume_usd: z
      .string()
      .nullable()
      .describe(
        `USD value of the swaps in the bucket; in the first bucket since the hour of \`from\`, or since \`from\` in buckets of minutes. Null outside buckets, and for pools that are not AMMs. ${EMPTY}`,
      ),
    fee_apy: z
      .string()
      .nullable()
      .describe(
        'Fees to liquidity providers over the mean value of the pool, a fraction per year with daily compounding. The window begins at the last snapshot of a UTC hour that is at least 7 days older. Null for pools that are not AMMs, and in an empty bucket with `fill` null or zero.',
      ),
    reward_apy: z
      .string()
      .nullable()
      .describe(
        'Rewards of a holder without a boost, a fraction per year. Null without a price of the reward token, for pools that are not AMMs, and in an empty bucket with `fill` null or zero.',
      ),
    reserves: z.array(PoolReserve).describe('Sorted by `asset_id`. Empty in an empty bucket with `fill` null or zero.'),
  })
  .meta({ id: 'PoolPoint' })
export type PoolPoint = z.input<typeof PoolPoint>

export const PoolSeries = z
  .strictObject({
    pool_id: z.string().describe('Contract of the pool; of FxDAO also the vaults of one currency.'),
    points: z.array(PoolPoint).describe('In ascending order.'),
  })
  .meta({ id: 'PoolSeries' })

/** What a point shows beside its place. */
export type PoolValues = Omit<PoolPoint, 'timestamp' | 'ledger' | 'value_at'>

/** A bucket shows its own start on its axis, and on the other axis the ledger whose value it shows. */
export function poolPoint(
  axis: 'time' | 'ledger' | 'raw',
  start: number,
  shown: { readonly ledger: number; readonly seconds: number },
  values: PoolValues,
): PoolPoint {
  const at = timestampOf(shown.seconds)
  return {
    timestamp: axis === 'time' ? timestampOf(start) : at,
    ledger: axis === 'ledger' ? start : shown.ledger,
    value_at: at,
    ...values,
  }
}

/** A bucket without a snapshot. `isAmm`: only those have a volume. */
export function emptyPoolValues(fill: 'null' | 'zero', isAmm: boolean): PoolValues {
  const value: DecimalText | null = fill === 'zero' ? '0' : null
  return { tvl_usd: value, volume_usd: isAmm ? value : null, fee_apy: null, reward_apy: null, reserves: [] }
}
