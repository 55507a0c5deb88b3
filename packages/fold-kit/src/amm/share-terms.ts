// The terms by which lists of positions value shares of a pool.

import type { ContractId } from '@orrery/ledger'
import { PLAIN_TERM, type PositionTerm } from '@orrery/protocol-kit'
import { usdFraction, type ValuedToken } from '../valued-token.ts'

/** What all shares of a pool are paid. */
export interface SharePayout {
  readonly tokens: readonly ValuedToken[]
  /** Raw, in the order of `tokens`: what payouts are parts of. */
  readonly amounts: readonly bigint[]
  /** What shares are divided by. */
  readonly supply: bigint
  readonly isOfPair: boolean
}

/** One term for each token. Without a formula: one that gives nothing. */
export function shareTerms(pool: ContractId, payout: SharePayout | null): PositionTerm[] {
  const of = { ...PLAIN_TERM, pool, side: 'lp', asset: '' } as const
  if (payout === null || payout.supply === 0n) return [{ ...of, numerator: 0n, usd: null }]
  const { tokens, amounts, supply, isOfPair } = payout
  return tokens.map((token, n) => ({ ...of, numerator: amounts[n] ?? 0n, denominator: supply, usd: usdFraction(token), isOfPair }))
}
