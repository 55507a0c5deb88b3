// Swaps: one action over all pools of a path, legs by pool, by the account behind it.

import { type Action, passedThrough } from '@orrery/fold-kit'
import { type Address, isAccountId } from '@orrery/ledger'
import { type Derivation, ignore, plainLeg, tokenLegs } from './action.ts'
import type { Path } from './claims.ts'
import { paidIn } from './paid-in.ts'

export function swapAction({ hops, router, user }: Path, derivation: Derivation): Action | null {
  const [first, last] = [hops[0], hops.at(-1)]
  if (first === undefined || last === undefined) return null
  const { operation } = derivation
  const exchange = { tokenIn: first.tokenIn, tokenOut: last.tokenOut, firstIndex: first.index, lastIndex: last.index }
  // A contract that swaps may act for an account: a wrapper that takes a fee, an aggregator, a batch. A vault keeps what it gets.
  const behind = isAccountId(user) ? null : passedThrough(user, exchange, operation.transfers)
  const address: Address = behind ?? user
  const legs = hops.flatMap((hop, n) => {
    const plain = plainLeg(hop, address, behind === null ? hop.pool : user)
    const between = { pathStep: n + 1 }
    const { tokenIn, tokenOut, amountOut } = hop
    const { amount, kept } = paidIn(hop, operation)
    const given = { ...plain, ...(n === 0 ? {} : between), ...(kept === 0n ? {} : { metadata: { raw_kept_by_pool: kept.toString() } }) }
    return [
      // What goes on to the next pool is the same value again.
      ...tokenLegs(given, [{ token: tokenIn, amount }], 'in', n === 0),
      ...tokenLegs({ ...plain, ...(hop === last ? {} : between) }, [{ token: tokenOut, amount: amountOut }], 'out', false),
    ]
  })
  if (legs.length === 0) return ignore(first, 'trade_of_nothing', derivation)
  return {
    type: 'swap',
    eventIndex: first.index,
    legs: legs.map((leg, n) => ({ ...leg, counts: n === 0 })),
    confidence: behind === null ? 1 : 0.9,
    metadata: {
      event: 'trade',
      ...(router === null ? {} : { router }),
      ...(hops.length === 1
        ? {}
        : { hops: hops.length, pools: hops.map((hop) => hop.pool), path: [exchange.tokenIn, ...hops.map((hop) => hop.tokenOut)] }),
      ...(operation.providers.has(user) ? { provider: user } : {}),
      ...(behind === null ? {} : { attribution: 'pass_through' }),
    },
  }
}
