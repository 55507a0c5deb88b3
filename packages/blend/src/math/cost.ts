// Average cost of one balance of an account in a pool: what its shares cost, what those that left realised, and how much it grew beyond that.
// The cost belongs to shares, which move only by actions; underlying grows by itself, and the growth is the interest.

import { acquire, type Cost, release, repay, type UsdUnits, usdText, type ValuedToken } from '@orrery/fold-kit'
import type { Address, ContractId } from '@orrery/ledger'
import type { CostBasisFact } from '@orrery/protocol-kit'

/** Which balance of an account in a pool a cost belongs to: an asset on one side, or the backstop shares. Collateral is supply. */
export type CostKey = `supply:${string}` | `borrow:${string}` | 'backstop'

export function isCostKey(text: string): text is CostKey {
  return text === 'backstop' || text.startsWith('supply:') || text.startsWith('borrow:')
}

/** What the fold remembers of a balance. */
export interface BalanceCost {
  /** Its units are shares: bTokens of supply and collateral together, dTokens, or backstop shares with the queued ones. */
  readonly cost: Cost
  /**
   * Underlying (LP tokens in the backstop) that ever came in less what ever went out, raw. Not reset when the balance ends, so that
   * interest survives partial exits, liquidation and re-entry. Negative when more was taken than paid.
   */
  readonly netPaid: bigint
}

/** How an event moved shares of one balance. Owned pools only. */
export interface Movement {
  readonly pool: ContractId
  readonly holder: Address
  readonly key: CostKey
  /** `in`: the balance grows, a debt included. */
  readonly direction: 'in' | 'out'
  readonly shares: bigint
  /** Underlying or LP tokens that the shares stand for, raw. */
  readonly amount: bigint
  /** `inferred`: got from another account (liquidation, bad debt), at its value. */
  readonly confidence: Cost['confidence']
}

/** Shares came in for `amount`, worth `valueUsd`. */
export function acquireBalance(
  before: BalanceCost | null,
  { shares, amount, confidence }: Pick<Movement, 'shares' | 'amount' | 'confidence'>,
  valueUsd: UsdUnits | null,
  ledger: number,
): BalanceCost {
  return { cost: acquire(before?.cost ?? null, shares, valueUsd, ledger, confidence), netPaid: (before?.netPaid ?? 0n) + amount }
}

/** Shares went out for `amount`, worth `valueUsd`: their part of the cost goes with them. To pay back less than that realises a gain. */
export function releaseBalance(
  before: BalanceCost | null,
  { key, shares, amount }: Pick<Movement, 'key' | 'shares' | 'amount'>,
  valueUsd: UsdUnits | null,
): BalanceCost {
  const leave = isDebt(key) ? repay : release
  return { cost: leave(before?.cost ?? null, shares, valueUsd), netPaid: (before?.netPaid ?? 0n) - amount }
}

function isDebt(key: CostKey): boolean {
  return key.startsWith('borrow:')
}

/**
 * The cost as the API shows it: its units are underlying, as the balance beside it.
 *
 *   interest = underlying now − netPaid            of supply and backstop: what it earned
 *   interest = netPaid − underlying now            of a debt: what it cost, hence not above 0
 *
 * The cost of a debt is what the borrowed was worth. Interest in USD is the interest at the price shown beside the balance.
 *
 * @param units What the shares stand for now, raw.
 */
export function costBasisOf(it: BalanceCost, key: CostKey, units: bigint, token: ValuedToken): CostBasisFact {
  const { costUsd, realizedUsd, openedLedger, confidence } = it.cost
  const interest = isDebt(key) ? it.netPaid - units : units - it.netPaid
  const worth = token.value(interest < 0n ? -interest : interest)
  return {
    units,
    costUsd: costUsd === null ? null : usdText(costUsd),
    realizedUsd: realizedUsd === null ? null : usdText(realizedUsd),
    interestEarned: interest,
    interestEarnedUsd: worth === null ? null : usdText(interest < 0n ? -worth : worth),
    openedLedger,
    confidence,
  }
}
