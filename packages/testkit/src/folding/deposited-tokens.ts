// The tokens that were deposited for what holders of a pool have, worked out from activity rows alone: an account of its own beside the fold's.

import type { ActivityRow } from '@orrery/protocol-kit'

interface Holding {
  shares: bigint
  /** Raw, by token. Null: a part came by other ways than a deposit. */
  tokens: Map<string, bigint> | null
}

/**
 * By `<pool> <account>`, with ` <lower>:<upper>` for a range. Each withdrawal takes the same part of each token as of the shares, half up.
 *
 * @param rows In the order of the ledgers.
 */
export function depositedTokens(rows: Iterable<ActivityRow>): ReadonlyMap<string, Holding> {
  const holdings = new Map<string, Holding>()
  for (const legs of Map.groupBy(rows, (row) => `${row.actionId} ${row.address}`).values()) {
    const [first] = legs
    if (first === undefined) continue
    const shares = legs.reduce((sum, leg) => sum + leg.shareAmount, 0n)
    if (shares === 0n) continue
    const { tick_lower: lower, tick_upper: upper } = first.metadata
    const name = `${first.contract} ${first.address}${lower === undefined ? '' : ` ${lower}:${upper}`}`
    const before = holdings.get(name) ?? { shares: 0n, tokens: new Map() }
    holdings.set(name, after(before, first.activityType, shares, legs))
  }
  return holdings
}

function after(before: Holding, type: ActivityRow['activityType'], shares: bigint, legs: readonly ActivityRow[]): Holding {
  if (type === 'deposit') {
    const tokens = before.tokens === null ? null : new Map(before.tokens)
    for (const { assetId, amount } of legs) tokens?.set(assetId, (tokens.get(assetId) ?? 0n) + amount)
    return { shares: before.shares + shares, tokens }
  }
  if (type !== 'withdraw') return { shares: before.shares, tokens: null }
  const left = before.shares - shares
  if (left <= 0n) return { shares: left, tokens: left < 0n ? null : new Map() }
  const rest = (amount: bigint): bigint => amount - (2n * amount * shares + before.shares) / (2n * before.shares)
  const tokens = before.tokens === null ? null : new Map([...before.tokens].map(([token, amount]) => [token, rest(amount)]))
  return { shares: left, tokens }
}
