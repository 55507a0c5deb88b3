// Steps of a contract with its own vaults: it needs no authorisation, so no call is recorded. They are inferred from tokens and entries.
// Source: docs/protocols/fxdao.md, "Without a call".

import type { Address } from '@orrery/ledger'
import {
  type Attempt,
  type Match,
  type MatchContext,
  matchBorrow,
  matchIncrease,
  matchLiquidation,
  matchOpen,
  matchRedemption,
  matchRepay,
  matchWithdraw,
} from './match-call.ts'
import { type Move, sum } from './money.ts'
import type { RunningVaults } from './running-vaults.ts'

/** A step that begins with this move, and the function that would do it. Null when the move begins none. */
export interface Guess {
  readonly function: string
  readonly match: Match
}

export function guessFrom(move: Move, context: MatchContext): Guess | null {
  const { contracts } = context
  const denomination = [...contracts.coins].find(([, coin]) => coin === move.token)?.[0] ?? null
  if (denomination !== null && move.from === null && move.to !== null) {
    const attempt = attemptAt(move, move.to, denomination, context)
    return isDebt(attempt) ? guess('increase_debt', matchBorrow(move.amount, attempt)) : null
  }
  if (denomination !== null && move.to === null && move.from !== null)
    return guessBurn(move, attemptAt(move, move.from, denomination, context))
  if (move.token !== contracts.collateral || move.from === null || move.to === null) return null
  if (move.to === contracts.vaults) return guessPayment(move, move.from, context)
  if (move.from === contracts.vaults) return guessWithdrawal(move, move.to, context)
  return null
}

/** Collateral was paid in: a vault was opened where a mint of coins follows, else increased. */
function guessPayment(move: Move, owner: Address, context: MatchContext): Guess | null {
  const { contracts, unclaimed, running } = context
  const next = unclaimed.next(move.index)
  const opened = [...contracts.coins].find(([, coin]) => next?.token === coin && next.from === null && next.to === owner)?.[0]
  const open = opened === undefined ? null : matchOpen(null, attemptAt(move, owner, opened, context))
  if (open !== null) return { function: 'new_vault', match: open }
  const fits = running.unexplained().filter((it) => it.owner === owner && it.now !== null && it.after?.collateral !== it.now.collateral)
  const denomination = likeliest(fits, move.amount)
  return denomination === undefined
    ? null
    : guess('increase_collateral', matchIncrease(null, attemptAt(move, owner, denomination, context)))
}

function guessWithdrawal(move: Move, owner: Address, context: MatchContext): Guess | null {
  const fits = context.running
    .unexplained()
    .filter(({ now, after, ...it }) => it.owner === owner && now !== null && after !== null && now.collateral !== after.collateral)
  const denomination = likeliest(fits, -move.amount)
  return denomination === undefined
    ? null
    : guess('withdraw_collateral', matchWithdraw(move.amount, attemptAt(move, owner, denomination, context)))
}

/** The currency of the vault whose collateral changes by exactly this amount, else of the first. */
function likeliest(vaults: ReturnType<RunningVaults['unexplained']>, amount: bigint): string | undefined {
  const exact = vaults.find(({ now, after }) => now !== null && after !== null && after.collateral - now.collateral === amount)
  return (exact ?? vaults[0])?.denomination
}

/** Coins were burned: a part paid back, a vault closed, vaults liquidated, or the lowest redeemed. The collateral that was paid out decides which. */
function guessBurn(move: Move, attempt: Attempt): Guess | null {
  const { contracts, unclaimed, running, owner: from, denomination } = attempt
  const own = isDebt(attempt) ? running.of(from, denomination) : null
  const next = unclaimed.next(move.index)
  const isPaid = next?.token === contracts.collateral && next.from === contracts.vaults && next.to === from
  const repaid = own === null ? null : matchRepay(move.amount, attempt)
  if (repaid !== null && (!isPaid || (own?.debt === move.amount && paidOut(repaid) === own.collateral))) {
    return { function: 'pay_debt', match: repaid }
  }
  const listed = running.lowest(denomination)
  let collateral = 0n
  for (const [n, { amounts }] of listed.entries()) {
    collateral += amounts.collateral
    const match = matchLiquidation(n + 1, attempt)
    if (match !== null && paidOut(match) === collateral) return { function: 'liquidate', match }
  }
  const redeemed = matchRedemption(move.amount, attempt)
  // A redemption always has a fee: without one the collateral was taken out by itself.
  const isCharged = redeemed?.moves.some(({ to }) => to === contracts.treasury) === true
  return repaid !== null && !isCharged ? { function: 'pay_debt', match: repaid } : guess('redeem', redeemed)
}

/**
 * Whether coins that an account got or burned belong to its vault. Payments with the issuer look the same, so the vault's debt must have
 * changed, or the coins must be minted and burned again, which leaves no trace in the debt.
 */
function isDebt({ owner, denomination, running, unclaimed, contracts }: Attempt): boolean {
  if (running.unexplainedDebt(owner, denomination) !== 0n) return true
  const coin = contracts.coins.get(denomination)
  const ofCoin = unclaimed.rest().filter(({ token }) => token === coin)
  const net = ofCoin.reduce((sum, { from, to, amount }) => {
    return sum + (from === null && to === owner ? amount : 0n) - (to === null && from === owner ? amount : 0n)
  }, 0n)
  return net === 0n
}

/** Collateral that left with a burn. */
function paidOut({ moves }: Match): bigint {
  return sum(moves.slice(1))
}

/** Matching begins after an event: this one makes the move itself the first. */
function attemptAt(move: Move, owner: Address, denomination: string, context: MatchContext): Attempt {
  return { ...context, owner, denomination, after: move.index - 1 }
}

function guess(name: string, match: Match | null): Guess | null {
  return match === null ? null : { function: name, match }
}
