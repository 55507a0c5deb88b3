// Rewards that a claim of a holder would pay at a moment: by the pool, and by each of its gauges.

import type { ContractId } from '@orrery/ledger'
import type { PoolInstance } from '../chain/pool-instance.ts'
import { isSettled, since } from '../chain/release.ts'
import { pendingGaugeReward } from '../math/gauge-rewards.ts'
import { accrue, pendingReward } from '../math/rewards.ts'
import type { Holder, PoolState } from '../state/state.ts'
import { gaugeWorkingBalance, workingBalance } from './working-balance.ts'

export interface Claim {
  readonly source: 'pool' | 'gauge'
  /** The pool, or the gauge. */
  readonly contract: ContractId
  readonly token: ContractId
  readonly amount: bigint
  readonly exact: boolean
  readonly blocked: 'paused' | 'underfunded' | null
}

/** The pool's own claim first, then gauges in the order of their tokens. Claims of nothing are among them. */
export function claimsOf(
  pool: PoolState,
  instance: PoolInstance,
  holder: Holder | undefined,
  { closeTimeSeconds, totalLocked }: { readonly closeTimeSeconds: number; readonly totalLocked: bigint },
): Claim[] {
  const seconds = BigInt(closeTimeSeconds)
  const own = instance.rewards.token === '' ? [] : [poolClaim(pool, instance, holder, seconds, totalLocked)]
  return [...own, ...gaugeClaims(pool, instance, holder, seconds)]
}

function poolClaim(pool: PoolState, instance: PoolInstance, holder: Holder | undefined, seconds: bigint, totalLocked: bigint): Claim {
  const { rewards, release } = instance
  const working = workingBalance(instance, holder, totalLocked)
  const accrued = accrue(rewards, working.supply, seconds, release)
  const pending = pendingReward(holder?.reward?.value ?? null, working.balance, working.supply, accrued, pool.rewardIndex)
  return {
    source: 'pool',
    contract: pool.pool,
    token: rewards.token,
    amount: pending.amount,
    exact: pending.exact && working.exact && isSettled(since.pastWorkingBalance, instance) && (holder?.reward != null || knowsAll(pool)),
    blocked: instance.killed.claim ? 'paused' : canPay(pool, instance, pending.amount) ? null : 'underfunded',
  }
}

/** Whether the index has the pool from its beginning: then an entry of a holder that is not known does not exist. */
function knowsAll({ listing }: PoolState): boolean {
  return listing?.isAnnounced === true
}

/** After a claim the pool must still hold its reserves and protocol fees of the reward token, where it trades that token too. */
function canPay(pool: PoolState, { rewards, tokens, reserves, protocolFees }: PoolInstance, amount: bigint): boolean {
  const balance = pool.balances.get(rewards.token)?.value ?? (knowsAll(pool) ? 0n : null)
  if (amount === 0n || balance === null) return true
  const place = tokens.indexOf(rewards.token)
  const kept = place < 0 ? 0n : (reserves[place] ?? 0n) + (protocolFees[place] ?? 0n)
  return balance - amount >= kept
}

function gaugeClaims(pool: PoolState, instance: PoolInstance, holder: Holder | undefined, seconds: bigint): Claim[] {
  const { balance, supply } = gaugeWorkingBalance(instance, holder)
  return instance.rewards.gauges.flatMap(([token, contract]): Claim[] => {
    const gauge = pool.gauges.get(contract)?.value
    if (gauge === undefined) return []
    const amount = pendingGaugeReward(gauge, holder?.gauges.get(contract)?.value ?? null, balance, supply, seconds)
    const held = pool.gaugeBalances.get(contract)?.value
    const blocked = instance.killed.gaugesClaim ? 'paused' : held !== undefined && held < amount ? 'underfunded' : null
    // A gauge pays a holder without a checkpoint from its beginning on: only an index of the whole pool knows that there was none.
    const hasMet = holder?.gauges.has(contract) || balance === 0n || knowsAll(pool)
    return [{ source: 'gauge', contract, token, amount, exact: hasMet && isSettled(since.boostedGauges, instance), blocked }]
  })
}
