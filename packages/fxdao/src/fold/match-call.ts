// Matches a call with the token moves that it made, and derives the step from them.
// Every function emits its moves in one order; moves that the arguments require must be among them, or the call was authorised and not made.
// Source: FxDAO/FxDAO-SC contracts/vaults/src/contract.rs; docs/protocols/fxdao.md, "Calls and what they move".

import type { Address } from '@orrery/ledger'
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

/** The moves of a call after event `after`, or null when they are not there. */
export function matchCall(call: Call, after: number, context: MatchContext): Match | null {
  switch (call.name) {
    case 'new_vault':
      return matchOpen(call.owner, call.denomination, call, after, context)
    case 'increase_collateral':
      return matchIncrease(call.owner, call.denomination, call.amount, after, context)
    case 'withdraw_collateral':
      return matchWithdraw(call.owner, call.denomination, call.amount, after, context)
    case 'increase_debt':
      return matchBorrow(call.owner, call.denomination, call.amount, after, context)
    case 'pay_debt':
      return matchRepay(call.owner, call.denomination, call.amount, after, context)
    case 'transfer_debt':
      return matchTransfer(call.owner, call.to, call.denomination, context)
    case 'redeem':
      return matchRedemption(call.caller, call.denomination, call.amount, after, context)
    case 'liquidate':
      return matchLiquidation(call.caller, call.denomination, call.vaults, after, context)
    default:
      return null
  }
}

/** Collateral in, coins minted, fee to the treasury. `requested` null: any amounts. */
export function matchOpen(
  owner: Address,
  denomination: string,
  requested: { readonly collateral: bigint; readonly debt: bigint } | null,
  after: number,
  context: MatchContext,
): Match | null {
  const { contracts, unclaimed, running } = context
  const coin = contracts.coins.get(denomination)
  if (coin === undefined || running.of(owner, denomination) !== null) return null
  for (const paid of unclaimed.all(isTransfer(contracts.collateral, owner, contracts.vaults), after)) {
    const minted = unclaimed.next(paid.index)
    if (minted === undefined || !isMint(coin, owner)(minted) || (requested !== null && minted.amount !== requested.debt)) continue
    const fee = feeOf(owner, requested === null ? null : requested.collateral - paid.amount, minted.index, context)
    if (fee === null) continue
    return {
      moves: [paid, minted, ...fee],
      take: () => ({
        ...nothing('open', denomination, owner),
        changes: [running.set(owner, denomination, { collateral: paid.amount, debt: minted.amount })],
        coins: minted.amount,
        collateral: paid.amount + sum(fee),
        fee: sum(fee),
      }),
    }
  }
  return null
}

/** Collateral in, fee to the treasury. `requested` null: any amount. */
export function matchIncrease(
  owner: Address,
  denomination: string,
  requested: bigint | null,
  after: number,
  context: MatchContext,
): Match | null {
  const { contracts, unclaimed, running } = context
  if (running.of(owner, denomination) === null) return null
  for (const paid of unclaimed.all(isTransfer(contracts.collateral, owner, contracts.vaults), after)) {
    const fee = feeOf(owner, requested === null ? null : requested - paid.amount, paid.index, context)
    if (fee === null) continue
    return {
      moves: [paid, ...fee],
      take: () => ({
        ...nothing('increase_collateral', denomination, owner),
        changes: [changed(running, owner, denomination, paid.amount, 0n)],
        collateral: paid.amount + sum(fee),
        fee: sum(fee),
      }),
    }
  }
  return null
}

export function matchWithdraw(owner: Address, denomination: string, amount: bigint, after: number, context: MatchContext): Match | null {
  const { contracts, unclaimed, running } = context
  const out = unclaimed.find((move) => isTransfer(contracts.collateral, contracts.vaults, owner)(move) && move.amount === amount, after)
  if (out === undefined || running.of(owner, denomination) === null) return null
  return {
    moves: [out],
    take: () => ({
      ...nothing('withdraw_collateral', denomination, owner),
      changes: [changed(running, owner, denomination, -amount, 0n)],
      collateral: amount,
    }),
  }
}

export function matchBorrow(owner: Address, denomination: string, amount: bigint, after: number, context: MatchContext): Match | null {
  const { contracts, unclaimed, running } = context
  const coin = contracts.coins.get(denomination)
  if (coin === undefined || running.of(owner, denomination) === null) return null
  const minted = unclaimed.find((move) => isMint(coin, owner)(move) && move.amount === amount, after)
  if (minted === undefined) return null
  return {
    moves: [minted],
    take: () => ({
      ...nothing('increase_debt', denomination, owner),
      changes: [changed(running, owner, denomination, 0n, amount)],
      coins: amount,
    }),
  }
}

