// What a contract did with vaults of its own: it needs nobody's authorisation, so no call is seen. The tokens and the entries tell.
// Source: docs/protocols/fxdao.md, "Without a call".

import type { Address } from '@orrery/ledger'
import {
  type Match,
  matchBorrow,
  matchIncrease,
  matchLiquidation,
  matchOpen,
  matchRedemption,
  matchRepay,
  matchWithdraw,
  type Scene,
} from './match-call.ts'
import type { Move } from './money.ts'

/** A step that begins with this move, and the function that would do it. Null when the move begins none. */
export interface Guess {
  readonly function: string
  readonly match: Match
}

export function guessFrom(move: Move, scene: Scene): Guess | null {
  const { setting } = scene
  const denomination = [...setting.coins].find(([, coin]) => coin === move.token)?.[0] ?? null
  if (denomination !== null && move.from === null && move.to !== null) {
    if (!isDebt(move.to, denomination, scene)) return null
    return guess('increase_debt', matchBorrow(move.to, denomination, move.amount, before(move), scene))
  }
  if (denomination !== null && move.to === null && move.from !== null) return guessBurn(move, move.from, denomination, scene)
  if (move.token !== setting.collateral || move.from === null || move.to === null) return null
  if (move.to === setting.vaults) return guessPayment(move, move.from, scene)
  if (move.from === setting.vaults) return guessWithdrawal(move, move.to, scene)
  return null
}

/** Collateral came in: a vault was opened where coins follow, else one has more. */
function guessPayment(move: Move, owner: Address, scene: Scene): Guess | null {
  const { setting, unclaimed, running } = scene
  const next = unclaimed.next(move.index)
  const opened = [...setting.coins].find(([, coin]) => next?.token === coin && next.from === null && next.to === owner)?.[0]
  const open = opened === undefined ? null : matchOpen(owner, opened, null, before(move), scene)
  if (open !== null) return { function: 'new_vault', match: open }
  const fits = running.unexplained().filter((it) => it.owner === owner && it.now !== null && it.after?.collateral !== it.now.collateral)
  const exact = fits.find(({ now, after }) => now !== null && after !== null && after.collateral - now.collateral === move.amount)
  const denomination = (exact ?? fits[0])?.denomination
  return denomination === undefined ? null : guess('increase_collateral', matchIncrease(owner, denomination, null, before(move), scene))
}

function guessWithdrawal(move: Move, owner: Address, scene: Scene): Guess | null {
  const fits = scene.running
    .unexplained()
    .filter(({ now, after, ...it }) => it.owner === owner && now !== null && after !== null && now.collateral !== after.collateral)
  const exact = fits.find(({ now, after }) => now !== null && after !== null && now.collateral - after.collateral === move.amount)
  const denomination = (exact ?? fits[0])?.denomination
  if (denomination === undefined) return null
  return guess('withdraw_collateral', matchWithdraw(owner, denomination, move.amount, before(move), scene))
}

/** Coins were burned: a part paid back, a vault closed, vaults liquidated, or the lowest redeemed. Who got how much collateral tells which. */
function guessBurn(move: Move, from: Address, denomination: string, scene: Scene): Guess | null {
  const { setting, unclaimed, running } = scene
  const own = isDebt(from, denomination, scene) ? running.of(from, denomination) : null
  const next = unclaimed.next(move.index)
  const isPaid = next?.token === setting.collateral && next.from === setting.vaults && next.to === from
  const repaid = own === null ? null : matchRepay(from, denomination, move.amount, before(move), scene)
  if (repaid !== null && (!isPaid || (own?.debt === move.amount && paidOut(repaid) === own.collateral))) {
    return { function: 'pay_debt', match: repaid }
  }
  for (let count = 1; count <= running.lowest(denomination).length; count++) {
    const match = matchLiquidation(from, denomination, count, before(move), scene)
    const victims = running.lowest(denomination).slice(0, count)
    const collateral = victims.reduce((total, { amounts }) => total + amounts.collateral, 0n)
    if (match !== null && paidOut(match) === collateral) return { function: 'liquidate', match }
  }
  const redeemed = matchRedemption(from, denomination, move.amount, before(move), scene)
  // A redemption always has a fee: without one the collateral was taken out by itself.
  const isCharged = redeemed?.moves.some(({ to }) => to === setting.treasury) === true
  return repaid !== null && !isCharged ? { function: 'pay_debt', match: repaid } : guess('redeem', redeemed)
}

/**
 * Whether coins that an account got or burned are of its vault. Payments with the issuer look the same: so its debt has to have changed, or
 * the coins to come and go again, which leaves no trace in it.
 */
function isDebt(owner: Address, denomination: string, { running, unclaimed, setting }: Scene): boolean {
  if (running.untoldDebt(owner, denomination) !== 0n) return true
  const coin = setting.coins.get(denomination)
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

/** Matching looks behind an index: so the move itself is the first that it sees. */
function before(move: Move): number {
  return move.index - 1
}

function guess(name: string, match: Match | null): Guess | null {
  return match === null ? null : { function: name, match }
}
