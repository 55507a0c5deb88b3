// Between two actions: at every hour of the recording the newest snapshots are what the state of that hour is worth.

import { usdText } from '@orrery/fold-kit'
import { pricesOf } from '@orrery/pricing'
import { loadNetwork } from '@orrery/protocols'
import { groundTruthRecording } from '@orrery/testkit/ground-truth'
import { hourlyValues, type PositionValue, sumOfPriced } from '@orrery/testkit/hourly-values'
import { blend } from '../src/protocol.ts'
import type { AccountState } from '../src/state/state.ts'
import { valueAccount } from '../src/view/account-value.ts'
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
            const { effectiveCollateralUsd, effectiveLiabilitiesUsd, netApy } = position
            const supplied = position.supply.map(({ usdValue }) => usdValue)
            const borrowed = position.borrow.map(({ usdValue }) => usdValue)
            const { backstopShares, backstopUsd } = valueAccount(pool.accounts.get(address) as AccountState, valued)
            const backstop = backstopShares === 0n ? [] : [backstopUsd === null ? null : usdText(backstopUsd)]
            const values = {
              ...{ suppliedUsd: sumOfPriced(supplied), borrowedUsd: sumOfPriced(borrowed) },
              ...{ depositedUsd: sumOfPriced([...supplied, ...backstop]), netUsd: sumOfPriced(supplied, borrowed) },
              ...{ effectiveCollateralUsd, effectiveLiabilitiesUsd, netApy },
            }
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
