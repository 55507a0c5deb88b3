// Which contracts of an operation belong to Aquarius. Identity decides, never what a contract claims to be.

import type { Address, ContractId } from '@orrery/ledger'
import { pricesOf } from '@orrery/pricing'
import type { Network } from '@orrery/protocol-kit'
import type { AquariusState, PoolState } from '../state/state.ts'

export interface Directory {
  isRouter(contract: ContractId): boolean
  isBoostFeed(contract: ContractId): boolean
  /** The pool that a contract is. */
  pool(address: Address): PoolState | undefined
  /** The pool whose shares a contract counts. */
  poolOfShares(contract: ContractId): ContractId | undefined
  /** Whether it is the share token that the pool goes by: another one comes or went by an exchange. */
  countsShares(contract: ContractId): boolean
  /** The pool of a gauge of this partition. */
  poolOfGauge(contract: Address): PoolState | undefined
  /** Followed for prices only: an oracle, or what prices are made of. */
  isPriceSource(contract: ContractId): boolean
}

export type DirectoryOf = (state: AquariusState) => Directory

/** The directory of a network: routers and boost feeds are in its registry, pools and what belongs to them in the state. */
export function directoryFor(network: Network): DirectoryOf {
  const routers = new Set(network.deployments.aquarius.map((deployment) => deployment.router))
  const boostFeeds = new Set(network.deployments.aquarius.map((deployment) => deployment.boostFeed))
  const sources = new Set(
    pricesOf(network)
      .roots('aquarius')
      .map((root) => root.contract),
  )
  return (state) => ({
    isRouter: (contract) => routers.has(contract),
    isBoostFeed: (contract) => boostFeeds.has(contract),
    pool: (address) => state.pools.get(address),
    poolOfShares: (contract) => state.shareTokens.get(contract)?.pool,
    countsShares: (contract) => state.shareTokens.get(contract)?.counts === true,
    poolOfGauge: (contract) => {
      const pool = state.gaugePools.get(contract)
      return pool === undefined ? undefined : state.pools.get(pool)
    },
    isPriceSource: (contract) => sources.has(contract),
  })
}
