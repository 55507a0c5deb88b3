// A call and the tokens that it moved: which of the operation's moves are its own, and what they say it did.
// Every function emits its moves in one order; what the arguments ask for must be among them, or the call was authorised and not made.
// Source: FxDAO/FxDAO-SC contracts/vaults/src/contract.rs; docs/protocols/fxdao.md, "Calls and what they move".

import type { Address } from '@orrery/ledger'
import type { Call } from './calls.ts'
import { isBurn, isMint, isTransfer, type Move, type Unclaimed } from './money.ts'
import type { RunningVaults } from './running-vaults.ts'
import type { Amounts, Setting, Step, StepKind, VaultChange } from './step.ts'

/** What a step is before its place in the operation is known. */
export type Deed = Omit<Step, 'function' | 'eventIndex' | 'witness'>

export interface Match {
  readonly moves: readonly Move[]
  /** Moves the vaults on and tells what happened. */
  take(): Deed
}

export interface Scene {
  readonly setting: Setting
  readonly unclaimed: Unclaimed
  readonly running: RunningVaults
}

/** The moves of a call after event `after`, or null when they are not there. */
export function matchCall(call: Call, after: number, scene: Scene): Match | null {
  switch (call.name) {
    case 'new_vault':
      return matchOpen(call.owner, call.denomination, call.debt, after, scene)
    case 'increase_collateral':
      return matchIncrease(call.owner, call.denomination, after, scene)
    case 'withdraw_collateral':
      return matchWithdraw(call.owner, call.denomination, call.amount, after, scene)
    case 'increase_debt':
      return matchBorrow(call.owner, call.denomination, call.amount, after, scene)
    case 'pay_debt':
      return matchRepay(call.owner, call.denomination, call.amount, after, scene)
    case 'transfer_debt':
      return matchTransfer(call.owner, call.to, call.denomination, scene)
    case 'redeem':
      return matchRedemption(call.caller, call.denomination, call.amount, after, scene)
    case 'liquidate':
      return matchLiquidation(call.caller, call.denomination, call.vaults, after, scene)
    default:
      return null
  }
}

