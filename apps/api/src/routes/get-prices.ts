import { z } from 'zod'
import type { Instant } from '../params/date-time.ts'
import { PRICES_RULES, PricesQuery } from '../params/prices-query.ts'
import { AssetItem, stalePrices } from '../present/asset.ts'
import { PriceUse } from '../present/price-use.ts'
import { defineRoute, type RouteContext } from '../route.ts'
import { describeAssets } from './asset-items.ts'
import { type AnswerLedger, answerLedger, type Basis, basisOf, factsOf, protocolsAsked } from './basis.ts'
import { outsideWarnings } from './warn.ts'

/** The network's prices of several assets at one ledger. */
export const getPrices = defineRoute({
  operationId: 'getPrices',
  method: 'get',
  path: '/v1/prices',
  summary: 'Prices of assets at a ledger',
  description:
    'The network’s price of each asset at the end of one ledger: the latest, that of `at`, or `as_of_ledger`. A token that the index has not met is no error: its price is null. Outside the indexed ledgers the answer holds what is indexed, with the warning `outside_index`: beyond the last one its prices, before the first one none.',
  tagName: 'Assets',
  stability: 'experimental',
  params: z.strictObject({}),
  query: PricesQuery,
  csv: { rows: 'prices', next: null },
  rules: PRICES_RULES,
  data: z
    .strictObject({
      ledger: z.int().nonnegative().describe('The ledger at whose end the prices hold.'),
      prices: z.array(AssetItem).describe('One for each asset, in the order of `assets`.'),
    })
    .meta({ id: 'Prices' }),
  async handle({ query }, context) {
    const basis = await basisOf(protocolsAsked(undefined, context), context)
    const at = query.at === undefined ? await answerLedger(query.as_of_ledger, basis, context) : await ledgerOf(query.at, basis, context)
    const prices = new PriceUse(at.closeTimeSeconds)
    const { items, enrichment } = await describeAssets(query.assets, at, prices, context)
    return {
      data: { ledger: at.ledger, prices: items },
      enrichment,
      facts: factsOf(basis, {
        prices,
        warnings: [...outsideWarnings(at.outside, basis.indexed), ...stalePrices(items, at.closeTimeSeconds, (n) => `/prices/${n}`)],
      }),
      // The next ledger may close in the same second as the last one.
      asOfLedger: query.as_of_ledger !== undefined || at.ledger < basis.indexed.last.ledger ? at.ledger : undefined,
      tag: basis.tag,
    }
  },
})

/** Before the first ledger: the one before it, at whose end nothing is known. */
async function ledgerOf(
  { seconds }: Instant,
  { indexed: { first, last } }: Basis,
  { readModel, call }: RouteContext,
): Promise<AnswerLedger> {
  if (seconds >= last.closeTimeSeconds) return { ...last, outside: seconds > last.closeTimeSeconds }
  const found = seconds < first.closeTimeSeconds ? null : await readModel.ledgerAtOrBefore(seconds, call)
  return found === null ? { ledger: first.ledger - 1, closeTimeSeconds: 0, outside: true } : { ...found, outside: false }
}
