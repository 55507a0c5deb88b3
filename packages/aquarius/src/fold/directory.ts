// Which contracts of an operation belong to Aquarius. Identity decides, never what a contract claims to be.

import type { Address, ContractId } from '@orrery/ledger'
import { pricesOf } from '@orrery/pricing'
import type { Network } from '@orrery/protocol-kit'
import type { AquariusState, PoolState } from '../state/state.ts'

/** The directory of a network: routers and boost feeds are in its registry, pools and what belongs to them in the state. */
export function directoryFor(network: Network) {
  const routers = new Set(network.deployments.aquarius.map((deployment) => deployment.router))
  const boostFeeds = new Set(network.deployments.aquarius.map((deployment) => deployment.boostFeed))
  const sources = new Set(
    pricesOf(network)
      .roots('aquarius')
      .map((root) => root.contract),
  )
  return ({ pools, shareTokens, gaugePools }: AquariusState) => ({
    isRouter: (contract: ContractId) => routers.has(contract),
    isBoostFeed: (contract: ContractId) => boostFeeds.has(contract),
    /** The pool that a contract is. */
    pool: (address: Address): PoolState | undefined => pools.get(address),
    /** The pool whose shares a contract counts. */
    poolOfShares: (contract: ContractId): ContractId | undefined => shareTokens.get(contract)?.pool,
    /** Whether it is the share token that the pool goes by: another one comes or went by an exchange. */
    countsShares: (contract: ContractId) => shareTokens.get(contract)?.counts === true,
    /** The pool of a gauge of this partition. */
    poolOfGauge: (contract: Address): PoolState | undefined => pools.get(gaugePools.get(contract) ?? ''),
    /** Followed for prices only: an oracle, or what prices are made of. */
    isPriceSource: (contract: ContractId) => sources.has(contract),
  })
}

export type DirectoryOf = ReturnType<typeof directoryFor>
export type Directory = ReturnType<DirectoryOf>
