// The snapshot rows of a pair. The locked shares make the pair a holder of itself: they are part of the supply and no position.

import { type LpSeries, lpSnapshots, type Snapshots, writesLoss } from '@orrery/fold-kit'
import type { Address } from '@orrery/ledger'
import type { Changes } from '../state/changes.ts'
import type { PairState } from '../state/state.ts'
import { valueShares } from '../view/position.ts'
import type { SoroswapLedgerEnd } from './ledger-end.ts'
import { lostUsd } from './losses.ts'

export function takeSnapshots(end: SoroswapLedgerEnd, changes: Changes): Snapshots {
  const { state, slice, journal } = end
  const due = slice.hourStart ? [...state.pairs.values()].filter((pair) => pair.owned) : [...changes.pairs]
  return lpSnapshots(
    due.flatMap((pair) => seriesOf(pair, end, changes) ?? []),
    slice,
    journal,
  )
}

function seriesOf(pair: PairState, end: SoroswapLedgerEnd, changes: Changes): LpSeries | null {
  const valued = end.value(pair)
  if (valued === null) return null
  const { pool, tokens, reserves, balances } = valued
  const { slice, journal } = end
  const before = changes.pairsBefore.get(pair)
  return {
    ...valued,
    pool: pair.pair,
    shareSupply: pool.totalSupply,
    counters: pair.counters,
    native: {
      tokens: tokens.map((token) => token.info.asset),
      reserves: reserves.map(String),
      balances: balances.map(String),
      prices_usd: tokens.map((token) => token.price?.usd ?? null),
      k_last: pool.kLast.toString(),
      fees_enabled: pool.feesEnabled,
    },
    // Once filled, a pair keeps its locked shares for ever.
    isOpen: pool.totalSupply > 0n || balances.some((balance) => balance > 0n),
    isChanged: changes.pairs.has(pair),
    changedHolders: new Set([...(changes.sharesBefore.get(pair)?.keys() ?? [])].filter((address) => address !== pair.pair)),
    isLoss: before !== undefined && writesLoss(pair.pair, pair, lostUsd(before, valued), slice, journal),
    small: pair.small,
    openHolders: () => [...pair.holders.keys()].filter((address) => address !== pair.pair && sharesOf(pair, address) > 0n),
    position(address) {
      const shares = sharesOf(pair, address)
      return { shares, worth: valueShares(shares, valued) }
    },
  }
}

function sharesOf({ holders }: PairState, address: Address): bigint {
  return holders.get(address)?.shares?.value ?? 0n
}
