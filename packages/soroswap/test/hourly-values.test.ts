// Between two actions: at every hour of the recording the newest snapshots have the value of the state of that hour.

import { NO_YIELD } from '@orrery/fold-kit'
import { pricesOf } from '@orrery/pricing'
import { loadNetwork } from '@orrery/protocols'
import { groundTruthRecording } from '@orrery/testkit/ground-truth'
import { hourlyValues, type PositionValue } from '@orrery/testkit/hourly-values'
import { soroswap } from '../src/protocol.ts'
import { positionAnswer } from '../src/view/position.ts'
import { valuePair } from '../src/view/valuation.ts'
import { soroswapView } from '../src/view/view.ts'

const recording = groundTruthRecording()

hourlyValues(soroswap, {
  recording,
  network: () => loadNetwork(recording.registryFile),
  values(network) {
    const view = soroswapView(network)
    const valuer = { network, pricing: pricesOf(network) }
    return (state, slice) => {
      const pools = view.pools(state).flatMap((pool) => view.pool(state, pool, slice, new Map()) ?? [])
      return {
        positions: [...state.pairs.values()].flatMap((pair): PositionValue[] => {
          const valued = valuePair(state, pair, slice, valuer)
          if (valued === null) return []
          // The shares that a pair locks in itself belong to no account.
          const holders = [...pair.holders.keys()].filter((address) => address !== pair.pair)
          return holders.flatMap((address) => {
            const position = positionAnswer(state, valued, address, NO_YIELD, network)
            if (position === null) return []
            const { netUsd, shares } = position
            const values = { suppliedUsd: netUsd, borrowedUsd: '0', depositedUsd: netUsd, netUsd }
            return [{ address, pool: pair.pair, ...values, shares, open: shares > 0n }]
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
  counts: { hours: 1_077, positions: 128_722, pools: 6_300, reserves: 12_600, small: 5_991 },
})
