// Matches a call with the token moves that it made, and derives the step from them.
// Every function emits its moves in one order; moves that the arguments require must be among them, or the call was authorised and not made.
// Source: FxDAO/FxDAO-SC contracts/vaults/src/contract.rs; docs/protocols/fxdao.md, "Calls and what they move".

import type { Address, ContractId } from '@orrery/ledger'
import type { Call } from '../chain/calls.ts'
import { isBurn, isMint, isTransfer, type Move, sum, type Unclaimed } from './money.ts'
import type { ListedVault, RunningVaults } from './running-vaults.ts'
import type { Amounts, FxdaoContracts, Step, StepKind, VaultChange } from './step.ts'

/** A step without its place in the operation. */
export type VaultEffect = Omit<Step, 'function' | 'eventIndex' | 'evidence'>

export interface Match {
  readonly moves: readonly Move[]
  /** Applies the step to the running vaults and returns it. */
  take(): VaultEffect
}

export interface MatchContext {
  readonly contracts: FxdaoContracts
  readonly unclaimed: Unclaimed
  readonly running: RunningVaults
}

/** A call under way: of which account and currency, and after which event its moves begin. */
export interface Attempt extends MatchContext {
  /** The account that makes the call. */
  readonly owner: Address
  readonly denomination: string
  readonly after: number
}

/** The moves of a call after event `after`, or null when they are not there. */
export function matchCall(call: Call, after: number, context: MatchContext): Match | null {
  if (!('denomination' in call)) return null
  const attempt: Attempt = { ...context, owner: 'owner' in call ? call.owner : call.caller, denomination: call.denomination, after }
  switch (call.name) {
    case 'new_vault':
      return matchOpen(call, attempt)
    case 'increase_collateral':
      return matchIncrease(call.amount, attempt)
    case 'withdraw_collateral':
      return matchWithdraw(call.amount, attempt)
    case 'increase_debt':
      return matchBorrow(call.amount, attempt)
    case 'pay_debt':
      return matchRepay(call.amount, attempt)
    case 'transfer_debt':
      return matchTransfer(call.to, attempt)
    case 'redeem':
      return matchRedemption(call.amount, attempt)
    case 'liquidate':
      return matchLiquidation(call.vaults, attempt)
  }
}

/** Collateral in, coins minted, fee to the treasury. `requested` null: any amounts. */
export function matchOpen(requested: { readonly collateral: bigint; readonly debt: bigint } | null, attempt: Attempt): Match | null {
  const { owner, denomination, unclaimed, running } = attempt
  const coin = coinOf(attempt)
  if (coin === undefined || running.of(owner, denomination) !== null) return null
  for (const paid of paymentsIn(attempt)) {
    const minted = unclaimed.next(paid.index)
    if (minted === undefined || !isMint(coin, owner)(minted) || (requested !== null && minted.amount !== requested.debt)) continue
    const fee = feeOf(requested === null ? null : requested.collateral - paid.amount, minted.index, attempt)
    if (fee === null) continue
    const vault = { collateral: paid.amount, debt: minted.amount }
    return effect('open', attempt, [paid, minted, ...fee], () => ({
      changes: [running.set(owner, denomination, vault)],
      coins: minted.amount,
      collateral: paid.amount + sum(fee),
      fee: sum(fee),
    }))
  }
  return null
}

/** Collateral in, fee to the treasury. `requested` null: any amount. */
export function matchIncrease(requested: bigint | null, attempt: Attempt): Match | null {
  if (vaultOf(attempt) === null) return null
  for (const paid of paymentsIn(attempt)) {
    const fee = feeOf(requested === null ? null : requested - paid.amount, paid.index, attempt)
    if (fee === null) continue
    return effect('increase_collateral', attempt, [paid, ...fee], () => ({
      changes: [changed(attempt, paid.amount, 0n)],
      collateral: paid.amount + sum(fee),
      fee: sum(fee),
    }))
  }
  return null
}

export function matchWithdraw(amount: bigint, attempt: Attempt): Match | null {
  const { owner, contracts, unclaimed, after } = attempt
  const out = unclaimed.find((move) => isTransfer(contracts.collateral, contracts.vaults, owner)(move) && move.amount === amount, after)
  if (out === undefined || vaultOf(attempt) === null) return null
  return effect('withdraw_collateral', attempt, [out], () => ({ changes: [changed(attempt, -amount, 0n)], collateral: amount }))
}

