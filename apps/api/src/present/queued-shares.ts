// Backstop shares that are queued for withdrawal.

import type { BackstopPosition } from '@orrery/blend'
import { z } from 'zod'
import { wholeUnits } from './amount.ts'
import { Timestamp, timestampOf } from './timestamp.ts'

export const Queued = z.strictObject({
  shares: z.string().describe('Backstop shares queued for withdrawal.'),
  lp_tokens: z.string().describe('LP tokens that these shares are worth.'),
  unlocks_at: Timestamp.describe('Time from which they can be withdrawn: RFC 3339, UTC.'),
})

/** Shares queued for withdrawal, in the order of the contract: the oldest first. */
export function presentQueued({ queued, lpToken }: BackstopPosition): z.input<typeof Queued>[] {
  return queued.map(({ shares, lpTokens, unlocksAtSeconds }) => ({
    shares: wholeUnits(shares, lpToken.decimals),
    lp_tokens: wholeUnits(lpTokens, lpToken.decimals),
    unlocks_at: timestampOf(unlocksAtSeconds),
  }))
}
