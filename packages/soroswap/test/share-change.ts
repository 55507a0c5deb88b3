// The signed change of shares that a row of the feed reports for its account. The rule of docs/protocols/soroswap.md, "Activities".

import type { ActivityRow } from '@orrery/protocol-kit'

export function shareChange({ activityType, direction, shareAmount }: ActivityRow): bigint {
  switch (activityType) {
    case 'deposit':
    case 'emission':
      return shareAmount
    case 'withdraw':
      return -shareAmount
    case 'transfer':
      return direction === 'sent' ? -shareAmount : shareAmount
    default:
      return 0n
  }
}

/**
 * The signed change of the pair's own shares that a row of another account implies, for the pair has no rows: those that were sent to it, less those that a withdraw burnt without any
 * account giving them in the same operation.
 */
export function ownShareChange(row: ActivityRow): bigint {
  const { activityType, contract, counterparty, direction, metadata, shareAmount } = row
  if (activityType === 'transfer' && direction === 'sent' && counterparty === contract) return shareAmount
  if (activityType === 'withdraw' && row.counts === 1) return -BigInt(String(metadata.raw_shares_from_pair ?? 0))
  return 0n
}