export function matchBorrow(amount: bigint, attempt: Attempt): Match | null {
  const coin = coinOf(attempt)
  if (coin === undefined || vaultOf(attempt) === null) return null
  const minted = attempt.unclaimed.find((move) => isMint(coin, attempt.owner)(move) && move.amount === amount, attempt.after)
  if (minted === undefined) return null
  return effect('increase_debt', attempt, [minted], () => ({ changes: [changed(attempt, 0n, amount)], coins: amount }))
}

/** Coins burned; with the whole debt also all collateral out, less the fee. */
export function matchRepay(amount: bigint, attempt: Attempt): Match | null {
  const { owner, denomination, contracts, running } = attempt
  const vault = vaultOf(attempt)
  if (vault === null) return null
  const isWhole = amount === vault.debt
  for (const burned of burnsOf(amount, attempt)) {
    const paid = isWhole ? payouts([owner, contracts.treasury], vault.collateral, burned.index, attempt) : []
    const [out, ...fee] = paid
    if (isWhole && out === undefined) continue
    return effect(isWhole ? 'close' : 'repay', attempt, [burned, ...paid], () => ({
      changes: [isWhole ? running.set(owner, denomination, null) : changed(attempt, 0n, -amount)],
      coins: amount,
      collateral: out?.amount ?? 0n,
      fee: sum(fee),
    }))
  }
  return null
}

/** No token moves: the vault gets a new owner. The call was made if the operation wrote the new owner's entry or removed the old one. */
function matchTransfer(to: Address, attempt: Attempt): Match | null {
  const { owner, denomination, running } = attempt
  const vault = vaultOf(attempt)
  if (vault === null || !(running.isTouched(to, denomination) || running.isRemoved(owner, denomination))) return null
  return effect('transfer', attempt, [], () => ({
    changes: [running.set(owner, denomination, null), running.set(to, denomination, vault)],
  }))
}

/**
 * Coins burned by the redeemer; collateral to the redeemer, compensation to the owner (from 0.6.0 on), fee to the treasury; of a whole vault
 * also the rest of its collateral to the owner (in 0.4 less a second fee). The vault lost what left the contract.
 * Among several vaults with the lowest index it is the one whose owner was paid.
 */
export function matchRedemption(requested: bigint | null, attempt: Attempt): Match | null {
  const [lowest, ...others] = attempt.running.lowest(attempt.denomination)
  if (lowest === undefined) return null
  const candidates = [lowest, ...others.filter(({ index }) => index === lowest.index)]
  const matches = candidates.flatMap((vault) => redemptionOf(vault, requested, attempt) ?? [])
  return matches.reduce<Match | null>((best, it) => (best === null || it.moves.length > best.moves.length ? it : best), null)
}

function redemptionOf({ owner, amounts }: ListedVault, requested: bigint | null, attempt: Attempt): Match | null {
  const { owner: caller, denomination, contracts, running } = attempt
  const amount = requested ?? amounts.debt
  const isWhole = amount === amounts.debt
  for (const burned of burnsOf(amount, attempt)) {
    const paid = (isWhole ? sharesOfWhole : sharesOfPart)(caller, owner, amounts.collateral, burned.index, attempt)
    const [toCaller, ...rest] = paid
    if (toCaller === undefined || toCaller.to !== caller) continue
    return effect('redemption', attempt, [burned, ...paid], () => ({
      changes: [isWhole ? running.set(owner, denomination, null) : changed({ ...attempt, owner }, -sum(paid), -amount)],
      coins: amount,
      collateral: toCaller.amount,
      returned: sum(rest.filter((move) => move.to === owner)),
      fee: sum(rest.filter((move) => move.to === contracts.treasury)),
    }))
  }
  return null
}

