// Assets with the network's price as of a ledger: the same of the list, of one asset and of prices.

import type { ContractId } from '@orrery/ledger'
import type { LedgerTime } from '@orrery/read-model'
import type { Enrichment } from '../envelope.ts'
import { type AssetItem, presentAsset } from '../present/asset.ts'
import type { PriceUse } from '../present/price-use.ts'
import { contextAt } from '../readers/registry-as-of.ts'
import type { RouteContext } from '../route.ts'
import { protocolsAsked } from './basis.ts'
import { enrich } from './enrich.ts'

export interface DescribedAssets {
  /** In the order of `ids`. */
  readonly items: AssetItem[]
  readonly enrichment: Enrichment
}

/** What the network says of assets at the end of a ledger. Prices go into `prices`. `enrichment` names the assets, not yet their sources. */
export async function nameAssets(
  ids: readonly ContractId[],
  at: LedgerTime,
  prices: PriceUse,
  context: RouteContext,
): Promise<DescribedAssets> {
  const enrichment = await enrich({ asset_id: ids }, at, prices, context, protocolsAsked(undefined, context))
  const { network } = await contextAt(context, at.ledger)
  return { items: ids.map((id) => presentAsset(id, enrichment.assets[id], network.assets[id]?.issuer ?? null)), enrichment }
}

/** The same for an answer that shows the items. */
export async function describeAssets(
  ids: readonly ContractId[],
  at: LedgerTime,
  prices: PriceUse,
  context: RouteContext,
): Promise<DescribedAssets> {
  const { items, enrichment } = await nameAssets(ids, at, prices, context)
  return { items, enrichment: await withSources(enrichment, items, at, prices, context) }
}

/** With the contracts that the shown prices come from. */
export async function withSources(
  enrichment: Enrichment,
  items: readonly { readonly price_source: string | null }[],
  at: LedgerTime,
  prices: PriceUse,
  context: RouteContext,
): Promise<Enrichment> {
  const sources = [...new Set(items.flatMap(({ price_source }) => price_source ?? []))]
  const named = await enrich(sources, at, prices, context, [])
  return { assets: { ...named.assets, ...enrichment.assets }, contracts: { ...named.contracts, ...enrichment.contracts } }
}
