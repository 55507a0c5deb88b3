// Deposits and withdraws: a row for each token, the shares on the first. Their holder is named by the share token or by the range.

import type { Action } from '@orrery/fold-kit'
import type { PoolLiquidity } from '../chain/pool-events.ts'
import { rangeName } from '../state/state.ts'
import { type Derivation, pairUp, plainLeg, tokenLegs, withShares } from './action.ts'
import { type Attribution, callerOf } from './caller.ts'
import type { LiquidityClaims } from './claims.ts'
import type { PoolSeen } from './operation.ts'

export function liquidityAction(seen: PoolSeen<PoolLiquidity>, derivation: Derivation): Action {
  const { pool, owned, shares } = seen
  const claims = derivation.claims.liquidity.get(seen)
  const { address, confidence, rule } = holderOf(seen, claims, derivation)
  const isDeposit = seen.name === 'deposit_liquidity'
  const fees = claims?.fees ?? null
  // What a withdraw from a range pays includes its fees, which `claim_fees` reports by itself: here is what was put in.
  const amounts = fees === null ? seen.amounts : seen.amounts.map((amount, n) => amount - (fees.amounts[n] ?? 0n))
  const paid = pairUp(seen.tokens, amounts)
  const range = claims?.range ?? null
  if (owned) {
    derivation.movements.push({
      pool,
      holder: address,
      kind: isDeposit ? 'deposit' : 'withdraw',
      shares,
      range: range === null ? null : rangeName(range.tickLower, range.tickUpper),
      paid,
    })
  }
  const plain = plainLeg(seen, address, pool)
  return {
    type: isDeposit ? 'deposit' : 'withdraw',
    eventIndex: seen.index,
    legs: withShares(tokenLegs(plain, paid, isDeposit ? 'in' : 'out', true), plain, shares),
    confidence,
    metadata: {
      event: seen.name,
      ...(range === null ? {} : { tick_lower: range.tickLower, tick_upper: range.tickUpper }),
      ...(claims?.router == null ? {} : { router: claims.router }),
      ...(rule === null ? {} : { attribution: rule }),
    },
  }
}

function holderOf({ pool }: PoolSeen<PoolLiquidity>, claims: LiquidityClaims | undefined, { operation }: Derivation): Attribution {
  const named = claims?.range?.user ?? claims?.holder ?? null
  if (named !== null) return { address: named, confidence: 1, rule: null }
  if (claims?.caller != null) return { address: claims.caller, confidence: 0.9, rule: 'router_caller' }
  return callerOf(pool, operation)
}
