// Between two actions: at every hour of the recording the newest snapshots are what the state of that hour is worth.

import { usdText } from '@orrery/fold-kit'
import { pricesOf } from '@orrery/pricing'
import { loadNetwork } from '@orrery/protocols'
import { groundTruthRecording } from '@orrery/testkit/ground-truth'
import { hourlyValues, type PositionValue } from '@orrery/testkit/hourly-values'
import { aquarius } from '../src/protocol.ts'
import { sharesOf } from '../src/state/state.ts'
import { valuePool } from '../src/view/valuation.ts'
import { aquariusView } from '../src/view/view.ts'
import { worthOfHolder } from '../src/view/worth.ts'

const recording = groundTruthRecording()

hourlyValues(aquarius, {
  recording,
  network: () => loadNetwork(recording.registryFile),
  values(network) {
    const view = aquariusView(network)
    const valuer = { network, pricing: pricesOf(network) }
    return (state, slice) => {
      const pools = view.pools(state).flatMap((pool) => view.pool(state, pool, slice, new Map()) ?? [])
      return {
        positions: [...state.pools.values()].flatMap((pool): PositionValue[] => {
          const valued = valuePool(state, pool, slice, valuer)
          if (valued === null) return []
          return [...pool.holders].map(([address, holder]) => {
            // As `lpPosition` values it. The rewards that it adds are in no snapshot, and cost most of its time.
            const { netUsd: units } = worthOfHolder(holder, valued)
            const [netUsd, shares] = [units === null ? null : usdText(units), sharesOf(holder)]
            const values = { suppliedUsd: netUsd, borrowedUsd: '0', depositedUsd: netUsd, netUsd }
            return { address, pool: pool.pool, ...values, shares, open: shares > 0n }
          })
        }),
        pools: pools.map(({ pool, tvlUsd, unpricedAssets }) => ({ pool, tvlUsd, unpricedAssets })),
        reserves: pools.flatMap(({ pool, reserves }) =>
          reserves.map(({ asset: { asset }, amount, usdValue }) => {
            return { pool, asset, supplied: amount, borrowed: 0n, suppliedUsd: usdValue, borrowedUsd: '0' }
          }),
        ),
      }
    }
  },
  counts: { hours: 1_077, positions: 159_664, pools: 10_511, reserves: 22_097, small: 3_083 },
})
