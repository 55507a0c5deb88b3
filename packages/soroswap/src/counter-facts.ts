// The counters of every pair: fees and volume of swaps, and the integral of its value over time.
// Written when something of the pair changed and at the first ledger of an hour, so that what they say does not hang on batches.

import { countSwaps, type SwapSums } from '@orrery/fold-kit'
import type { Changes } from './apply-records.ts'
import type { PairSwap } from './events.ts'
import { swapFee } from './math.ts'
import type { Moment } from './moment.ts'
import type { Operation, Seen } from './operation.ts'
import { feesEnabled } from './state.ts'
import { encode, stateKey } from './state-rows.ts'
import type { ValuedPair } from './valuation.ts'

export function applyCounters(moment: Moment, operations: readonly Operation[], changes: Changes): void {
  const { state, slice, journal } = moment
  const swaps = new Map<string, PairSwap[]>()
  for (const { pairs } of operations) {
    for (const seen of pairs) {
      if (seen.owned && isSwap(seen)) swaps.set(seen.contract, [...(swaps.get(seen.contract) ?? []), seen.event])
    }
  }
  const changed = [...changes.pairs, ...[...swaps.keys()].flatMap((pair) => state.pairs.get(pair) ?? [])]
  for (const pair of slice.hourStart ? state.pairs.values() : new Set(changed)) {
    // Without its instance a pair is worth nothing that we know, and a restart could not tell that it is ours.
    const valued = pair.owned ? moment.value(pair) : null
    if (valued === null) continue
    const swapped = earned(swaps.get(pair.pair) ?? [], valued, feesEnabled(state, pair))
    pair.counters = countSwaps(pair.counters, slice.closeTimeSeconds, [swapped], valued.tvlUsd)
    journal.write({ contract: pair.pair, key: stateKey.counters, durability: 'fact', value: encode.counters(pair.counters) })
  }
}

/**
 * Fees and volume of swaps by what went in, both sides: a swap may take both tokens. An unpriced token counts nothing. While the protocol fee
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

function isSwap(seen: Seen<{ readonly name: string }>): seen is Seen<PairSwap> {
  return seen.event.name === 'swap'
}
