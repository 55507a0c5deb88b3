// Steps of a contract with its own vaults: it needs no authorisation, so no call is recorded. They are inferred from tokens and entries.
// Source: docs/protocols/fxdao.md, "Without a call".

import type { Address } from '@orrery/ledger'
import {
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
import type { Move } from './money.ts'

/** A step that begins with this move, and the function that would do it. Null when the move begins none. */
export interface Guess {
  readonly function: string
  readonly match: Match
}

export function guessFrom(move: Move, context: MatchContext): Guess | null {
  const { contracts } = context
  const denomination = [...contracts.coins].find(([, coin]) => coin === move.token)?.[0] ?? null
  if (denomination !== null && move.from === null && move.to !== null) {
    if (!isDebt(move.to, denomination, context)) return null
    return guess('increase_debt', matchBorrow(move.to, denomination, move.amount, before(move), context))
  }
  if (denomination !== null && move.to === null && move.from !== null) return guessBurn(move, move.from, denomination, context)
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
  const open = opened === undefined ? null : matchOpen(owner, opened, null, before(move), context)
  if (open !== null) return { function: 'new_vault', match: open }
  const fits = running.unexplained().filter((it) => it.owner === owner && it.now !== null && it.after?.collateral !== it.now.collateral)
  const exact = fits.find(({ now, after }) => now !== null && after !== null && after.collateral - now.collateral === move.amount)
  const denomination = (exact ?? fits[0])?.denomination
  return denomination === undefined ? null : guess('increase_collateral', matchIncrease(owner, denomination, null, before(move), context))
}

function guessWithdrawal(move: Move, owner: Address, context: MatchContext): Guess | null {
  const fits = context.running
    .unexplained()
    .filter(({ now, after, ...it }) => it.owner === owner && now !== null && after !== null && now.collateral !== after.collateral)
  const exact = fits.find(({ now, after }) => now !== null && after !== null && now.collateral - after.collateral === move.amount)
  const denomination = (exact ?? fits[0])?.denomination
  if (denomination === undefined) return null
  return guess('withdraw_collateral', matchWithdraw(owner, denomination, move.amount, before(move), context))
}

/** Coins were burned: a part paid back, a vault closed, vaults liquidated, or the lowest redeemed. The collateral that was paid out decides which. */
function guessBurn(move: Move, from: Address, denomination: string, context: MatchContext): Guess | null {
  const { contracts, unclaimed, running } = context
  const own = isDebt(from, denomination, context) ? running.of(from, denomination) : null
  const next = unclaimed.next(move.index)
  const isPaid = next?.token === contracts.collateral && next.from === contracts.vaults && next.to === from
  const repaid = own === null ? null : matchRepay(from, denomination, move.amount, before(move), context)
  if (repaid !== null && (!isPaid || (own?.debt === move.amount && paidOut(repaid) === own.collateral))) {
    return { function: 'pay_debt', match: repaid }
  }
  for (let count = 1; count <= running.lowest(denomination).length; count++) {
    const match = matchLiquidation(from, denomination, count, before(move), context)
    const victims = running.lowest(denomination).slice(0, count)
    const collateral = victims.reduce((total, { amounts }) => total + amounts.collateral, 0n)
    if (match !== null && paidOut(match) === collateral) return { function: 'liquidate', match }
  }
  const redeemed = matchRedemption(from, denomination, move.amount, before(move), context)
  // A redemption always has a fee: without one the collateral was taken out by itself.
  const isCharged = redeemed?.moves.some(({ to }) => to === contracts.treasury) === true
  return repaid !== null && !isCharged ? { function: 'pay_debt', match: repaid } : guess('redeem', redeemed)
}

/**
 * Whether coins that an account got or burned belong to its vault. Payments with the issuer look the same, so the vault's debt must have
 * changed, or the coins must be minted and burned again, which leaves no trace in the debt.
 */
function isDebt(owner: Address, denomination: string, { running, unclaimed, contracts }: MatchContext): boolean {
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
  return moves.slice(1).reduce((total, { amount }) => total + amount, 0n)
}

/** Matching begins after an index: this one makes the move itself the first. */
function before(move: Move): number {
  return move.index - 1
}

function guess(name: string, match: Match | null): Guess | null {
  return match === null ? null : { function: name, match }
}
