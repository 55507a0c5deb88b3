// Whose rows an asset's prices are read from, and which sources count in them.

import type { ContractId } from '@orrery/ledger'
import { pricesOf } from '@orrery/pricing'
import type { ProtocolId } from '@orrery/protocol-kit'
import type { LedgerTime } from '@orrery/read-model'
import { ALWAYS } from '@orrery/read-model/queries'
import { contextAt } from '../readers/registry-as-of.ts'
import type { RouteContext } from '../route.ts'
import { protocolsAsked } from './basis.ts'

export interface PriceRowsOf {
  readonly asset: ContractId
  /** Every protocol's fold writes the same prices of oracles and price pools: the rows of one are enough. */
  readonly protocol: ProtocolId
  /** In the order of asking. */
  readonly sources: string[]
  /** Seconds that a price of each source counts. */
  readonly ages: number[]
}

/** By the registry and the settings of the oracles at `at`. Null without any adapter. */
export async function priceRowsOf(asset: ContractId, at: LedgerTime, context: RouteContext): Promise<PriceRowsOf | null> {
  const { readModel, call } = context
  const { adapters } = await readModel.tip()
  const protocol = protocolsAsked(undefined, context).find((id) => adapters.some((adapter) => adapter.protocol === id))
  if (protocol === undefined) return null
  const { network } = await contextAt(context, at.ledger)
  const pricing = pricesOf(network)
  const refs = pricing.stateRefs()
  const contracts = [...new Set(refs.map((ref) => ref.contract))]
  const keys = [...new Set(refs.map((ref) => ref.key))]
  const state = pricing.load(await readModel.stateAsOf({ protocol, ledger: at.ledger, contracts, keys, cacheable: true }, call))
  const sources = pricing.priceSources(state, asset)
  return {
    asset,
    protocol,
    sources: sources.map(({ source }) => source),
    ages: sources.map(({ maxAgeSeconds }) => maxAgeSeconds ?? ALWAYS),
  }
}
