// The cost of every holder's shares. The locked shares make the pair a holder of itself: they have no cost.

import { type Holding, worthOfAmounts, writeCosts } from '@orrery/fold-kit'
import type { Address } from '@orrery/ledger'
import type { Changes } from '../state/changes.ts'
import { cost } from '../state/entries.ts'
import { holderOf, type PairState } from '../state/state.ts'
import { valueShares } from '../view/position.ts'
import type { Movement } from './action.ts'
import type { SoroswapLedgerEnd } from './ledger-end.ts'

export function applyCosts(end: SoroswapLedgerEnd, movements: readonly Movement[], changes: Changes): void {
  const moved = movements.flatMap(({ pair: id, holder, kind, shares, amounts }) => {
    const pair = end.state.pairs.get(id)
    const valued = pair === undefined ? null : end.value(pair)
    if (pair === undefined || valued === null || holder === id || shares === 0n) return []
    const paid = () => (amounts === null ? null : worthOfAmounts(amounts, valued.tokens).netUsd)
    return { holding: holdingOf(pair, holder, end, changes), kind, units: shares, amounts, paid }
  })
  const changed = [...changes.sharesBefore].flatMap(([pair, holders]) =>
    [...holders.keys()].flatMap((address) => (address === pair.pair ? [] : holdingOf(pair, address, end, changes))),
  )
  writeCosts(moved, changed, end)
}

function holdingOf(pair: PairState, address: Address, end: SoroswapLedgerEnd, changes: Changes): Holding {
  const holder = holderOf(pair, address)
  const units = holder.shares?.value ?? 0n
  const valued = end.value(pair)
  return {
    pool: pair.pair,
    name: `${pair.pair} ${address}`,
    unitsBefore: changes.sharesBefore.get(pair)?.get(address) ?? units,
    units,
    cost: holder.cost,
    worth: valued === null ? null : (shares) => valueShares(shares, valued).netUsd,
    write: (to) => cost.write(end, { contract: pair.pair, owner: address }, to),
  }
}
