// The auctions of a pool that are open at a ledger.

import type { Address, ContractId } from '@orrery/ledger'
import type { AuctionType } from '../chain/values.ts'
import { auctionOf, type BlendState } from '../state/state.ts'

export interface PoolAuction {
  readonly type: 'user_liquidation' | 'bad_debt' | 'interest'
  /** The liquidated account, or the backstop. */
  readonly address: Address
  /** Raw, by asset, unscaled: what a filler pays. Of a liquidation and of bad debt dTokens, of interest LP tokens. */
  readonly bid: ReadonlyMap<ContractId, bigint>
  /** What a filler receives: bTokens, LP tokens, or the asset itself. */
  readonly lot: ReadonlyMap<ContractId, bigint>
  /** The ledger after the one that made it: bid and lot are scaled by the ledgers since. */
  readonly startLedger: number
}

const NAMES = { 0: 'user_liquidation', 1: 'bad_debt', 2: 'interest' } as const satisfies Record<AuctionType, PoolAuction['type']>
const TYPES = [0, 1, 2] as const satisfies readonly AuctionType[]

/** By account, then type. */
export function poolAuctions(state: BlendState, contract: ContractId, ledger: number): PoolAuction[] {
  const pool = state.pools.get(contract)
  if (pool === undefined) return []
  return [...pool.accounts.keys()].sort().flatMap((address) =>
    TYPES.flatMap((type) => {
      const auction = auctionOf(pool, address, type, ledger)
      return auction === null ? [] : [{ type: NAMES[type], address, bid: auction.bid, lot: auction.lot, startLedger: auction.block }]
    }),
  )
}
