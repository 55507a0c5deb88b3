// Reserves as the pool's own view gives them, which is what a withdraw pays parts of.
// Since v1.8 pools of shares first raise their reserves to what they really hold: gifts and rebases go to the holders.
// Source: soroban-amm liquidity_pool{,_stableswap}/src/contract.rs, `_sync_reserves`.

import type { ContractId } from '@orrery/ledger'
import type { PoolInstance } from '../chain/pool-instance.ts'
import { isSettled, since } from '../chain/release.ts'
import type { PoolState } from '../state/state.ts'

/**
 * Of each token: max(reserve, balance − protocol fees). Not the reward token, whose balance is mostly rewards; not twice in a ledger; not
 * while there are no shares. Concentrated pools never do.
 */
export function viewReserves({ pool, instance, balances }: PoolState, ledger: number): readonly bigint[] {
  if (instance === null) return []
  const { layout, release, reserves, totalShares, syncLedger } = instance.value
  const isOfShares = layout === 'constant_product' || layout === 'stable'
  if (!isOfShares || !since.syncedReserves(release) || totalShares === 0n) return reserves
  if (since.syncedOnce(release) && syncLedger === ledger) return reserves
  return raised(pool, instance.value, balances)
}

/** Whether what a withdraw pays is certain: code that we do not know may raise reserves that its storage does not prove to be raised. */
export function isPayoutSettled({ pool, instance, balances }: PoolState): boolean {
  if (instance === null || isSettled(since.syncedReserves, instance.value)) return true
  return raised(pool, instance.value, balances).every((reserve, n) => reserve === instance.value.reserves[n])
}

function raised(pool: ContractId, { reserves, tokens, protocolFees, rewards }: PoolInstance, balances: PoolState['balances']): bigint[] {
  return reserves.map((reserve, n) => {
    const token = tokens[n] ?? pool
    const balance = token === rewards.token ? null : (balances.get(token)?.value ?? null)
    const available = balance === null ? reserve : balance - (protocolFees[n] ?? 0n)
    return available > reserve ? available : reserve
  })
}
