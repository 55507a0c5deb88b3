// What one ledger changed in value, for costs and snapshots. A longer TTL is no change.

import { getOrMake } from '@orrery/fold-kit'
import type { Address } from '@orrery/ledger'
import type { RewardPages } from '../math/reward-index.ts'
import type { PoolState } from './state.ts'

export class Changes {
  readonly pools = new Set<PoolState>()
  /** Pages of rewards that the ledger changed, by pool: what users are owed is summed up with them. */
  readonly rewardPages = new Map<PoolState, RewardPages>()
  readonly #shares = new Map<PoolState, Map<Address, bigint>>()
  readonly #ranges = new Map<PoolState, Map<Address, Map<string, bigint>>>()

  /** A holder's share tokens changed; only the first time in a ledger counts. */
  shares(pool: PoolState, holder: Address, before: bigint): void {
    this.pools.add(pool)
    const ofPool = getOrMake(this.#shares, pool, () => new Map<Address, bigint>())
    if (!ofPool.has(holder)) ofPool.set(holder, before)
  }

  /** Likewise the liquidity of a range, by its name. */
  range(pool: PoolState, holder: Address, name: string, before: bigint): void {
    this.pools.add(pool)
    const ofPool = getOrMake(this.#ranges, pool, () => new Map<Address, Map<string, bigint>>())
    const ofHolder = getOrMake(ofPool, holder, () => new Map<string, bigint>())
    if (!ofHolder.has(name)) ofHolder.set(name, before)
  }

  /** Share tokens at the ledger's start, of the holders whose shares changed. */
  sharesBefore(pool: PoolState): ReadonlyMap<Address, bigint> {
    return this.#shares.get(pool) ?? new Map()
  }

  /** Liquidity at the ledger's start, of the ranges that changed. */
  rangesBefore(pool: PoolState): ReadonlyMap<Address, ReadonlyMap<string, bigint>> {
    return this.#ranges.get(pool) ?? new Map()
  }

  /** Holders of the pool whose position changed. */
  holders(pool: PoolState): ReadonlySet<Address> {
    return new Set([...this.sharesBefore(pool).keys(), ...this.rangesBefore(pool).keys()])
  }
}
