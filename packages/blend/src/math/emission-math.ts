// Emissions of BLND: what a claim would pay now. The index of a reserve token (or of a backstop) grows by the second while emissions last;
// an account accrues from the index at its last change.
// Source: pool/src/emissions/distributor.rs and backstop/src/emissions/distributor.rs of both versions.

import { mulDivFloor } from '@orrery/protocol-kit'
import type { EmissionConfig, EmissionData, UserEmission } from '../chain/values.ts'

/**
 * The index at `closeTimeSeconds`:
 *
 *   index + ⌊(min(now, expiration) − lastTime) · eps · unit / supply⌋
 *
 * Unchanged once emissions are over, without eps, and while the supply is 0.
 *
 * @param supply What shares in it: bTokens or dTokens of the reserve; backstop shares that are not queued.
 * @param unit 10^decimals of the reserve, 1e7 of a backstop.
 */
export function emissionIndexAt(
  data: EmissionData,
  config: EmissionConfig | null,
  supply: bigint,
  unit: bigint,
  closeTimeSeconds: bigint,
): bigint {
  if (config === null || config.eps === 0n || supply <= 0n || data.lastTime >= config.expiration) return data.index
  const until = closeTimeSeconds < config.expiration ? closeTimeSeconds : config.expiration
  if (until <= data.lastTime) return data.index
  return data.index + mulDivFloor((until - data.lastTime) * config.eps, unit, supply)
}

/**
 * BLND that the account has earned at an index: accrued + ⌊balance · (index − its index) / divisor⌋.
 * Without an entry it earns from index 0 on if it holds something: the emissions began after it came (and nothing where it holds nothing).
 *
 * @param divisor unit · 10^(decimals of eps − 7): see `epsDecimals`.
 */
export function earned(user: UserEmission | null, balance: bigint, index: bigint, divisor: bigint): bigint {
  if (balance === 0n) return user?.accrued ?? 0n
  const from = user?.index ?? 0n
  return (user?.accrued ?? 0n) + mulDivFloor(balance, index - from, divisor)
}
