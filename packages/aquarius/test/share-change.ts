// The signed change of shares, or of the liquidity of a range, that a row of the feed reports for its account. The rule of
// docs/protocols/aquarius.md, "Activities".

import type { ActivityRow } from '@orrery/protocol-kit'

export function shareChange({ activityType, direction, shareAmount }: ActivityRow): bigint {
  switch (activityType) {
    case 'deposit':
      return shareAmount
    case 'withdraw':
      return -shareAmount
    case 'transfer':
      return direction === 'sent' ? -shareAmount : shareAmount
    default:
      return 0n
  }
}
