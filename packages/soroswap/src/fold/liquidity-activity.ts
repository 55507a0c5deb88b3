// Deposits and withdraws: a row for each token, the shares on the first.

import type { Action, Seen } from '@orrery/fold-kit'
import type { Address } from '@orrery/ledger'
import type { PairLiquidity } from '../chain/events.ts'
import { type Derivation, tokenLegs } from './action.ts'
import { payerInto } from './attribution.ts'

export function liquidityAction(seen: Seen<PairLiquidity>, derivation: Derivation): Action {
  const { contract, owned, index } = seen
  const isDeposit = seen.name === 'deposit'
  const sender = derivation.claims.senders.get(seen) ?? null
  // The account whose shares change: a deposit's receiver; a withdraw's sender, who may have the tokens paid to another account. Shares that the
  // pair held already left their holder with an earlier transfer, whose row has them: here `to` collects their tokens and gives no shares.
  const address = isDeposit ? seen.to : (sender?.address ?? seen.to)
  const shares = isDeposit ? seen.liquidity : (sender?.shares ?? 0n)
  const router = derivation.claims.routers.get(seen)
  const payer = isDeposit && router === undefined ? depositPayer(seen, derivation) : null
  if (owned && shares > 0n) {
    derivation.movements.push({ pair: contract, holder: address, kind: seen.name, shares, amounts: seen.amounts })
  }
  // Tokens that another account pays or gets do not move the account's own.
  const isOwn = isDeposit ? payer === null || payer === address : seen.to === address
  const legs = tokenLegs(seen, seen.amounts, isOwn ? (isDeposit ? 'in' : 'out') : '', derivation, {
    address,
    counterparty: !isDeposit && seen.to !== address ? seen.to : contract,
    volume: true,
  })
  return {
    type: seen.name,
    eventIndex: index,
    legs: legs.map((leg, n) => ({ ...leg, shares: n === 0 ? shares : 0n, counts: n === 0 })),
    confidence: address === seen.to ? 1 : 0.9,
    metadata: {
      event: `SoroswapPair/${seen.name}`,
      ...(router === undefined ? {} : { router }),
      ...(payer === null || payer === address ? {} : { payer }),
      ...(address === seen.to ? {} : { attribution: 'share_sender' }),
      // Shares that the withdraw burnt beyond the account's own. The rows of their transfers have them.
      ...(shares === seen.liquidity ? {} : { shares_from: contract, raw_shares_from_pair: (seen.liquidity - shares).toString() }),
    },
  }
}

function depositPayer(seen: Seen<PairLiquidity>, { operation, directory }: Derivation): Address | null {
  const tokenIn = directory.tokensOf(seen.contract)?.[0] ?? ''
  return payerInto({ firstPair: seen.contract, tokenIn, firstIndex: seen.index }, operation.transfers)
}
