// Shares of a backstop and the LP tokens that they stand for. Source: backstop/src/backstop/pool.rs of both versions.

import { mulDivCeil, mulDivFloor } from '@orrery/protocol-kit'
import type { BackstopBalance, CometRecords } from '../chain/values.ts'
import { SCALE_7 } from './scale.ts'

/** ⌊shares · tokens / all shares⌋; all shares are all tokens, and the first shares are worth one token each. */
export function lpTokensOf(shares: bigint, balance: BackstopBalance): bigint {
  return balance.shares === 0n ? shares : mulDivFloor(shares, balance.tokens, balance.shares)
}

/** Queued part of all shares: ⌈queued · 1e7 / shares⌉, 7 decimals. */
export function queuedPart({ queuedShares, shares }: BackstopBalance): bigint {
  return shares === 0n ? 0n : mulDivCeil(queuedShares, SCALE_7, shares)
}

/** What one LP token of the Comet pool stands for: ⌊balance · 1e7 / total⌋ of each token, 7 decimals. Null while there are no LP tokens. */
export function perLpToken(records: CometRecords, totalShares: bigint, token: string): bigint | null {
  const record = records.get(token)
  return record === undefined || totalShares <= 0n ? null : mulDivFloor(record.balance, SCALE_7, totalShares)
}
