// Between two actions: at every hour of the recording the newest snapshots are what the state of that hour is worth.

import { pricesOf } from '@orrery/pricing'
import { loadNetwork } from '@orrery/protocols'
import { groundTruthRecording } from '@orrery/testkit/ground-truth'
import { hourlyValues, type PositionValue } from '@orrery/testkit/hourly-values'
import { blend } from '../src/protocol.ts'
import { lendingPosition } from '../src/view/position.ts'
import { valuePool } from '../src/view/valuation.ts'
import { blendView } from '../src/view/view.ts'

const recording = groundTruthRecording()

hourlyValues(blend, {
  recording,
  network: () => loadNetwork(recording.registryFile),
  values(network) {
    const view = blendView(network)
    const valuer = { network, pricing: pricesOf(network) }
    return (state, slice) => {
      const pools = view.pools(state).flatMap((pool) => view.pool(state, pool, slice) ?? [])
      return {
        positions: [...state.pools.values()].flatMap((pool): PositionValue[] => {
          const valued = valuePool(state, pool, slice, valuer)
          if (valued === null) return []
          return [...pool.accounts.keys()].flatMap((address) => {
            const position = lendingPosition(valued, address)
            if (position === null) return []
            const { suppliedUsd, borrowedUsd, depositedUsd, netUsd, effectiveCollateralUsd, effectiveLiabilitiesUsd, netApy } = position
            const values = { suppliedUsd, borrowedUsd, depositedUsd, netUsd, effectiveCollateralUsd, effectiveLiabilitiesUsd, netApy }
            return [{ address, pool: pool.pool, ...values, unpricedAssets: position.unpricedAssets, open: position.open }]
          })
        }),
        pools: pools.map(({ pool, tvlUsd, unpricedAssets }) => ({ pool, tvlUsd, unpricedAssets })),
        reserves: pools.flatMap(({ reserves }) =>
          reserves.map(({ pool, asset: { asset }, supplied, borrowed, suppliedUsd, borrowedUsd }) => {
            return { pool, asset, supplied, borrowed, suppliedUsd, borrowedUsd }
          }),
        ),
      }
    }
  },
  counts: { hours: 1_077, positions: 176_374, pools: 5_075, reserves: 15_261, small: 539 },
})
