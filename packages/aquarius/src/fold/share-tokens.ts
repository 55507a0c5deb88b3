// Which token counts the shares of a pool. v1.3 could exchange it: while an exchange goes on, balances of the next token follow those of the
// one that counts, holder by holder, and at its end they are the shares. Source: soroban-amm v1.3.0 token_share/src/lib.rs.

import type { ContractId } from '@orrery/ledger'
import type { PoolContracts } from '../chain/pool-contracts.ts'
import type { PoolInstance } from '../chain/pool-instance.ts'
import type { ShareToken } from '../state/derived-values.ts'
import { shareToken } from '../state/share-token.ts'
import { nextShares, shares } from '../state/shares.ts'
import type { AquariusState, PoolState } from '../state/state.ts'
import type { ApplyingRecords } from './applying-records.ts'

/** Whether the state knows the share tokens that an instance names, and which of them counts. */
export function knowsShareTokens({ shareToken, nextShareToken }: PoolInstance, { shareTokens }: AquariusState): boolean {
  return (shareToken === '' || shareTokens.get(shareToken)?.counts === true) && (nextShareToken === '' || shareTokens.has(nextShareToken))
}

/** Whether the state knows a share token of the pool that counts. */
export function hasShareToken({ pool }: PoolState, { shareTokens }: AquariusState): boolean {
  for (const known of shareTokens.values()) if (known.pool === pool && known.counts) return true
  return false
}

/** Writes what is new about a pool's share tokens in its instance. */
export function learnShareTokens(
  { pool }: PoolState,
  { shareToken: current, nextShareToken: next }: PoolContracts,
  context: ApplyingRecords,
  { isInferred, isShared }: { readonly isInferred: boolean; readonly isShared: boolean },
): void {
  const { shareTokens } = context.state
  const learnt = new Map<ContractId, ShareToken>()
  if (next !== null && !shareTokens.has(next)) learnt.set(next, { pool, counts: false })
  if (current !== null && shareTokens.get(current)?.counts !== true) {
    for (const [token, known] of shareTokens) if (known.pool === pool && known.counts) learnt.set(token, { pool, counts: false })
    learnt.set(current, { pool, counts: true })
  }
  for (const [contract, known] of learnt) {
    if (isInferred) shareToken.infer(context, { contract }, known, { shared: isShared })
    else shareToken.write(context, { contract }, known, { shared: isShared })
  }
}

/**
 * The instance names no next share token any more, or another one. Where it took the place of the first, its balances are the shares from now
 * on; of a pool that predates the index, a holder without a known balance keeps the old one, which the exchange made equal.
 */
export function endExchange(pool: PoolState, before: PoolInstance, context: ApplyingRecords): void {
  const isExchanged = before.nextShareToken !== '' && pool.instance?.value.shareToken === before.nextShareToken
  for (const [owner, holder] of [...pool.holders].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const at = { contract: pool.pool, owner }
    const known = holder.shares?.value ?? 0n
    const now = holder.nextShares ?? (pool.listing?.isAnnounced && holder.shares !== null ? { value: 0n, liveUntil: 0 } : null)
    if (isExchanged && now !== null) {
      shares.write(context, at, now.value, { liveUntil: now.liveUntil })
      if (now.value !== known) context.changes.shares(pool, owner, known)
    }
    if (holder.nextShares !== null) nextShares.remove(context, at)
  }
}
