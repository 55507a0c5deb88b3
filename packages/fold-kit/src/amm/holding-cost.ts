// What the units of a holding cost, and the tokens that were deposited for them. The tokens show what holding them instead of depositing would be
// worth now: the difference is impermanent loss and fees together.

import { acquire, type Cost } from '../cost.ts'
import { type MovementKind, type MovementValue, matchUnits, moveUnits } from '../moved-units.ts'
import { costValue } from '../state/common-values.ts'
import { integer, list, type Members, object, optional } from '../state/stored-value.ts'
import { type UsdUnits, usdSum } from '../usd-units.ts'
import type { ValuedToken } from '../valued-token.ts'

/** Raw amounts in the pool's token order, those of several deposits together. Empty: nothing was deposited. Null: unknown. */
export type Deposited = readonly bigint[] | null

export interface HoldingCost {
  readonly cost: Cost
  /** Null where units arrived by a transfer or without an event, or before the first indexed ledger. */
  readonly deposited: Deposited
}

/** A row of an adapter version that did not store what was deposited is read as unknown. */
export const holdingCostValue: Members<HoldingCost> = object({ cost: costValue, deposited: optional<Deposited>(list(integer), null) })

/** How an event moved units. */
export interface UnitsMoved {
  readonly kind: MovementKind
  /** Raw. */
  readonly units: bigint
  /** Raw tokens of a deposit, in the pool's order. Null where they are unknown. */
  readonly amounts: Deposited
}

/** The cost and the deposited tokens after a movement. Units that go out take their part of both with them. */
export function moveHolding(before: HoldingCost | null, moved: UnitsMoved, value: MovementValue, ledger: number): HoldingCost {
  const cost = moveUnits(before?.cost ?? null, moved.kind, moved.units, value, ledger)
  return { cost, deposited: depositedAfter(before, moved) }
}

/** With as many units as the entry has. What came without an event was deposited by a way that is unknown. */
export function matchHolding(before: HoldingCost | null, units: bigint, value: Pick<MovementValue, 'worth'>, ledger: number): HoldingCost {
  const counted = before?.cost.units ?? 0n
  const cost = matchUnits(before?.cost ?? null, units, value, ledger)
  return { cost, deposited: units > counted ? null : withoutUnits(before, counted - units) }
}

/** Units that predate the index. */
export function inheritedHolding(units: bigint, worth: MovementValue['worth'], ledger: number): HoldingCost {
  return { cost: acquire(null, units, worth(units), ledger, 'inferred'), deposited: null }
}

/** USD of deposited tokens at the prices of now. Null where they are unknown, or one has no price. */
export function worthOfDeposited(deposited: Deposited, tokens: readonly ValuedToken[]): UsdUnits | null {
  if (deposited === null) return null
  return usdSum(deposited.map((amount, n) => tokens[n]?.value(amount) ?? null))
}

/** Over several holdings; unknown where one is. */
export function sumOfDeposited(parts: readonly Deposited[]): Deposited {
  return parts.reduce<Deposited>((sum, part) => (sum === null || part === null ? null : added(sum, part)), [])
}

function depositedAfter(before: HoldingCost | null, { kind, units, amounts }: UnitsMoved): Deposited {
  const known = before === null || before.cost.units === 0n ? [] : before.deposited
  if (kind === 'fees' || units === 0n) return known
  switch (kind) {
    case 'deposit':
      return known === null || amounts === null ? null : added(known, amounts)
    case 'fee_mint':
      return known // minted for a part of the pool's fees: nothing was paid in
    case 'transfer_in':
      return null
    case 'withdraw':
    case 'transfer_out':
    case 'burn':
      return withoutUnits(before, units)
  }
}

/** Half up, as the cost is released: see `release`. */
function withoutUnits(before: HoldingCost | null, units: bigint): Deposited {
  const held = before?.cost.units ?? 0n
  if (before === null || units >= held) return []
  const { deposited } = before
  return deposited === null ? null : deposited.map((amount) => amount - (amount * units * 2n + held) / (held * 2n))
}

function added(a: readonly bigint[], b: readonly bigint[]): readonly bigint[] {
  return Array.from({ length: Math.max(a.length, b.length) }, (_, n) => (a[n] ?? 0n) + (b[n] ?? 0n))
}
