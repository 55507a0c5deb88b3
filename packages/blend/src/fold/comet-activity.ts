// The Comet pool of BLND and USDC, whose LP tokens are what backstops hold: its trades, joins and exits, and LP tokens that change hands.
// Minting has no event with the number of LP tokens: it is the change of the total, where the operation minted once.
// Source: comet-contracts-v1 contracts/src/c_pool/call_logic/pool.rs, token_utility.rs.

import type { Action, EventPlace } from '@orrery/fold-kit'
import { actionOf, type Derivation, ignore, LP_SHARE, leg } from './action.ts'
import type { SeenEvent, SeenOf } from './operation.ts'

export function cometSwapAction(seen: SeenOf<'comet', 'swap'>): Action {
  const { contract, caller, tokenIn, amountIn, tokenOut, amountOut } = seen
  const of = { address: caller, counterparty: contract }
  return actionOf(seen, 'swap', [
    leg(seen, { ...of, asset: tokenIn, amount: amountIn, direction: 'in', volume: true }),
    leg(seen, { ...of, asset: tokenOut, amount: amountOut, direction: 'out' }),
  ])
}

/** All tokens of a join or exit; the first leg has the LP tokens. */
export function cometLiquidityAction(
  seen: SeenOf<'comet', 'join_pool' | 'exit_pool' | 'deposit' | 'withdraw'>,
  derivation: Derivation,
): Action {
  const { contract, caller } = seen
  const isJoin = seen.name === 'join_pool' || seen.name === 'deposit'
  const tokens = derivation.claims.baskets.get(seen) ?? [seen]
  const shares = isJoin ? minted(seen, derivation) : burnt(seen, derivation)
  return actionOf(
    seen,
    isJoin ? 'deposit' : 'withdraw',
    tokens.map((token, n) =>
      leg(seen, {
        ...LP_SHARE,
        address: caller,
        counterparty: contract,
        asset: token.token,
        amount: token.amount,
        shares: n === 0 ? shares : 0n,
        direction: isJoin ? 'in' : 'out',
        volume: true,
      }),
    ),
  )
}

/** 0n where the operation minted more than once: the total does not split. */
function minted({ contract }: EventPlace, { operation, claims }: Derivation): bigint {
  const ofComet = operation.events.filter((it) => it.role === 'comet' && it.contract === contract)
  const mints = ofComet.filter((it) => it.name === 'deposit' || (it.name === 'join_pool' && claims.parts.get(it) !== 'part_of_join'))
  if (mints.length !== 1) return 0n
  const burns = ofComet.reduce((sum, it) => sum + (it.name === 'burn' ? it.amount : 0n), 0n)
  return (operation.lpTokensMade.get(contract) ?? 0n) + burns
}

/** The burn that follows a payout: the first after it. */
function burnt(seen: SeenOf<'comet', 'join_pool' | 'exit_pool' | 'deposit' | 'withdraw'>, { operation }: Derivation): bigint {
  if (seen.lpTokens !== null) return seen.lpTokens
  const isBurn = (it: SeenEvent) => it.role === 'comet' && it.contract === seen.contract && it.name === 'burn'
  const burns = operation.events.filter(isBurn)
  const found = burns.find((it) => it.index > seen.index) ?? burns.at(-1)
  return found?.name === 'burn' ? found.amount : 0n
}

/** LP tokens that an account sent: in both feeds. */
export function cometTransferAction(seen: SeenOf<'comet', 'transfer' | 'burn'>, derivation: Derivation): Action | null {
  const { contract, from, to, amount } = seen
  if (to === null) return ignore(seen, 'part_of_exit', derivation)
  const of = { ...LP_SHARE, asset: contract, amount, shares: amount }
  return actionOf(seen, 'transfer', [
    leg(seen, { ...of, address: from, counterparty: to, direction: 'in', volume: true }),
    leg(seen, { ...of, address: to, counterparty: from, direction: 'out', counts: to !== from }),
  ])
}
