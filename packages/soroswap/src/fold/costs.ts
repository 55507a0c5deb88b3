// The cost of every holder's shares, updated by the movements of one ledger.
// Movements come from events and shares from entries; where they disagree the entry is right, and a notice is written.

import { acquire, type Cost, matchUnits, moveUnits, type UsdUnits, usdSum } from '@orrery/fold-kit'
import type { Address } from '@orrery/ledger'
import type { Changes } from '../state/changes.ts'
import { cost } from '../state/entries.ts'
import { holderOf, type PairState } from '../state/state.ts'
import { valueShares } from '../view/position.ts'
import type { ValuedPair } from '../view/valuation.ts'
import type { Movement } from './action.ts'
import type { SoroswapLedgerEnd } from './ledger-end.ts'

export function applyCosts(end: SoroswapLedgerEnd, movements: readonly Movement[], changes: Changes): void {
  const moved = new Map<PairState, Set<Address>>()
  for (const movement of movements) {
    const pair = end.state.pairs.get(movement.pair)
    const valued = pair === undefined ? null : end.value(pair)
    if (pair === undefined || valued === null || movement.holder === pair.pair || movement.shares === 0n) continue
    const holder = holderOf(pair, movement.holder)
    const before = holder.cost ?? inherited(pair, movement.holder, valued, changes, end)
    const value = { paid: () => paid(movement, valued), worth: (shares: bigint) => worth(shares, valued) }
    holder.cost = moveUnits(before, movement.kind, movement.shares, value, end.slice.ledger)
    collect(moved, pair, movement.holder)
  }
  for (const [pair, holders] of changes.sharesBefore) for (const holder of holders.keys()) collect(moved, pair, holder)
  for (const [pair, holders] of moved) for (const holder of holders) settle(pair, holder, end)
}

function paid({ amounts }: Movement, valued: ValuedPair): UsdUnits | null {
  return amounts === null ? null : usdSum([valued.tokens[0].value(amounts[0]), valued.tokens[1].value(amounts[1])])
}

function worth(shares: bigint, valued: ValuedPair): UsdUnits | null {
  return valueShares(shares, valued).netUsd
}

/** Shares that predate the index: their cost is their value at their first change. */
function inherited(pair: PairState, holder: Address, valued: ValuedPair, changes: Changes, { slice }: SoroswapLedgerEnd): Cost | null {
  const shares = changes.sharesBefore.get(pair)?.get(holder) ?? pair.holders.get(holder)?.shares?.value ?? 0n
  return shares === 0n ? null : acquire(null, shares, worth(shares, valued), slice.ledger, 'inferred')
}

/** Writes the cost, after making its units equal to the shares that the entry has. */
function settle(pair: PairState, address: Address, end: SoroswapLedgerEnd): void {
  if (address === pair.pair) return
  const holder = holderOf(pair, address)
  const shares = holder.shares?.value ?? 0n
  const valued = end.value(pair)
  if ((holder.cost?.units ?? 0n) !== shares && valued !== null) {
    end.journal.notice(pair.pair, 'invariant', 'share events do not add up to the balance')
    holder.cost = matchUnits(holder.cost, shares, { worth: (amount) => worth(amount, valued) }, end.slice.ledger)
  }
  if (holder.cost === null) return
  cost.write(end, { contract: pair.pair, owner: address }, holder.cost)
}

function collect(moved: Map<PairState, Set<Address>>, pair: PairState, holder: Address): void {
  const holders = moved.get(pair) ?? new Set<Address>()
  moved.set(pair, holders.add(holder))
}
