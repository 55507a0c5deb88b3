// Which token counts the shares of a pool. v1.3 could exchange it: while an exchange goes on, balances of the next token follow those of the
// one that counts, holder by holder, and at its end they are the shares. Source: soroban-amm v1.3.0 token_share/src/lib.rs.

import type { Journal, Written } from '@orrery/fold-kit'
import type { ContractId } from '@orrery/ledger'
import type { PoolKin } from '../chain/pool-contracts.ts'
import type { PoolInstance } from '../chain/pool-instance.ts'
import type { Changes } from '../state/changes.ts'
import { encode } from '../state/encode.ts'
import { type AquariusState, type PoolState, type ShareToken, setShares } from '../state/state.ts'
import { stateKey } from '../state/state-keys.ts'

/** Whether the state knows the share tokens that an instance names, and which of them counts. */
export function knowsShareTokens({ shareToken, nextShareToken }: PoolInstance, { shareTokens }: AquariusState): boolean {
  return (shareToken === '' || shareTokens.get(shareToken)?.counts === true) && (nextShareToken === '' || shareTokens.has(nextShareToken))
}

/** Whether the state knows a share token of the pool that counts. */
export function hasShareToken({ pool }: PoolState, { shareTokens }: AquariusState): boolean {
  for (const known of shareTokens.values()) if (known.pool === pool && known.counts) return true
  return false
}

/** Takes over what an instance says of its share tokens, and returns the rows that tell what is new of it. */
export function learnShareTokens(
  { pool }: PoolState,
  { shareToken, nextShareToken }: PoolKin,
  { shareTokens }: AquariusState,
): Omit<Written, 'shared'>[] {
  const learnt = new Map<ContractId, ShareToken>()
  if (nextShareToken !== null && !shareTokens.has(nextShareToken)) learnt.set(nextShareToken, { pool, counts: false })
  if (shareToken !== null && shareTokens.get(shareToken)?.counts !== true) {
    for (const [token, known] of shareTokens) if (known.pool === pool && known.counts) learnt.set(token, { pool, counts: false })
    learnt.set(shareToken, { pool, counts: true })
  }
  for (const [token, known] of learnt) shareTokens.set(token, known)
  return [...learnt].map(([contract, known]) => ({ contract, key: stateKey.share, value: encode.share(known), durability: 'fact' }))
}

/**
 * The instance names no next share token any more, or another one. Where it took the place of the first, its balances are the shares from now
 * on; of a pool that is older than the index, whoever was not seen to have one keeps what he had, which the exchange made equal.
 */
export function endExchange(
  pool: PoolState,
  before: PoolInstance,
  { journal, changes }: { readonly journal: Journal; readonly changes: Changes },
): void {
  const isExchanged = before.nextShareToken !== '' && pool.instance?.value.shareToken === before.nextShareToken
  for (const [address, holder] of [...pool.holders].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const { shares, nextShares } = holder
    const now = nextShares ?? (pool.listing?.isAnnounced && shares !== null ? { value: 0n, liveUntil: 0 } : null)
    if (isExchanged && now !== null) {
      setShares(pool, address, now)
      const { value, liveUntil } = now
      const row = { contract: pool.pool, key: stateKey.shares(address), owner: address, value: encode.amount(value), liveUntil }
      journal.write({ ...row, durability: 'persistent' })
      if (value !== (shares?.value ?? 0n)) changes.shares(pool, address, shares?.value ?? 0n)
    }
    if (nextShares === null) continue
    holder.nextShares = null
    journal.remove({ contract: pool.pool, key: stateKey.nextShares(address), owner: address, durability: 'persistent' })
  }
}
