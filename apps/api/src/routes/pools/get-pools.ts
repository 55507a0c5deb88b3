// `GET /v1/pools`. Its parameters name the protocols of the build.

import { Decimal } from '@orrery/pricing'
import type { Protocol } from '@orrery/protocol-kit'
import { z } from 'zod'
import { CSV_ROWS } from '../../csv/csv-table.ts'
import { readPageCursor, writePageCursor } from '../../params/page-cursor.ts'
import { type PoolsQuery, poolsQuery } from '../../params/pools-query.ts'
import { createdAt, type PoolEntry, PoolItem } from '../../present/pools/pool-item.ts'
import { PriceUse } from '../../present/price-use.ts'
import type { ListedPools, ProtocolReader } from '../../readers/protocol-reader.ts'
import { sharedLists } from '../../readers/shared-lists.ts'
import { defineRoute } from '../../route.ts'
import { answerLedger, basisOf, factsOf, protocolsAsked } from '../basis.ts'
import { enrich } from '../enrich.ts'
import { indexStartsLate } from '../warn.ts'
import { comparePlaces, needsYields, type PoolPlace, placeOf, readPlace, writePlace } from './pool-order.ts'
import { poolWarnings } from './pool-warnings.ts'

/** The pools of all protocols with their values at the watermark of the first page. */
export const getPools = (protocols: readonly Protocol<unknown>[]) =>
  defineRoute({
    operationId: 'listPools',
    method: 'get',
    path: '/v1/pools',
    summary: 'Pools of all protocols',
    description:
      'Lending pools, liquidity pools, and FxDAO’s vaults by currency and locked stakes, with value, volume and yields. Values are those of the first page’s last indexed ledger on all pages, so that no pool is skipped or repeated.',
    tagName: 'Pools',
    stability: 'experimental',
    params: z.strictObject({}),
    query: poolsQuery(protocols.map(({ id }) => id)),
    csv: {
      rows: 'pools',
      next: 'cursor',
      query: poolsQuery(
        protocols.map(({ id }) => id),
        CSV_ROWS,
      ),
    },
    data: z
      .strictObject({
        pools: z.array(PoolItem).describe('In the order of `sort`.'),
        next_cursor: z.string().nullable().describe('Cursor of the next page. Null on the last page.'),
      })
      .meta({ id: 'Pools' }),
    async handle({ query }, context) {
      const question = questionOf(query)
      const cursor = query.cursor === undefined ? null : readPageCursor(query.cursor, question, context.cursorKey)
      const basis = await basisOf(protocolsAsked(query.protocol, context), context)
      const watermark = Math.min(cursor?.watermark ?? basis.indexed.last.ledger, basis.indexed.last.ledger)
      const at = await answerLedger(BigInt(watermark), basis, context)

      const isAsked = (reader: ProtocolReader) => query.protocol === undefined || reader.protocol === query.protocol
      const listed = await sharedLists(isAsked, { at, indexed: basis.indexed }, context)
      const page = await pageOf(listed, query, cursor === null ? null : readPlace(cursor.after))
      const prices = new PriceUse(at.closeTimeSeconds)
      for (const price of page.entries.flatMap((entry) => entry.prices)) prices.add(price)
      const after = page.last === null ? null : writePlace(page.last)
      const data = {
        pools: page.entries.map(({ item }) => item),
        next_cursor:
          after === null ? null : writePageCursor({ after, watermark: cursor?.watermark ?? watermark }, question, context.cursorKey),
      }
      return {
        data,
        enrichment: await enrich(data, at, prices, context, listed),
        facts: factsOf(basis, {
          prices,
          warnings: [
            ...(basis.beginsLate ? [indexStartsLate()] : []),
            ...page.entries.flatMap((entry, n) => poolWarnings(entry, `/pools/${n}`)),
          ],
        }),
        tag: basis.tag,
      }
    },
  })

/** Everything that decides which pools there are and in which order. `limit` does not. */
function questionOf({ protocol, asset, type, status, min_tvl_usd, sort }: PoolsQuery): string {
  const minimum = min_tvl_usd === undefined ? null : new Decimal(min_tvl_usd).toFixed()
  return JSON.stringify(['/v1/pools', protocol ?? null, asset ?? null, type ?? null, status ?? null, minimum, sort])
}

interface PoolPage {
  readonly entries: readonly PoolEntry[]
  /** Of the last pool, if others follow. */
  readonly last: PoolPlace | null
}

async function pageOf(listed: readonly ListedPools[], query: PoolsQuery, after: PoolPlace | null): Promise<PoolPage> {
  const { sort, limit } = query
  const asked = listed.flatMap((pools) => pools.entries).filter(({ item }) => isAsked(item, query))
  const entries = needsYields(sort) ? await withYields(listed, asked) : asked
  const sorted = entries
    .map((entry) => ({ entry, place: placeOf(entry.item, sort) }))
    .sort((a, b) => comparePlaces(a.place, b.place))
    .filter(({ place }) => after === null || comparePlaces(place, after) > 0)
  const shown = sorted.slice(0, limit)
  const pools = shown.map(({ entry }) => entry)
  return {
    entries: await withCreation(listed, needsYields(sort) ? pools : await withYields(listed, pools)),
    last: sorted.length > shown.length ? (shown.at(-1)?.place ?? null) : null,
  }
}

function isAsked(item: PoolItem, { asset, type, status, min_tvl_usd }: PoolsQuery): boolean {
  return (
    (asset === undefined || item.tokens.some(({ asset_id }) => asset_id === asset)) &&
    (type === undefined || type.includes(item.type)) &&
    (status === undefined || status.includes(item.status)) &&
    (min_tvl_usd === undefined || new Decimal(item.tvl_usd).gte(min_tvl_usd))
  )
}

async function withCreation(listed: readonly ListedPools[], entries: readonly PoolEntry[]): Promise<PoolEntry[]> {
  const found = await Promise.all(listed.map((pools) => pools.createdLedgers(idsOf(entries, pools.protocol))))
  const created = new Map(found.flatMap((ledgers) => [...ledgers]))
  return entries.map((entry) => createdAt(entry, created))
}

function idsOf(entries: readonly PoolEntry[], protocol: string): string[] {
  return entries.filter(({ item }) => item.protocol === protocol).map(({ item }) => item.pool_id)
}

/** The same pools in the same order. */
async function withYields(listed: readonly ListedPools[], entries: readonly PoolEntry[]): Promise<PoolEntry[]> {
  const found = await Promise.all(listed.map((pools) => pools.withYields(idsOf(entries, pools.protocol))))
  const byId = new Map(found.flat().map((entry) => [entry.item.pool_id, entry]))
  return entries.flatMap(({ item }) => byId.get(item.pool_id) ?? [])
}
