// A pool whose reserves have rates, factors and prices, and nothing else: what the health of an account is made of.

import { valuedToken } from '@orrery/fold-kit'
import type { Positions, ReserveConfig, ReserveData } from '../src/chain/values.ts'
import { type AccountState, PoolState } from '../src/state/state.ts'
import type { ValuedPool, ValuedReserve } from '../src/view/valuation.ts'

export interface PricedReserve {
  readonly decimals: number
  readonly cFactor: bigint
  readonly lFactor: bigint
  readonly bRate: bigint
  readonly dRate: bigint
  /** 7 decimals. */
  readonly price: bigint
}

function reserve(of: PricedReserve, index: number, hasOwn: boolean): ValuedReserve {
  const asset = `C${index}`
  const price = {
    usd: `${of.price / 10_000_000n}.${(of.price % 10_000_000n).toString().padStart(7, '0')}`,
    source: 'oracle:C',
    observedAtSeconds: 0,
  }
  return {
    state: { config: null, data: null, queued: null },
    asset,
    index,
    config: { ...of, index } as unknown as ReserveConfig,
    data: { bRate: of.bRate, dRate: of.dRate } as unknown as ReserveData,
    token: valuedToken({ asset, symbol: '', decimals: of.decimals, tags: [] }, price),
    own: hasOwn ? { price: of.price, timestampSeconds: 0 } : null,
    supplied: 0n,
    borrowed: 0n,
    utilization: 0n,
    borrowApr: 0n,
    supplyApr: 0n,
    borrowApy: 10_000_000n,
    supplyApy: 5_000_000n,
  }
}

/** @param hasOwn Whether the pool's own oracle gave the prices; else only the network's are known. */
export function pricedPool(reserves: readonly PricedReserve[], hasOwn = true): ValuedPool {
  const deployment = {
    version: 'v2',
    factory: '',
    backstop: '',
    emitter: '',
    backstopToken: '',
    blnd: '',
    usdc: '',
    fromLedger: 1,
  } as const
  return {
    pool: new PoolState('CPOOL', deployment),
    instance: {
      name: '',
      admin: '',
      backstop: '',
      blnd: '',
      oracle: '',
      backstopTakeRate: 0n,
      maxPositions: 0,
      status: 0,
      minCollateral: null,
      code: '',
    },
    deployment,
    at: { ledger: 1, closeTimeSeconds: 0 },
    reserves: reserves.map((of, index) => reserve(of, index, hasOwn)),
    oracleDecimals: 7,
    blnd: valuedToken({ asset: 'CB', symbol: 'BLND', decimals: 7, tags: [] }, null),
    lp: null,
    suppliedUsd: 0n,
    borrowedUsd: 0n,
    unpricedAssets: 0,
  }
}

export const accountOf = (positions: Positions): AccountState => ({
  positions: { value: positions, liveUntil: 0 },
  emissions: null,
  backstop: null,
  backstopEmission: null,
  auctions: null,
  costs: null,
  healthStep: null,
})
