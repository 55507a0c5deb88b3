// What holders are paid beside their shares: rewards of pools and gauges, fees of ranges; and what the protocol takes of its fees.

import type { Action } from '@orrery/fold-kit'
import type { Address, ContractId } from '@orrery/ledger'
import type { FeesClaim, ProtocolFeeClaim, RewardClaim } from '../chain/pool-events.ts'
import type { RoutedClaim } from '../chain/router-events.ts'
import { type Derivation, ignore, pairUp, plainLeg, type TokenPaid, tokenLegs } from './action.ts'
import type { Seen } from './operation.ts'

export function rewardAction(seen: Seen<RewardClaim>, derivation: Derivation): Action | null {
  const { event } = seen
  const router = derivation.claims.rewards.get(seen)
  return claimAction(seen, event.user, [event], derivation, { event: event.name, ...(router === undefined ? {} : { router }) })
}

/** Before v1.4 a pool said nothing of a claim, only the router through which it came. */
export function routedClaimAction(seen: Seen<RoutedClaim>, derivation: Derivation): Action | null {
  const { event, contract } = seen
  const owned = derivation.directory.pool(event.pool)?.owned ?? false
  return claimAction({ ...seen, pool: event.pool, owned }, event.user, [event], derivation, { event: event.name, router: contract })
}

export function feesAction(seen: Seen<FeesClaim>, derivation: Derivation): Action | null {
  const { event, pool, owned } = seen
  const paid = pairUp(event.tokens, event.amounts)
  if (owned) derivation.movements.push({ pool, holder: event.owner, kind: 'fees', shares: 0n, range: null, paid })
  return claimAction(seen, event.owner, paid, derivation, { event: event.name })
}

export function protocolFeeAction(seen: Seen<ProtocolFeeClaim>, derivation: Derivation): Action | null {
  const { event } = seen
  return claimAction(seen, event.destination, [event], derivation, { event: event.name, reason: 'protocol_fee' })
}

function claimAction(
  seen: Seen<unknown> & { readonly pool: ContractId },
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
