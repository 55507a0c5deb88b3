// The cost of every holder's shares, carried along with the movements of one ledger.
// Movements come from events and shares from entries; where they disagree the entry is right, and a notice says so.

import { acquire, type Cost, release, type UsdUnits, usdSum } from '@orrery/fold-kit'
import type { Address } from '@orrery/ledger'
import type { Movement } from './action.ts'
import type { Changes } from './apply-records.ts'
import type { Moment } from './moment.ts'
import { valueShares } from './position.ts'
import { holderOf, type PairState } from './state.ts'
import { encode, stateKey } from './state-rows.ts'
import type { ValuedPair } from './valuation.ts'

export function applyCosts(moment: Moment, movements: readonly Movement[], changes: Changes): void {
  const moved = new Map<PairState, Set<Address>>()
  for (const movement of movements) {
    const pair = moment.state.pairs.get(movement.pair)
    const valued = pair === undefined ? null : moment.value(pair)
    if (pair === undefined || valued === null || movement.holder === pair.pair || movement.shares === 0n) continue
    const holder = holderOf(pair, movement.holder)
    holder.cost = move(holder.cost ?? inherited(pair, movement.holder, valued, changes, moment), movement, valued, moment)
    remember(moved, pair, movement.holder)
  }
  for (const [pair, holders] of changes.sharesBefore) for (const holder of holders.keys()) remember(moved, pair, holder)
  for (const [pair, holders] of moved) for (const holder of holders) settle(pair, holder, moment)
}

function move(cost: Cost | null, movement: Movement, valued: ValuedPair, { slice }: Moment): Cost {
  const { kind, shares } = movement
  switch (kind) {
    case 'deposit':
      return acquire(cost, shares, paid(movement, valued), slice.ledger, 'exact')
    case 'fee_mint':
      return acquire(cost, shares, 0n, slice.ledger, 'exact')
    case 'transfer_in':
      return acquire(cost, shares, valueShares(shares, valued).netUsd, slice.ledger, 'inferred')
    case 'withdraw':
      return release(cost ?? NEVER, shares, paid(movement, valued))
    case 'transfer_out':
      return release(cost ?? NEVER, shares, valueShares(shares, valued).netUsd)
    case 'burn':
      return release(cost ?? NEVER, shares, 0n)
  }
}

/** Shares that left before any came: the events contradict themselves, and `settle` will say so. */
const NEVER: Cost = { units: 0n, costUsd: 0n, realizedUsd: 0n, openedLedger: 0, confidence: 'inferred' }

function paid({ amounts }: Movement, valued: ValuedPair): UsdUnits | null {
  return amounts === null ? null : usdSum([valued.tokens[0].value(amounts[0]), valued.tokens[1].value(amounts[1])])
}

/** Shares from before the index began: at their value when they are first seen to move. */
function inherited(pair: PairState, holder: Address, valued: ValuedPair, changes: Changes, { slice }: Moment): Cost | null {
  const shares = changes.sharesBefore.get(pair)?.get(holder) ?? pair.holders.get(holder)?.shares?.value ?? 0n
  return shares === 0n ? null : acquire(null, shares, valueShares(shares, valued).netUsd, slice.ledger, 'inferred')
}

/** Writes the cost, after making its units equal to the shares that the entry has. */
function settle(pair: PairState, address: Address, moment: Moment): void {
  if (address === pair.pair) return
  const holder = holderOf(pair, address)
  const shares = holder.shares?.value ?? 0n
  const valued = moment.value(pair)
  const units = holder.cost?.units ?? 0n
  if (units !== shares && valued !== null) {
    moment.journal.notice(pair.pair, 'invariant', 'share events do not add up to the balance')
    const worth = (amount: bigint) => valueShares(amount, valued).netUsd
    holder.cost =
      shares > units
        ? acquire(holder.cost, shares - units, worth(shares - units), moment.slice.ledger, 'inferred')
        : release(holder.cost ?? NEVER, units - shares, worth(units - shares))
  }
  if (holder.cost === null) return
  moment.journal.write({
    contract: pair.pair,
    key: stateKey.cost(address),
    owner: address,
    durability: 'fact',
    value: encode.cost(holder.cost),
  })
}

function remember(moved: Map<PairState, Set<Address>>, pair: PairState, holder: Address): void {
  const holders = moved.get(pair) ?? new Set<Address>()
  moved.set(pair, holders.add(holder))
}
