// The counters of every pair: fees and volume of swaps, and the integral of its value over time.
// Written when something of the pair changed and at the first ledger of an hour, so that they do not depend on batches.

import { countSwaps, type SwapSums } from '@orrery/fold-kit'
import type { PairSwap } from '../chain/events.ts'
import { swapFee } from '../math/constant-product.ts'
import type { Changes } from '../state/changes.ts'
import { counters } from '../state/entries.ts'
import { feesEnabled } from '../state/state.ts'
import type { ValuedPair } from '../view/valuation.ts'
import type { SoroswapLedgerEnd } from './ledger-end.ts'
import type { Operation } from './operation.ts'

export function applyCounters(end: SoroswapLedgerEnd, operations: readonly Operation[], changes: Changes): void {
  const { state, slice } = end
  const swaps = new Map<string, PairSwap[]>()
  for (const { pairs } of operations) {
    for (const seen of pairs) {
      if (seen.owned && seen.name === 'swap') swaps.set(seen.contract, [...(swaps.get(seen.contract) ?? []), seen])
    }
  }
  const changed = [...changes.pairs, ...[...swaps.keys()].flatMap((pair) => state.pairs.get(pair) ?? [])]
  for (const pair of slice.hourStart ? state.pairs.values() : new Set(changed)) {
    // Without its instance the value of a pair is unknown, and a restart could not detect that this partition owns it.
    const valued = pair.owned ? end.value(pair) : null
    if (valued === null) continue
    const swapped = earned(swaps.get(pair.pair) ?? [], valued, feesEnabled(state, pair))
    counters.write(end, { contract: pair.pair }, countSwaps(pair.counters, slice.closeTimeSeconds, [swapped], valued.tvlUsd))
  }
}

/**
 * Fees and volume of swaps by their input, on both sides: a swap may take both tokens. An unpriced token counts nothing. While the protocol fee
 * is on, one sixth of the growth becomes shares of `fee_to` at the next deposit or withdraw.
 */
function earned(swaps: readonly PairSwap[], valued: ValuedPair, hasProtocolFee: boolean): SwapSums {
  let feesUsd = 0n
  let volumeUsd = 0n
  for (const swap of swaps) {
    for (const [n, amount] of swap.amountsIn.entries()) {
      const token = valued.tokens[n]
      feesUsd += token?.value(swapFee(amount)) ?? 0n
      volumeUsd += token?.value(amount) ?? 0n
    }
  }
  return { feesUsd, lpFeesUsd: hasProtocolFee ? (feesUsd * 5n) / 6n : feesUsd, volumeUsd }
}
