// The points of an asset's price over time.

import type { DecimalText } from '@orrery/protocol-kit'
import { z } from 'zod'
import { rounded } from './amount.ts'
import { Timestamp, timestampOf } from './timestamp.ts'

export const PricePoint = z
  .strictObject({
    timestamp: Timestamp.describe(
      'Start of the bucket on the time axis; else the close time of `ledger` or, in a bucket of ledgers, of the price shown.',
    ),
    ledger: z.int().nonnegative().describe('The ledger whose price is shown; in a bucket of ledgers its start.'),
    value_at: Timestamp.describe(
      'Close time of the ledger whose price is shown; in an empty bucket under `fill=null` of the last ledger closed in or before it.',
    ),
    price_usd: z
      .string()
      .nullable()
      .describe(
        'USD for one whole unit, at most 8 fractional digits. Null where no source had a price, 24 hours after the last one, and in an empty bucket under `fill=null`.',
      ),
    price_source: z.string().nullable().describe('`oracle:<contract id>` or `pool:<contract id>`. Null without a price.'),
    observed_at: Timestamp.nullable().describe('When the source says that the price was true, UTC. Null without a price.'),
  })
  .meta({ id: 'PricePoint' })
export type PricePoint = z.input<typeof PricePoint>

export const AssetPrices = z
  .strictObject({ asset_id: z.string(), points: z.array(PricePoint).describe('Ascending.') })
  .meta({ id: 'AssetPrices' })

/** A price as the read model has it. `source` '': there is none. */
export interface PriceValue {
  readonly ledger: number
  readonly close_time_seconds: number
  readonly price_usd: DecimalText | null
  readonly source: string
  readonly observed_at_seconds: number
}

/** A price ends to count at this age, whichever its source is. */
const LONGEST_SECONDS = 86_400

export function rawPricePoint(value: PriceValue): PricePoint {
  const at = timestampOf(value.close_time_seconds)
  return { timestamp: at, ledger: value.ledger, value_at: at, ...shown(value, value.close_time_seconds) }
}

/** @param endSeconds The end of the bucket: a carried price that is more than a day old by then is none. */
export function bucketPricePoint(axis: 'time' | 'ledger', start: number, value: PriceValue, endSeconds: number): PricePoint {
  const at = timestampOf(value.close_time_seconds)
  const price = shown(value, endSeconds)
  return axis === 'time'
    ? { timestamp: timestampOf(start), ledger: value.ledger, value_at: at, ...price }
    : { timestamp: at, ledger: start, value_at: at, ...price }
}

/** A bucket without a price under `fill=null`. */
export function emptyPricePoint(
  axis: 'time' | 'ledger',
  start: number,
  last: { readonly ledger: number; readonly seconds: number },
): PricePoint {
  const at = timestampOf(last.seconds)
  const nothing = { price_usd: null, price_source: null, observed_at: null }
  return axis === 'time'
    ? { timestamp: timestampOf(start), ledger: last.ledger, value_at: at, ...nothing }
    : { timestamp: at, ledger: start, value_at: at, ...nothing }
}

function shown(
  { price_usd, source, observed_at_seconds }: PriceValue,
  atSeconds: number,
): Pick<PricePoint, 'price_usd' | 'price_source' | 'observed_at'> {
  return price_usd === null || atSeconds - observed_at_seconds > LONGEST_SECONDS
    ? { price_usd: null, price_source: null, observed_at: null }
    : { price_usd: rounded(price_usd), price_source: source, observed_at: timestampOf(observed_at_seconds) }
}
