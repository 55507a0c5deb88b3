// What holders are paid beside their shares: rewards of pools and gauges, fees of ranges; and what the protocol takes of its fees.

import type { Action, EventPlace, Seen } from '@orrery/fold-kit'
import type { Address } from '@orrery/ledger'
import type { FeesClaim, ProtocolFeeClaim, RewardClaim } from '../chain/pool-events.ts'
import type { RoutedClaim } from '../chain/router-events.ts'
import { type Derivation, ignore, type PoolPlace, pairUp, plainLeg, type TokenPaid, tokenLegs } from './action.ts'
import type { PoolSeen } from './operation.ts'

export function rewardAction(seen: PoolSeen<RewardClaim>, derivation: Derivation): Action | null {
  const router = derivation.claims.rewards.get(seen)
  return claimAction(seen, seen.user, [seen], derivation, { event: seen.name, ...(router === undefined ? {} : { router }) })
}

/** Before v1.4 a pool emitted no event for a claim, only the router through which it came. */
export function routedClaimAction(seen: Seen<RoutedClaim>, derivation: Derivation): Action | null {
  const owned = derivation.directory.pool(seen.pool)?.owned ?? false
  return claimAction({ ...seen, owned }, seen.user, [seen], derivation, { event: seen.name, router: seen.contract })
}

export function feesAction(seen: PoolSeen<FeesClaim>, derivation: Derivation): Action | null {
  const { pool, owned, owner } = seen
  const paid = pairUp(seen.tokens, seen.amounts)
  if (owned) derivation.movements.push({ pool, holder: owner, kind: 'fees', shares: 0n, range: null, paid })
  return claimAction(seen, owner, paid, derivation, { event: seen.name })
}

export function protocolFeeAction(seen: PoolSeen<ProtocolFeeClaim>, derivation: Derivation): Action | null {
  return claimAction(seen, seen.destination, [seen], derivation, { event: seen.name, reason: 'protocol_fee' })
}

function claimAction(
  seen: PoolPlace & EventPlace,
  address: Address,
  paid: readonly TokenPaid[],
  derivation: Derivation,
  metadata: Action['metadata'],
): Action | null {
  const legs = tokenLegs(plainLeg(seen, address, seen.pool), paid, 'out', true)
  if (legs.length === 0) return ignore(seen, 'claim_of_nothing', derivation)
  return {
    type: 'claim',
    eventIndex: seen.index,
    legs: legs.map((leg, n) => ({ ...leg, counts: n === 0 })),
    confidence: 1,
    metadata,
  }
}