/** Coins for all debts burned by the liquidator; all collateral to the liquidator, less the fee. */
export function matchLiquidation(count: number, attempt: Attempt): Match | null {
  const { owner: caller, denomination, contracts, running } = attempt
  const victims = running.lowest(denomination).slice(0, count)
  if (victims.length < count) return null
  const debt = victims.reduce((total, { amounts }) => total + amounts.debt, 0n)
  const collateral = victims.reduce((total, { amounts }) => total + amounts.collateral, 0n)
  for (const burned of burnsOf(debt, attempt)) {
    const [out, ...fee] = payouts([caller, contracts.treasury], collateral, burned.index, attempt)
    if (out === undefined) continue
    return effect('liquidation', attempt, [burned, out, ...fee], () => ({
      changes: victims.map(({ owner }) => running.set(owner, denomination, null)),
      coins: debt,
      collateral: out.amount,
      fee: sum(fee),
    }))
  }
  return null
}

function effect(kind: StepKind, { denomination, owner }: Attempt, moves: readonly Move[], take: () => Partial<VaultEffect>): Match {
  return { moves, take: () => ({ kind, ...nothing(denomination, owner), ...take() }) }
}

/** An effect in which no amount moved. */
export function nothing(denomination: string, actor: Address | ''): Omit<VaultEffect, 'kind'> {
  return { denomination, actor, changes: [], coins: 0n, collateral: 0n, returned: 0n, fee: 0n }
}

function vaultOf({ running, owner, denomination }: Attempt): Amounts | null {
  return running.of(owner, denomination)
}

function coinOf({ contracts, denomination }: Attempt): ContractId | undefined {
  return contracts.coins.get(denomination)
}

/** Collateral that the account paid in. */
function paymentsIn({ contracts, unclaimed, owner, after }: Attempt): Move[] {
  return unclaimed.all(isTransfer(contracts.collateral, owner, contracts.vaults), after)
}

/** Coins that the account burned. */
function burnsOf(amount: bigint, attempt: Attempt): Move[] {
  const coin = coinOf(attempt)
  return coin === undefined
    ? []
    : attempt.unclaimed.all((move) => isBurn(coin, attempt.owner)(move) && move.amount === amount, attempt.after)
}

/** The fee on collateral paid in is the next move. Null when the amount is wrong; `due` null: any amount. */
function feeOf(due: bigint | null, after: number, { contracts, unclaimed, owner: from }: Attempt): Move[] | null {
  const next = unclaimed.next(after)
  const isFee =
    next !== undefined && isTransfer(contracts.collateral, from, contracts.treasury)(next) && (due === null || next.amount === due)
  if (isFee) return [next]
  return due === null || due === 0n ? [] : null
}

/** The payments out of the contract that follow directly, one to each of these receivers in this order, together at most `most`. */
function payouts(to: readonly Address[], most: bigint, after: number, { contracts, unclaimed }: MatchContext): Move[] {
  const found: Move[] = []
  for (const receiver of to) {
    const next = unclaimed.next(found.at(-1)?.index ?? after)
    if (next === undefined || !isTransfer(contracts.collateral, contracts.vaults, receiver)(next) || sum(found) + next.amount > most) break
    found.push(next)
  }
  return found
}

/** Of a part of a vault: to the redeemer, from 0.6.0 on to the owner, and the fee. The receivers may be the same account, so the order decides. */
function sharesOfPart(caller: Address, owner: Address, most: bigint, after: number, context: MatchContext): Move[] {
  const { treasury } = context.contracts
  const shares = payouts([caller, owner, treasury], most, after, context)
  return shares.length === 3 ? shares : payouts([caller, treasury], most, after, context)
}

/** Of a whole vault: payments to these, in an order that differs between versions, that add up to its collateral. */
function sharesOfWhole(caller: Address, owner: Address, collateral: bigint, after: number, context: MatchContext): Move[] {
  const found: Move[] = []
  for (let left = collateral; left > 0n; ) {
    const [next] = [caller, owner, context.contracts.treasury].flatMap((to) => payouts([to], left, found.at(-1)?.index ?? after, context))
    if (next === undefined) break
    found.push(next)
    left -= next.amount
  }
  return found
}

function changed({ running, owner, denomination }: Attempt, collateral: bigint, debt: bigint): VaultChange {
  const before = running.of(owner, denomination) ?? { collateral: 0n, debt: 0n }
  return running.set(owner, denomination, { collateral: before.collateral + collateral, debt: before.debt + debt })
}
