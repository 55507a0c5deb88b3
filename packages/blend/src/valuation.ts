// A pool at one moment: its reserves accrued to the close time, at the prices that hold for it.
// The first file with USD in it. An unpriced part has no value and is counted, never taken as zero.

import type { UsdUnits, ValuedToken } from '@orrery/fold-kit'
import type { ContractId } from '@orrery/ledger'
import type { At, OraclePrice, Pricing } from '@orrery/pricing'
import type { Network } from '@orrery/protocol-kit'
import type { ReserveConfig, ReserveData } from './chain.ts'
import type { BlendState, PoolState, ReserveState } from './state.ts'

/** A reserve at the moment, with what a value or a rate needs. */
export interface ValuedReserve {
  readonly state: ReserveState
  readonly asset: ContractId
  readonly index: number
  readonly config: ReserveConfig
  /** Accrued to the moment: for reading only, never stored. */
  readonly data: ReserveData
  /** The asset at the price that holds for this pool (rules 1 to 4). */
  readonly token: ValuedToken
  /** What the pool's own oracle answers, in its own base and decimals. Null: it says nothing, or something too old. */
  readonly own: OraclePrice | null
  /** Underlying of the whole reserve, raw. */
  readonly supplied: bigint
  readonly borrowed: bigint
  /** 7 decimals. */
  readonly utilization: bigint
  readonly borrowApr: bigint
  readonly supplyApr: bigint
}

/** Comet LP tokens at the moment. */
export interface ValuedLp {
  readonly token: ValuedToken
  /** ⌊balance · 1e7 / total⌋: what one LP token stands for, 7 decimals. */
  readonly blndPerLp: bigint
  readonly usdcPerLp: bigint
}

export interface ValuedPool {
  readonly pool: PoolState
  readonly at: At
  /** By reserve index. A hole is a reserve whose entries are not known. */
  readonly reserves: readonly (ValuedReserve | undefined)[]
  /** Of the pool's own oracle, null where it is not known. */
  readonly oracleDecimals: number | null
  readonly blnd: ValuedToken
  /** Null while the Comet pool is not known. */
  readonly lp: ValuedLp | null
  readonly suppliedUsd: UsdUnits
  readonly borrowedUsd: UsdUnits
  /** Reserves with something in them and without a price. */
  readonly unpricedAssets: number
}

/** What values are made with. */
export interface Valuer {
  readonly network: Network
  readonly pricing: Pricing
}

/** The pool at its own moment, or null while its instance is not known. */
export declare function valuePool(state: BlendState, pool: PoolState, at: At, valuer: Valuer): ValuedPool | null

/** An asset at the network's price (rules 2 and 3, no lending pool's own oracle); LP tokens at what the Comet pool holds. */
export declare function valueToken(state: BlendState, asset: ContractId, at: At, valuer: Valuer): ValuedToken
