import { assetPage } from '@orrery/read-model/queries'
import { z } from 'zod'
import { rowLimit } from '../params/integer.ts'
import { readPageCursor, writePageCursor } from '../params/page-cursor.ts'
import { AssetItem, stalePrices } from '../present/asset.ts'
import { PriceUse } from '../present/price-use.ts'
import { defineRoute } from '../route.ts'
import { describeAssets } from './asset-items.ts'
import { answerLedger, basisOf, factsOf, protocolsAsked } from './basis.ts'

const DEFAULT_LIMIT = 50
const MAX_LIMIT = 100

const Query = z.strictObject({
  cursor: z.string().optional().describe('`next_cursor` of the page before, unmodified.'),
  limit: rowLimit(MAX_LIMIT).default(DEFAULT_LIMIT).describe('Assets of a page.'),
})

/** Every asset that the index has met, in the order of their contracts. */
export const getAssets = defineRoute({
  operationId: 'listAssets',
  method: 'get',
  path: '/v1/assets',
  summary: 'Assets of the index',
  description:
    'Every token that a source priced, a pool held or an activity moved, in the order of their contracts, with the network’s price. The price is that of the first oracle of the registry that answers, else that of a pool. Later pages are valued at the watermark of the first one.',
  tagName: 'Assets',
  stability: 'experimental',
  params: z.strictObject({}),
  query: Query,
  data: z
    .strictObject({
      assets: z.array(AssetItem),
      next_cursor: z.string().nullable().describe('Cursor of the next page. Null at the end.'),
    })
    .meta({ id: 'Assets' }),
  async handle({ query }, context) {
    const question = JSON.stringify(['/v1/assets'])
    const cursor = query.cursor === undefined ? null : readPageCursor(query.cursor, question, context.cursorKey)
    const basis = await basisOf(protocolsAsked(undefined, context), context)
    const watermark = Math.min(cursor?.watermark ?? basis.indexed.last.ledger, basis.indexed.last.ledger)
    const { readModel, call, cursorKey } = context
    const found = await readModel.query(assetPage, { after: cursor?.after ?? '', rows: query.limit + 1, watermark }, call)
    const ids = found.slice(0, query.limit).map(({ asset }) => asset)

    const at = await answerLedger(BigInt(watermark), basis, context)
    const prices = new PriceUse(at.closeTimeSeconds)
    const { items, enrichment } = await describeAssets(ids, at, prices, context)
    const last = ids.at(-1)
    const next = found.length > ids.length && last !== undefined ? { after: last, watermark: cursor?.watermark ?? watermark } : null
    return {
      data: { assets: items, next_cursor: next === null ? null : writePageCursor(next, question, cursorKey) },
      enrichment,
      facts: factsOf(basis, {
        prices,
        warnings: stalePrices(items, at.closeTimeSeconds, (n) => `/assets/${n}`),
      }),
      tag: basis.tag,
    }
  },
})
