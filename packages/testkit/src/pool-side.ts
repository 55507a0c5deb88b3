// The direction of a row seen from its pool, for comparisons with what pools sent and received.

import type { ActivityRow } from '@orrery/protocol-kit'

/**
 * `in`: the pool gets the tokens of the row. Null where nothing reaches a pool. A leg between two pools of a path has no direction for the
 * account: `path` names the token before and after each hop, and of a hop whose pool also got the token after it, the last leg is what it gave.
 *
 * @param all Rows of the operation.
 */
export function poolSide(row: ActivityRow, all: readonly ActivityRow[]): 'in' | 'out' | null {
  const { direction, actionId, assetId, metadata, activityType, counterparty, contract, key } = row
  if (direction !== 'none') return direction === 'sent' ? 'in' : 'out'
  const step = metadata.path_step
  if (typeof step === 'number') {
    const given = (metadata.path as readonly string[])[step] === assetId
    const isLater = (it: ActivityRow) =>
      it.actionId === actionId && it.contract === contract && it.assetId === assetId && it.key.row > key.row
    return given && !all.some(isLater) ? 'out' : 'in'
  }
  if (assetId === '') return null
  if (metadata.payer !== undefined) return 'in'
  return counterparty !== contract && (activityType === 'swap' || activityType === 'withdraw') ? 'out' : null
}
