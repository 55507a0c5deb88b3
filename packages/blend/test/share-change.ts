// The change of an account's position by a row of the feed: shares with a sign. The rule of docs/protocols/blend.md, "Events".

import type { ActivityRow } from '@orrery/protocol-kit'

/** 0n for rows that move no shares of a pool: queued backstop shares stay what they are. */
export function shareChange({ activityType, leg, shareType, shareAmount }: ActivityRow): bigint {
  const sign = leg === 'in' ? 1n : -1n
  switch (activityType) {
    // Giving tokens makes supply and takes off debt, receiving them the other way round.
    case 'deposit':
    case 'withdraw':
    case 'stake':
    case 'unstake':
      return shareAmount * sign
    case 'borrow':
    case 'repay':
      return shareAmount * -sign
    // Positions themselves change hands: who gives collateral has less, who receives relief owes less.
    case 'liquidation':
    case 'auction':
    case 'bad_debt':
      return shareType === 'd_token' ? shareAmount * sign : shareAmount * -sign
    default:
      return 0n
  }
}
