// The role of each contract of an operation. The address decides, never what a contract emits or stores.

import type { Address, ContractId } from '@orrery/ledger'
import { pricesOf } from '@orrery/pricing'
import type { Network } from '@orrery/protocol-kit'
import type { SoroswapState } from '../state/state.ts'

/** The directory of a network: factories and routers are in its registry, pairs in the state. */
export function directoryFor(network: Network) {
  const factories = new Set(network.deployments.soroswap.map((deployment) => deployment.factory))
  const routers = new Set(network.deployments.soroswap.flatMap((deployment) => deployment.routers))
  const sources = new Set(
    pricesOf(network)
      .roots('soroswap')
      .map((root) => root.contract),
  )
  return ({ pairs }: SoroswapState) => ({
    isFactory: (contract: ContractId) => factories.has(contract),
    isRouter: (contract: ContractId) => routers.has(contract),
    isPair: (address: Address) => pairs.has(address),
    /** Followed for prices only: an oracle or a price pool. */
    isPriceSource: (contract: ContractId) => sources.has(contract),
    /** The pair's tokens in its own order, or null while unknown. */
    tokensOf: (pair: ContractId) => pairs.get(pair)?.tokens ?? null,
  })
}

export type Directory = ReturnType<ReturnType<typeof directoryFor>>
