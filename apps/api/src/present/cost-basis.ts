// Average cost of a balance, as the wire says it.

import type { CostBasisFact, DecimalText } from '@orrery/protocol-kit'
import { z } from 'zod'
import { difference, wholeUnits } from './amount.ts'

export const CostBasis = z
  .strictObject({
    method: z.literal('average'),
    units: z.string().describe('Units (shares for LP) that the cost stands for.'),
    cost_usd: z.string().nullable().describe('Null when a part of the units came in without a price.'),
    realized_usd: z.string().nullable().describe('Null when a part came in or went out without a price.'),
    unrealized_usd: z
      .string()
      .nullable()
      .describe('Shown value minus shown cost; of a debt shown cost minus shown value. Null without one of them.'),
    interest_earned: z.string().describe('Units grown beyond deposits less withdrawals.'),
    interest_earned_usd: z.string().nullable().describe('Null without a price.'),
    opened_ledger: z.int(),
    as_of_ledger: z.int(),
    confidence: z.enum(['exact', 'inferred']).describe('`inferred` when units arrived by transfer or before the index began.'),
  })
  .meta({ id: 'CostBasis' })

/**
 * `valueUsd` is the value shown beside it: what is not realised is the difference to the shown cost. Of a debt it is the other way round: to
 * owe less than what was borrowed was worth is a gain.
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

function unrealizedOf(cost: DecimalText | null, value: DecimalText | null, isDebt: boolean): DecimalText | null {
  if (cost === null || value === null) return null
  return isDebt ? difference(cost, value) : difference(value, cost)
}
