// Between two actions: at every hour of the recording the newest snapshots have the value of the state of that hour.

import { pricesOf } from '@orrery/pricing'
import { loadNetwork } from '@orrery/protocols'
import { groundTruthRecording } from '@orrery/testkit/ground-truth'
import { hourlyValues, type PositionValue, sumOfPriced } from '@orrery/testkit/hourly-values'
import { fxdao } from '../src/protocol.ts'
import { poolOfCurrency } from '../src/view/asset.ts'
import { lockedPositions, vaultPosition } from '../src/view/position.ts'
import { Valuation } from '../src/view/valuation.ts'
import { fxdaoView } from '../src/view/view.ts'

const recording = groundTruthRecording()

hourlyValues(fxdao, {
  recording,
  network: () => loadNetwork(recording.registryFile),
  values(network) {
    const view = fxdaoView(network)
    const pricing = pricesOf(network)
    return (state, slice) => {
      const valuation = new Valuation(state, slice, network, pricing)
      const vaults = [...state.vaults.values()].flatMap((vault): PositionValue[] => {
        const position = vaultPosition(vault, valuation)
        if (position === null) return []
        const { owner, denomination, collateral, debt } = position
        const netUsd = sumOfPriced([collateral.usdValue], [debt.usdValue])
        const values = { suppliedUsd: collateral.usdValue, borrowedUsd: debt.usdValue, depositedUsd: collateral.usdValue, netUsd }
        return [{ address: owner, pool: poolOfCurrency(denomination), ...values, open: true }]
      })
      const stakes = [...state.locking.values()].flatMap((locking): PositionValue[] => {
        const owners = new Set([...locking.stakes.values()].map(({ owner }) => owner))
        return [...owners].map((owner) => {
          const locked = lockedPositions(locking, owner, valuation)
          const usd = sumOfPriced(locked.map(({ stake }) => stake.usdValue))
          const values = { suppliedUsd: usd, borrowedUsd: '0', depositedUsd: usd, netUsd: usd }
          return { address: owner, pool: locking.contract, ...values, open: locked.length > 0 }
        })
      })
      const currencies = view.reserves(state, slice)
      const locked = Map.groupBy(view.lockedReserves(state, slice), ({ contract }) => contract)
      return {
        positions: [...vaults, ...stakes],
        pools: [
          ...currencies.map(({ denomination, collateral: { usdValue } }) => {
            return { pool: poolOfCurrency(denomination), tvlUsd: usdValue ?? '0', unpricedAssets: usdValue === null ? 1 : 0 }
          }),
          ...[...state.locking.keys()].map((pool) => {
            const values = (locked.get(pool) ?? []).map(({ stake }) => stake.usdValue)
            const tvlUsd = sumOfPriced(values.map((value) => value ?? '0')) ?? '0'
            return { pool, tvlUsd, unpricedAssets: values.filter((value) => value === null).length }
          }),
        ],
        reserves: currencies.map(({ denomination, coin: { asset }, debt: { amount, usdValue } }) => {
          return { pool: poolOfCurrency(denomination), asset, supplied: 0n, borrowed: amount, suppliedUsd: '0', borrowedUsd: usdValue }
        }),
      }
    }
  },
  counts: { hours: 1_077, positions: 70_020, pools: 5_023, reserves: 3_946, small: 0 },
})