/** Coins burned; with the whole debt also all collateral out, less the fee. */
export function matchRepay(owner: Address, denomination: string, amount: bigint, after: number, context: MatchContext): Match | null {
  const { contracts, running } = context
  const vault = running.of(owner, denomination)
  if (vault === null) return null
  const isWhole = amount === vault.debt
  for (const burned of burnsOf(owner, denomination, amount, after, context)) {
    const paid = isWhole ? payouts([owner, contracts.treasury], vault.collateral, burned.index, context) : []
    const [out, ...fee] = paid
    if (isWhole && out === undefined) continue
    return {
      moves: [burned, ...paid],
      take: () => ({
        ...nothing(isWhole ? 'close' : 'repay', denomination, owner),
        changes: [isWhole ? running.set(owner, denomination, null) : changed(running, owner, denomination, 0n, -amount)],
        coins: amount,
        collateral: out?.amount ?? 0n,
        fee: sum(fee),
      }),
    }
  }
  return null
}

/** No token moves: the vault gets a new owner. The call was made if the operation wrote the new owner's entry or removed the old one. */
function matchTransfer(owner: Address, to: Address, denomination: string, { running }: MatchContext): Match | null {
  const vault = running.of(owner, denomination)
  if (vault === null || !(running.isTouched(to, denomination) || running.isRemoved(owner, denomination))) return null
  return {
    moves: [],
    take: () => ({
      ...nothing('transfer', denomination, owner),
      changes: [running.set(owner, denomination, null), running.set(to, denomination, vault)],
    }),
  }
}

/**
 * Coins burned by the redeemer; collateral to the redeemer, compensation to the owner (from 0.6.0 on), fee to the treasury; of a whole vault
 * also the rest of its collateral to the owner (in 0.4 less a second fee). The vault lost what left the contract.
 * Among several vaults with the lowest index it is the one whose owner was paid.
 */
export function matchRedemption(
  caller: Address,
  denomination: string,
  requested: bigint | null,
  after: number,
  context: MatchContext,
): Match | null {
  const [lowest, ...others] = context.running.lowest(denomination)
  if (lowest === undefined) return null
  const candidates = [lowest, ...others.filter(({ index }) => index === lowest.index)]
  const matches = candidates.flatMap((vault) => redemptionOf(vault, caller, denomination, requested, after, context) ?? [])
  return matches.reduce<Match | null>((best, it) => (best === null || it.moves.length > best.moves.length ? it : best), null)
}

function redemptionOf(
  { owner, amounts }: ListedVault,
  caller: Address,
  denomination: string,
  requested: bigint | null,
  after: number,
  context: MatchContext,
): Match | null {
  const { running } = context
  const amount = requested ?? amounts.debt
  const isWhole = amount === amounts.debt
  for (const burned of burnsOf(caller, denomination, amount, after, context)) {
    const paid = isWhole
      ? sharesOfWhole(caller, owner, amounts.collateral, burned.index, context)
      : sharesOfPart(caller, owner, amounts.collateral, burned.index, context)
    const [toCaller, ...rest] = paid
    if (toCaller === undefined || toCaller.to !== caller) continue
    return {
      moves: [burned, ...paid],
      take: () => ({
        ...nothing('redemption', denomination, caller),
        changes: [isWhole ? running.set(owner, denomination, null) : changed(running, owner, denomination, -sum(paid), -amount)],
        coins: amount,
        collateral: toCaller.amount,
        returned: sum(rest.filter((move) => move.to === owner)),
        fee: sum(rest.filter((move) => move.to === context.contracts.treasury)),
      }),
    }
  }
  return null
}

/** Coins for all debts burned by the liquidator; all collateral to the liquidator, less the fee. */
export function matchLiquidation(caller: Address, denomination: string, count: number, after: number, context: MatchContext): Match | null {
  const { contracts, running } = context
  const victims = running.lowest(denomination).slice(0, count)
  if (victims.length < count) return null
  const debt = victims.reduce((total, { amounts }) => total + amounts.debt, 0n)
  const collateral = victims.reduce((total, { amounts }) => total + amounts.collateral, 0n)
  for (const burned of burnsOf(caller, denomination, debt, after, context)) {
    const [out, ...fee] = payouts([caller, contracts.treasury], collateral, burned.index, context)
    if (out === undefined) continue
    return {
      moves: [burned, out, ...fee],
      take: () => ({
        ...nothing('liquidation', denomination, caller),
        changes: victims.map(({ owner }) => running.set(owner, denomination, null)),
        coins: debt,
        collateral: out.amount,
        fee: sum(fee),
      }),
    }
  }
  return null
}

function burnsOf(from: Address, denomination: string, amount: bigint, after: number, { contracts, unclaimed }: MatchContext): Move[] {
  const coin = contracts.coins.get(denomination)
  return coin === undefined ? [] : unclaimed.all((move) => isBurn(coin, from)(move) && move.amount === amount, after)
}

/** The fee on collateral paid in is the next move. Null when the amount is wrong; `due` null: any amount. */
function feeOf(from: Address, due: bigint | null, after: number, { contracts, unclaimed }: MatchContext): Move[] | null {
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

function nothing(kind: StepKind, denomination: string, actor: Address): VaultEffect {
  return { kind, denomination, actor, changes: [], coins: 0n, collateral: 0n, returned: 0n, fee: 0n }
}

function changed(running: RunningVaults, owner: Address, denomination: string, collateral: bigint, debt: bigint): VaultChange {
  const before: Amounts = running.of(owner, denomination) ?? { collateral: 0n, debt: 0n }
  return running.set(owner, denomination, { collateral: before.collateral + collateral, debt: before.debt + debt })
}
