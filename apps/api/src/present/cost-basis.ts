// Average cost of a balance.

import { scaledText, USD_SCALE } from '@orrery/pricing'
import { type CostBasisFact, type DecimalText, mulDivFloor } from '@orrery/protocol-kit'
import { z } from 'zod'
import { difference, wholeUnits } from './amount.ts'
import { digitsAt, exact } from './exact.ts'

export const CostBasis = z
  .strictObject({
    method: z.literal('average').describe('Average cost: a withdrawal takes its part of the cost with it.'),
    units: z.string().describe('Amount that the cost belongs to; of liquidity the amount of shares.'),
    cost_usd: z
      .string()
      .nullable()
      .describe('USD value of `units` when they were acquired. Null if the asset had no price when some of them were.'),
    realized_usd: z
      .string()
      .nullable()
      .describe(
        'Gain of what was withdrawn: its USD value minus its cost; negative for a loss. Null if the asset had no price at a deposit or a withdrawal.',
      ),
    unrealized_usd: z
      .string()
      .nullable()
      .describe('Shown value minus `cost_usd`; of a debt `cost_usd` minus the shown value. Negative for a loss. Null if either is null.'),
    interest_earned: z.string().describe('Growth of the balance beyond deposits minus withdrawals, in units of the asset.'),
    interest_earned_usd: z.string().nullable().describe('USD value of `interest_earned`. Null without a price.'),
    opened_ledger: z.int().describe('Ledger in which the position was opened.'),
    as_of_ledger: z.int().describe('Ledger at whose end these values hold.'),
    confidence: z
      .enum(['exact', 'inferred'])
      .describe('`inferred` if units arrived by transfer, or before the first indexed ledger; their cost is then an estimate.'),
  })
  .meta({ id: 'CostBasis' })

/**
 * `valueUsd` is the value shown beside it: the unrealised gain is its difference to the shown cost. Of a debt the sign is reversed, because it
 * is a gain to owe less than what was borrowed was worth.
 */
export function presentCostBasis(
  fact: CostBasisFact | null,
  valueUsd: DecimalText | null,
  decimals: number | null,
  asOfLedger: number,
  isDebt = false,
): z.input<typeof CostBasis> | null {
  if (fact === null) return null
  return {
    method: 'average',
    units: wholeUnits(fact.units, decimals),
    cost_usd: fact.costUsd,
    realized_usd: fact.realizedUsd,
    unrealized_usd: unrealizedOf(fact.costUsd, valueUsd, isDebt),
    interest_earned: wholeUnits(fact.interestEarned, decimals),
    interest_earned_usd: fact.interestEarnedUsd,
    opened_ledger: fact.openedLedger,
    as_of_ledger: asOfLedger,
    confidence: fact.confidence,
  }
}

/**
 * The cost of a balance that appears as two items, divided by shares: the first part rounded down, the second the rest, so that they add up.
 *
 * @param shares Shares of the first part and of both. Not both 0.
 */
export function splitCost(
  fact: CostBasisFact | null,
  shares: { readonly part: bigint; readonly whole: bigint },
): readonly [CostBasisFact | null, CostBasisFact | null] {
  if (fact === null) return [null, null]
  const partOf = (amount: bigint): bigint => mulDivFloor(amount, shares.part, shares.whole)
  const usdOf = (usd: DecimalText | null): DecimalText | null => (usd === null ? null : partOfUsd(usd, shares))
  const first = {
    ...fact,
    units: partOf(fact.units),
    costUsd: usdOf(fact.costUsd),
    realizedUsd: usdOf(fact.realizedUsd),
    interestEarned: partOf(fact.interestEarned),
    interestEarnedUsd: usdOf(fact.interestEarnedUsd),
  }
  const rest = (whole: DecimalText | null, part: DecimalText | null): DecimalText | null =>
    whole === null || part === null ? null : difference(whole, part)
  const second = {
    ...fact,
    units: fact.units - first.units,
    costUsd: rest(fact.costUsd, first.costUsd),
    realizedUsd: rest(fact.realizedUsd, first.realizedUsd),
    interestEarned: fact.interestEarned - first.interestEarned,
    interestEarnedUsd: rest(fact.interestEarnedUsd, first.interestEarnedUsd),
  }
  return [first, second]
}

/** Rounded down to the digits that USD values have at most. */
function partOfUsd(usd: DecimalText, { part, whole }: { readonly part: bigint; readonly whole: bigint }): DecimalText {
  return scaledText(mulDivFloor(digitsAt(exact(usd), USD_SCALE), part, whole), USD_SCALE)
}

function unrealizedOf(cost: DecimalText | null, value: DecimalText | null, isDebt: boolean): DecimalText | null {
  if (cost === null || value === null) return null
  return isDebt ? difference(cost, value) : difference(value, cost)
}
