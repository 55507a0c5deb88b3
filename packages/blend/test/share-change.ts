// The change of an account's position by a row of the feed: shares with a sign. The rule of docs/protocols/blend.md, "Events".

import type { ActivityRow } from '@orrery/protocol-kit'

/** 0n for rows that move no shares of a pool: queued backstop shares stay what they are. */
export function shareChange({ activityType, direction, metadata, shareAmount }: ActivityRow): bigint {
  switch (activityType) {
    case 'deposit':
    case 'stake':
    case 'borrow':
      return shareAmount
    case 'withdraw':
    case 'unstake':
    case 'repay':
      return -shareAmount
    // Positions themselves change hands: who gives collateral has less, and a change of debt has its sign.
    case 'liquidation':
    case 'auction':
    case 'bad_debt':
      if (metadata.debt_change !== undefined) return String(metadata.debt_change).startsWith('-') ? -shareAmount : shareAmount
      return direction === 'sent' ? -shareAmount : shareAmount
    default:
      return 0n
  }
}
