// The role of each contract of an operation. The address decides, never what a contract emits or stores.

import type { Address, ContractId } from '@orrery/ledger'
import { pricesOf } from '@orrery/pricing'
import type { Network } from '@orrery/protocol-kit'
import type { SoroswapState } from '../state/state.ts'

export interface Directory {
  isFactory(contract: ContractId): boolean
  isRouter(contract: ContractId): boolean
  isPair(address: Address): boolean
  /** Followed for prices only: an oracle or a price pool. */
  isPriceSource(contract: ContractId): boolean
  /** The pair's tokens in its own order, or null while unknown. */
  tokensOf(pair: ContractId): readonly [ContractId, ContractId] | null
}

export type DirectoryOf = (state: SoroswapState) => Directory

/** The directory of a network: factories and routers are in its registry, pairs in the state. */
export function directoryFor(network: Network): DirectoryOf {
  const factories = new Set(network.deployments.soroswap.map((deployment) => deployment.factory))
  const routers = new Set(network.deployments.soroswap.flatMap((deployment) => deployment.routers))
  const sources = new Set(
    pricesOf(network)
      .roots('soroswap')
      .map((root) => root.contract),
  )
  return (state) => ({
    isFactory: (contract) => factories.has(contract),
    isRouter: (contract) => routers.has(contract),
    isPair: (address) => state.pairs.has(address),
    isPriceSource: (contract) => sources.has(contract),
    tokensOf: (pair) => state.pairs.get(pair)?.tokens ?? null,
  })
}
