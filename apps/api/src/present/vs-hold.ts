// A liquidity position against its tokens if they had been held instead.

import type { DecimalText } from '@orrery/protocol-kit'
import { z } from 'zod'
import { difference } from './amount.ts'

export const VsHold = z
  .strictObject({
    hold_usd: z
      .string()
      .nullable()
      .describe(
        'USD value, at the prices of this ledger, of the tokens that were deposited for what the account still has: the average of its deposits, reduced in proportion by withdrawals. Null if shares arrived by a transfer or before the first indexed ledger, and without a price.',
      ),
    difference_usd: z
      .string()
      .nullable()
      .describe(
        'Value of the position minus `hold_usd`: impermanent loss and fees together. Negative where holding the tokens would be worth more. Null if either is null.',
      ),
  })
  .meta({ id: 'VsHold', example: { hold_usd: '1043.51', difference_usd: '-12.08' } })

/** @param valueUsd Value of the whole position; null where a part has no price. */
export function presentVsHold(holdUsd: DecimalText | null, valueUsd: DecimalText | null): z.input<typeof VsHold> {
  return { hold_usd: holdUsd, difference_usd: holdUsd === null || valueUsd === null ? null : difference(valueUsd, holdUsd) }
}
