// Amounts in sentences: at most 6 significant digits, rounded towards zero, so that a sentence never shows more than what moved.

import { Decimal } from '@orrery/pricing'
import type { ActivityRecord } from '@orrery/read-model/queries'
import { wholeUnits } from './amount.ts'
import { grouped, listed, shortened } from './english.ts'

type Row = ActivityRecord

/** Most significant digits of an amount. */
const MOST_DIGITS = 6

/** `11518.6247334` is `11,518.6`, `0.0000001` stays. In units of the token; in its smallest unit if its decimals are unknown. */
export function shownAmount(raw: bigint, decimals: number | null): string {
  const short = new Decimal(wholeUnits(raw, decimals)).precision(MOST_DIGITS, Decimal.ROUND_DOWN)
  return grouped(short.toFixed())
}

/** One amount for each token, summed, in the order of its first row. */
export function amountsOf(rows: readonly Row[]): string {
  const byAsset = Map.groupBy(rows, (row) => `${row.asset_id} ${assetName(row)}`)
  return listed(
    [...byAsset.values()].map((of) => {
      const [first] = of as [Row]
      const amount = of.reduce((sum, row) => sum + row.amount, 0n)
      const unit = first.asset_decimals === null ? 'smallest units of ' : ''
      return `${shownAmount(amount, first.asset_decimals)} ${unit}${assetName(first)}`
    }),
  )
}

/** The pool's own token, and shares that are transferred, are called `pool shares`: the sentence names the pool anyway. */
function assetName({ activity_type, asset_id, asset_symbol, contract, share_type }: Row): string {
  const isShare = asset_id === contract || (activity_type === 'transfer' && share_type === 'lp_share')
  return isShare ? 'pool shares' : asset_symbol || shortened(asset_id)
}

export function sharesOf({ share_amount, share_decimals, share_type }: Row): string {
  return `${shownAmount(share_amount, share_decimals)} ${share_type === 'backstop_share' ? 'backstop' : 'pool'} shares`
}
