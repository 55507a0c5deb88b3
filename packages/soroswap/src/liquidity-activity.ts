// Deposits and withdraws: a row for each token, the shares on the first.

import type { Action } from '@orrery/fold-kit'
import type { Address } from '@orrery/ledger'
import { type Derivation, tokenLegs } from './action.ts'
import { payerInto } from './attribution.ts'
import type { PairLiquidity } from './events.ts'
import type { Seen } from './operation.ts'

export function liquidityAction(seen: Seen<PairLiquidity>, derivation: Derivation): Action {
  const { event, contract, owned, index } = seen
  const isDeposit = event.name === 'deposit'
  const sender = derivation.claims.senders.get(seen) ?? null
  // Whose shares change: a deposit's receiver; a withdraw's sender, who may have the tokens paid to somebody else.
  // Shares that lay in the pair before belong to whoever comes first: then `to` collects them.
  const address = isDeposit ? event.to : (sender ?? event.to)
  const router = derivation.claims.routers.get(seen)
  const payer = isDeposit && router === undefined ? depositPayer(seen, derivation) : null
  if (owned && (isDeposit || sender !== null)) {
    derivation.movements.push({ pair: contract, holder: address, kind: event.name, shares: event.liquidity, amounts: event.amounts })
  }
  const legs = tokenLegs(seen, event.amounts, isDeposit ? 'in' : 'out', derivation, {
    address,
    counterparty: !isDeposit && event.to !== address ? event.to : contract,
    volume: true,
  })
  return {
    type: event.name,
    eventIndex: index,
    legs: legs.map((leg, n) => ({ ...leg, shares: n === 0 ? event.liquidity : 0n, counts: n === 0 })),
    confidence: isDeposit || sender === null || sender === event.to ? 1 : 0.9,
    metadata: {
      event: `SoroswapPair/${event.name}`,
      ...(router === undefined ? {} : { router }),
      ...(payer === null || payer === address ? {} : { payer }),
      ...(isDeposit || sender === event.to ? {} : sender === null ? { shares_from: contract } : { attribution: 'share_sender' }),
    },
  }
}

function depositPayer(seen: Seen<PairLiquidity>, { operation, directory }: Derivation): Address | null {
  const tokenIn = directory.tokensOf(seen.contract)?.[0] ?? ''
  return payerInto({ firstPair: seen.contract, tokenIn, firstIndex: seen.index }, operation.transfers)
}