/** Collateral in, coins minted, fee to the treasury. `debt` null: whatever was minted. */
export function matchOpen(owner: Address, denomination: string, debt: bigint | null, after: number, scene: Scene): Match | null {
  const { setting, unclaimed, running } = scene
  const coin = setting.coins.get(denomination)
  const paid = unclaimed.find(isTransfer(setting.collateral, owner, setting.vaults), after)
  if (coin === undefined || paid === undefined || running.of(owner, denomination) !== null) return null
  const minted = unclaimed.find((move) => isMint(coin, owner)(move) && (debt === null || move.amount === debt), paid.index)
  if (minted === undefined) return null
  const fee = feeOf(owner, minted.index, scene)
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

/** Collateral in, fee to the treasury. */
export function matchIncrease(owner: Address, denomination: string, after: number, scene: Scene): Match | null {
  const { setting, unclaimed, running } = scene
  const paid = unclaimed.find(isTransfer(setting.collateral, owner, setting.vaults), after)
  if (paid === undefined || running.of(owner, denomination) === null) return null
  const fee = feeOf(owner, paid.index, scene)
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

export function matchWithdraw(owner: Address, denomination: string, amount: bigint, after: number, scene: Scene): Match | null {
  const { setting, unclaimed, running } = scene
  const out = unclaimed.find((move) => isTransfer(setting.collateral, setting.vaults, owner)(move) && move.amount === amount, after)
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

export function matchBorrow(owner: Address, denomination: string, amount: bigint, after: number, scene: Scene): Match | null {
  const { setting, unclaimed, running } = scene
  const coin = setting.coins.get(denomination)
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
export function matchRepay(owner: Address, denomination: string, amount: bigint, after: number, scene: Scene): Match | null {
  const { setting, unclaimed, running } = scene
  const burned = burnOf(owner, denomination, amount, after, scene)
  const vault = running.of(owner, denomination)
  if (burned === undefined || vault === null) return null
  if (amount !== vault.debt) {
    return {
      moves: [burned],
      take: () => ({
        ...nothing('repay', denomination, owner),
        changes: [changed(running, owner, denomination, 0n, -amount)],
        coins: amount,
      }),
    }
  }
  const out = unclaimed.find(isTransfer(setting.collateral, setting.vaults, owner), burned.index)
  const fee = out === undefined ? [] : payouts([setting.treasury], out.index, 1, scene)
  return {
    moves: [burned, ...(out === undefined ? [] : [out]), ...fee],
    take: () => ({
      ...nothing('close', denomination, owner),
      changes: [running.set(owner, denomination, null)],
      coins: amount,
      collateral: out?.amount ?? 0n,
      fee: sum(fee),
    }),
  }
}

/** No token moves: the vault has another owner. */
function matchTransfer(owner: Address, to: Address, denomination: string, { running }: Scene): Match | null {
  const vault = running.of(owner, denomination)
  if (vault === null) return null
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
 * also the rest of its collateral to the owner (in 0.4 less a second fee). What left the contract is what the vault lost.
 */
export function matchRedemption(caller: Address, denomination: string, asked: bigint | null, after: number, scene: Scene): Match | null {
  const { setting, running } = scene
  const lowest = running.lowest(denomination)[0]
  if (lowest === undefined) return null
  const { owner, amounts } = lowest
  const amount = asked ?? amounts.debt
  const burned = burnOf(caller, denomination, amount, after, scene)
  if (burned === undefined) return null
  const isWhole = amount === amounts.debt
  const paid = isWhole
    ? payoutsOf(amounts.collateral, [caller, owner, setting.treasury], burned.index, scene)
    : payoutsUntilFee([caller, owner], burned.index, scene)
  const [toCaller, ...rest] = paid
  const received = toCaller?.to === caller ? toCaller.amount : 0n
  const fee = sum(paid.filter((move) => move.to === setting.treasury && move !== toCaller))
  return {
    moves: [burned, ...paid],
    take: () => ({
      ...nothing('redemption', denomination, caller),
      changes: [isWhole ? running.set(owner, denomination, null) : changed(running, owner, denomination, -sum(paid), -amount)],
      coins: amount,
      collateral: received,
      returned: sum(rest.filter((move) => move.to === owner)),
      fee,
    }),
  }
}

/** Coins for all debts burned by the liquidator; all collateral to the liquidator, less the fee. */
export function matchLiquidation(caller: Address, denomination: string, count: number, after: number, scene: Scene): Match | null {
  const { setting, running, unclaimed } = scene
  const victims = running.lowest(denomination).slice(0, count)
  const debt = victims.reduce((total, { amounts }) => total + amounts.debt, 0n)
  const burned = burnOf(caller, denomination, debt, after, scene)
  if (victims.length < count || burned === undefined) return null
  const out = unclaimed.find(isTransfer(setting.collateral, setting.vaults, caller), burned.index)
  const fee = out === undefined ? [] : payouts([setting.treasury], out.index, 1, scene)
  return {
    moves: [burned, ...(out === undefined ? [] : [out]), ...fee],
    take: () => ({
      ...nothing('liquidation', denomination, caller),
      changes: victims.map(({ owner }) => running.set(owner, denomination, null)),
      coins: debt,
      collateral: out?.amount ?? 0n,
      fee: sum(fee),
    }),
  }
}

function burnOf(from: Address, denomination: string, amount: bigint, after: number, { setting, unclaimed }: Scene): Move | undefined {
  const coin = setting.coins.get(denomination)
  return coin === undefined ? undefined : unclaimed.find((move) => isBurn(coin, from)(move) && move.amount === amount, after)
}

/** The fee on what comes in follows at once. */
function feeOf(from: Address, after: number, { setting, unclaimed }: Scene): Move[] {
  const next = unclaimed.next(after)
  return next !== undefined && isTransfer(setting.collateral, from, setting.treasury)(next) ? [next] : []
}

/** The payments out of the contract that follow at once, to any of these, at most so many. */
function payouts(to: readonly Address[], after: number, most: number, { setting, unclaimed }: Scene): Move[] {
  const found: Move[] = []
  let last = after
  while (found.length < most) {
    const next = unclaimed.next(last)
    if (next === undefined || next.token !== setting.collateral || next.from !== setting.vaults || !to.includes(next.to ?? '')) break
    found.push(next)
    last = next.index
  }
  return found
}

/** Payments up to the one to the treasury: the shares of a partial redemption. */
function payoutsUntilFee(to: readonly Address[], after: number, scene: Scene): Move[] {
  const all = payouts([...to, scene.setting.treasury], after, 3, scene)
  const fee = all.findIndex((move) => move.to === scene.setting.treasury)
  return fee < 0 ? all : all.slice(0, fee + 1)
}

/** Payments that add up to a whole collateral. */
function payoutsOf(collateral: bigint, to: readonly Address[], after: number, scene: Scene): Move[] {
  const found: Move[] = []
  let left = collateral
  for (const move of payouts(to, after, 5, scene)) {
    if (left <= 0n || move.amount > left) break
    found.push(move)
    left -= move.amount
  }
  return found
}

function nothing(kind: StepKind, denomination: string, actor: Address): Deed {
  return { kind, denomination, actor, changes: [], coins: 0n, collateral: 0n, returned: 0n, fee: 0n }
}

function changed(running: RunningVaults, owner: Address, denomination: string, collateral: bigint, debt: bigint): VaultChange {
  const before: Amounts = running.of(owner, denomination) ?? { collateral: 0n, debt: 0n }
  return running.set(owner, denomination, { collateral: before.collateral + collateral, debt: before.debt + debt })
}

function sum(moves: readonly Move[]): bigint {
  return moves.reduce((total, { amount }) => total + amount, 0n)
}
