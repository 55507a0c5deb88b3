// Swaps: one action over all pools of a path, legs by pool, by the account behind it.

import type { Action, Seen } from '@orrery/fold-kit'
import type { ContractId } from '@orrery/ledger'
import type { PairSwap } from '../chain/events.ts'
import { type Derivation, tokenLegs } from './action.ts'
import { accountBehind } from './attribution.ts'
import type { Path } from './claims.ts'

export function swapAction({ hops, router, to, tokens }: Path, derivation: Derivation): Action | null {
  const [first, last] = [hops[0], hops.at(-1)]
  if (first === undefined || last === undefined) return null
  const who = accountBehind(
    {
      firstPair: first.contract,
      tokenIn: tokens[0] ?? givenToken(first, derivation),
      tokenOut: tokens.at(-1) ?? receivedToken(last, derivation),
      to,
      routed: router !== null,
      firstIndex: first.index,
      lastIndex: last.index,
    },
    derivation.operation.transfers,
  )
  // A contract that acts for the account returns the output to it; any other receiver keeps it.
  const received = to === who.address || who.rule === 'pass_through' ? 'out' : ''
  const legs = hops.flatMap((hop, n) => {
    const between = { pathStep: n + 1 }
    const of = { address: who.address, counterparty: to === who.address ? hop.contract : to }
    return [
      // The output to the next pool is the same value again.
      ...tokenLegs(hop, hop.amountsIn, 'in', derivation, { ...of, volume: n === 0, ...(n === 0 ? {} : between) }),
      ...tokenLegs(hop, hop.amountsOut, received, derivation, { ...of, volume: false, ...(hop === last ? {} : between) }),
    ]
  })
  return {
    type: 'swap',
    eventIndex: first.index,
    legs: legs.map((leg, n) => ({ ...leg, counts: n === 0 })),
    confidence: who.confidence,
    metadata: {
      event: 'SoroswapPair/swap',
      ...(router === null ? {} : { router }),
      ...(hops.length === 1
        ? {}
        : { hops: hops.length, pools: hops.map((hop) => hop.contract), ...(tokens.length === 0 ? {} : { path: tokens }) }),
      ...(who.rule === null ? {} : { attribution: who.rule }),
    },
  }
}

function givenToken(hop: Seen<PairSwap>, { directory }: Derivation): ContractId | '' {
  return directory.tokensOf(hop.contract)?.[hop.amountsIn[0] > 0n ? 0 : 1] ?? ''
}

function receivedToken(hop: Seen<PairSwap>, { directory }: Derivation): ContractId | '' {
  return directory.tokensOf(hop.contract)?.[hop.amountsOut[0] > 0n ? 0 : 1] ?? ''
}
