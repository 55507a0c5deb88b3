import type { LedgerTime } from '@orrery/read-model'
import { AssetPriceQuery } from '../params/asset-price-query.ts'
import { HISTORY_RULES, reachesOutside } from '../params/history-query.ts'
import type { AssetItem } from '../present/asset.ts'
import { AssetPrices, type PricePoint } from '../present/price-point.ts'
import { PriceUse } from '../present/price-use.ts'
import { timestampOf } from '../present/timestamp.ts'
import { defineRoute } from '../route.ts'
import { nameAssets, withSources } from './asset-items.ts'
import { AssetPath, knownAsset } from './asset-path.ts'
import { answerLedger, basisOf, factsOf, protocolsAsked } from './basis.ts'
import { historyLoad } from './bucket-load.ts'
import { type PriceHistory, readPriceHistory } from './price-history.ts'
import { priceRowsOf } from './price-sources.ts'
import { historyCut, outsideWarnings } from './warn.ts'

const NO_HISTORY: PriceHistory = { points: [], cut: false, lastBucket: null }

/** The network's price of one asset over time. */
export const getAssetPrices = defineRoute({
  operationId: 'getAssetPrices',
  method: 'get',
  path: '/v1/assets/:id/prices',
  summary: 'Prices of an asset over time',
  description:
    'The network’s price at the last ledger of each bucket that brought it; raw, at every such ledger. Of the sources that count at a ledger the first in the registry’s order is the price: oracles, then price pools. A price counts as long as its oracle answers with it, at most 24 hours. On the time axis, where the window reaches the last indexed ledger, the bucket that holds it shows the price at that ledger, as `/v1/assets/{id}` does. How long an oracle answers is judged by its present settings. The end of the par value of a coin of FxDAO, and prices implied by the pool of Blend’s backstop, are in the present price alone.',
  tagName: 'Assets',
  stability: 'experimental',
  params: AssetPath,
  query: AssetPriceQuery,
  csv: { rows: 'points', next: 'as_of_ledger' },
  rules: HISTORY_RULES,
  data: AssetPrices,
  load: ({ query }, context) => historyLoad(query, context),
  async handle({ params: { id }, query }, context) {
    const basis = await basisOf(protocolsAsked(undefined, context), context)
    const { indexed } = basis
    await knownAsset(id, basis, context)
    const rows = await priceRowsOf(id, indexed.last, context)
    const history = rows === null ? NO_HISTORY : await readPriceHistory(rows, query, indexed, context)

    const at = await answerLedger(query.as_of_ledger, basis, context)
    const prices = new PriceUse(at.closeTimeSeconds)
    const { items, enrichment } = await nameAssets([id], at, prices, context)
    const points = withPresentPrice(history, items[0] as AssetItem, at)
    return {
      data: { asset_id: id, points },
      enrichment: await withSources(enrichment, points, at, prices, context),
      facts: factsOf(basis, {
        prices,
        warnings: [...outsideWarnings(reachesOutside(query, indexed), indexed), ...(history.cut ? [historyCut(points.length)] : [])],
      }),
      asOfLedger: query.as_of_ledger === undefined ? undefined : Number(query.as_of_ledger),
      tag: basis.tag,
    }
  },
})

/** With the price at the last indexed ledger in the bucket that holds it, where there is one or the bucket has a point already. */
function withPresentPrice({ points, lastBucket }: PriceHistory, item: AssetItem, last: LedgerTime): PricePoint[] {
  if (lastBucket === null) return points
  const timestamp = timestampOf(lastBucket)
  const hasPoint = points.at(-1)?.timestamp === timestamp
  if (item.price_usd === null && !hasPoint) return points
  const present: PricePoint = {
    timestamp,
    ledger: last.ledger,
    value_at: timestampOf(last.closeTimeSeconds),
    price_usd: item.price_usd,
    price_source: item.price_source,
    observed_at: item.price_observed_at,
  }
  return [...(hasPoint ? points.slice(0, -1) : points), present]
}
