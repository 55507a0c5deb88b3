// Rewards at their present rate: what a pool and its gauges pay, and what that is a year over what it is paid on.
// Simple fractions: rewards are paid out, nothing compounds. Source: docs/protocols/aquarius.md, "Emissions".

import type { UsdUnits } from '@orrery/fold-kit'
import type { ContractId } from '@orrery/ledger'
import { ratio, tenTo } from '@orrery/pricing'
import type { DecimalText, LpEmission } from '@orrery/protocol-kit'
import { gaugeRate } from '../math/gauge-rewards.ts'
import type { Holder } from '../state/state.ts'
import type { ValuedPool } from './valuation.ts'
import { gaugeWorkingBalance, rewardShares, workingBalance } from './working-balance.ts'

const YEAR_SECONDS = 31_536_000n
/** Fractional digits of rates. */
const RATE_SCALE = 8

/** One contract's rate in one token, while it lasts. */
interface Rate {
  readonly source: 'pool' | 'gauge'
  readonly contract: ContractId
  readonly token: ContractId
  readonly tokensPerSecond: bigint
  readonly endsAt: bigint
}

/** The pool's own rate first, then those of gauges. Ended ones and rates of nothing are left out. */
function ratesOf({ pool, instance, at }: ValuedPool): Rate[] {
  const seconds = BigInt(at.closeTimeSeconds)
  const { token, tokensPerSecond, expiresAt, gauges } = instance.rewards
  const own: Rate = { source: 'pool', contract: pool.pool, token, tokensPerSecond, endsAt: expiresAt }
  const ofGauges = gauges.flatMap(([reward, contract]): Rate[] => {
    const gauge = pool.gauges.get(contract)?.value
    if (gauge === undefined) return []
    const rate = gaugeRate(gauge, seconds)
    return [{ source: 'gauge', contract, token: reward, ...rate }]
  })
  return [own, ...ofGauges].filter((rate) => rate.tokensPerSecond > 0n && rate.endsAt > seconds)
}

/** What the pool pays by reward token, and what a holder without a boost earns on the pool's value. */
export function poolEmissions(valued: ValuedPool): LpEmission[] {
  const byToken = Map.groupBy(ratesOf(valued), (rate) => rate.token)
  return [...byToken].map(([token, rates]) => {
    const { info, price } = valued.rewardToken(token)
    return {
      asset: info,
      tokensPerSecond: rates.reduce((sum, rate) => sum + rate.tokensPerSecond, 0n),
      apy: sumOf(rates.map((rate) => poolApy(rate, valued))),
      endsAtSeconds: Number(rates.reduce((last, { endsAt }) => (endsAt > last ? endsAt : last), 0n)),
      price,
      sources: rates.map((rate) => rate.contract),
    }
  })
}

/** Of all reward tokens together, for a holder without a boost. Null without prices. */
export function rewardApy(valued: ValuedPool): DecimalText | null {
  return sumOf(ratesOf(valued).map((rate) => poolApy(rate, valued)))
}

/**
 * tps · year · price · (shares / working supply) / TVL: boosts of others make the part of a holder without one smaller. Gauges before v1.8 have no boost.
 * Null without prices.
 */
function poolApy(rate: Rate, valued: ValuedPool): DecimalText | null {
  const { instance, tvlUsd, unpricedAssets } = valued
  const yearly = yearlyUsd(rate, valued)
  if (yearly === null || unpricedAssets > 0) return null
  const { supply } = rewardShares(instance, undefined)
  const working = rate.source === 'pool' ? workingBalance(instance, undefined, 0n) : gaugeWorkingBalance(instance, undefined)
  return rateOf(yearly * supply, working.supply * tvlUsd)
}

/** tps · year · price · (working balance / working supply) / value of the position, over all rates. Null without prices. */
export function holderEmissionApy(
  valued: ValuedPool,
  holder: Holder | undefined,
  netUsd: UsdUnits | null,
  totalLocked: bigint,
): DecimalText | null {
  const { instance } = valued
  const apys = ratesOf(valued).map((rate) => {
    const working = rate.source === 'pool' ? workingBalance(instance, holder, totalLocked) : gaugeWorkingBalance(instance, holder)
    const yearly = yearlyUsd(rate, valued)
    return yearly === null || netUsd === null ? null : rateOf(yearly * working.balance, working.supply * netUsd)
  })
  return sumOf(apys)
}

function yearlyUsd({ token, tokensPerSecond }: Rate, valued: ValuedPool): UsdUnits | null {
  return valued.rewardToken(token).value(tokensPerSecond * YEAR_SECONDS)
}

/** `0` where nothing is there to be paid on. */
function rateOf(numerator: bigint, denominator: bigint): DecimalText {
  return denominator <= 0n ? '0' : ratio(numerator, denominator, RATE_SCALE)
}

/** Sum of fractions with the same scale, null when one is unknown. */
function sumOf(rates: readonly (DecimalText | null)[]): DecimalText | null {
  let sum = 0n
  for (const rate of rates) {
    if (rate === null) return null
    const [whole, part = ''] = rate.split('.') as [string, string?]
    sum += BigInt(whole + part.padEnd(RATE_SCALE, '0'))
  }
  return ratio(sum, tenTo(RATE_SCALE), RATE_SCALE)
}
