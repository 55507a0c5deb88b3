// The terms by which lists of positions value what accounts have in a pool: `valueAccount` and `healthFactor` for all accounts at once.

import { usdFraction } from '@orrery/fold-kit'
import { tenTo } from '@orrery/pricing'
import { PLAIN_TERM, type PositionTerm } from '@orrery/protocol-kit'
import { SCALE_7, scaleOf } from '../math/scale.ts'
import type { ValuedPool, ValuedReserve } from './valuation.ts'

export function positionTerms(valued: ValuedPool): PositionTerm[] {
  return [...valued.reserves.flatMap((reserve) => (reserve === undefined ? [] : reserveTerms(reserve, valued))), backstopTerm(valued)]
}

function reserveTerms(reserve: ValuedReserve, { pool, deployment, oracleDecimals }: ValuedPool): PositionTerm[] {
  const { config, data, own } = reserve
  const common = {
    ...PLAIN_TERM,
    pool: pool.pool,
    asset: String(reserve.index),
    denominator: scaleOf(deployment.version).rate,
    usd: usdFraction(reserve.token),
  }
  const counted = {
    ...common,
    own: own === null || oracleDecimals === null ? null : { price: own.price, unit: tenTo(config.decimals), decimals: oracleDecimals },
  }
  return [
    { ...common, side: 'supply', numerator: data.bRate },
    { ...counted, side: 'collateral', numerator: data.bRate, factorNumerator: config.cFactor, factorDenominator: SCALE_7 },
    // A factor of 0 counts nothing.
    {
      ...{ ...counted, side: 'liability', numerator: data.dRate },
      factorNumerator: config.lFactor === 0n ? 0n : SCALE_7,
      factorDenominator: config.lFactor === 0n ? 1n : config.lFactor,
    },
  ]
}

/** ⌊shares · tokens / all shares⌋ LP tokens; the first shares are worth one token each. */
function backstopTerm({ pool, lp }: ValuedPool): PositionTerm {
  const of = { ...PLAIN_TERM, pool: pool.pool, side: 'backstop', asset: '' } as const
  const balance = pool.backstop.balance?.value
  if (lp === null || balance === undefined) return { ...of, numerator: 0n, usd: null }
  const part = balance.shares === 0n ? {} : { numerator: balance.tokens, denominator: balance.shares }
  return { ...of, ...part, usd: usdFraction(lp.token) }
}
