// Rewards that a gauge pays: what a claim at a moment would find. A gauge counts the working balance at the claim, not what was held in between.
// Source: soroban-amm rewards_gauge/src/{gauge,contract}.rs.

import { mulDivFloor } from '@orrery/protocol-kit'
import type { GaugeInstance, GaugeUser } from '../chain/gauge-entries.ts'
import { REWARD_PRECISION } from './rewards.ts'

/** A gauge brought to a moment: index += ⌊10²² · tps · (min(now, end) − max(start, epoch)) / supply⌋ for each rate that has begun. */
export function accrueGauge(
  gauge: GaugeInstance,
  workingSupply: bigint,
  seconds: bigint,
): Pick<GaugeInstance, 'accumulated' | 'index' | 'epoch'> {
  let { accumulated, index } = gauge
  for (const { startsAt, endsAt, tokensPerSecond } of gauge.rates) {
    if (startsAt > seconds) continue
    const from = startsAt < gauge.epoch ? gauge.epoch : startsAt
    const until = endsAt < seconds ? endsAt : seconds
    // A rate that ended before the last checkpoint was dropped by it.
    const generated = until > from ? (until - from) * tokensPerSecond : 0n
    accumulated += generated
    if (workingSupply > 0n) index += mulDivFloor(generated, REWARD_PRECISION, workingSupply)
  }
  return { accumulated, index, epoch: seconds }
}

/** What a claim would pay: to_claim + ⌊working balance · (index − index then) / 10²²⌋, and never more than accumulated and not yet claimed. */
export function pendingGaugeReward(
  gauge: GaugeInstance,
  user: GaugeUser | null,
  workingBalance: bigint,
  workingSupply: bigint,
  seconds: bigint,
): bigint {
  const now = accrueGauge(gauge, workingSupply, seconds)
  const { epoch, index, toClaim } = user ?? { epoch: 0n, index: 0n, toClaim: 0n }
  const earned = epoch === now.epoch || workingBalance === 0n ? 0n : mulDivFloor(workingBalance, now.index - index, REWARD_PRECISION)
  const payable = now.accumulated > gauge.claimed ? now.accumulated - gauge.claimed : 0n
  return toClaim + earned < payable ? toClaim + earned : payable
}

/** Raw units a second over all holders at a moment. */
export function gaugeRate(gauge: GaugeInstance, seconds: bigint): { readonly tokensPerSecond: bigint; readonly endsAt: bigint } {
  let tokensPerSecond = 0n
  let endsAt = 0n
  for (const rate of gauge.rates) {
    if (rate.startsAt > seconds || rate.endsAt <= seconds) continue
    tokensPerSecond += rate.tokensPerSecond
    if (rate.endsAt > endsAt) endsAt = rate.endsAt
  }
  return { tokensPerSecond, endsAt }
}
