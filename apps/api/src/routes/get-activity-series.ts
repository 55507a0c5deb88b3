// `GET /v1/users/{address}/activities/series`. Its parameters name the protocols of the build.

import { ACTIVITY_TYPES, type Protocol } from '@orrery/protocol-kit'
import { firstAccountActivity } from '@orrery/read-model/queries'
import { mapInPieces } from '@orrery/service-kit'
import { z } from 'zod'
import { AccountAddress } from '../params/address.ts'
import { type BucketWindow, fitsWholeIndex, type IndexedSpan } from '../params/bucket-window.ts'
import { reachesOutside } from '../params/history-query.ts'
import { readSeriesQuery, SERIES_RULES, type SeriesQuery, seriesQuery } from '../params/series-query.ts'
import { PriceUse } from '../present/price-use.ts'
import { Timestamp, timestampOf } from '../present/timestamp.ts'
import { defineRoute, type RouteContext } from '../route.ts'
import { type OfAccount, readSeries } from './activity-series.ts'
import { basisOf, factsOf, protocolsAsked } from './basis.ts'
import { bucketLoad } from './bucket-load.ts'
import { enrich } from './enrich.ts'
import { ledgersBetween } from './ledgers-between.ts'
import { outsideWarnings, unpricedPoints } from './warn.ts'

const Point = z
  .strictObject({
    activity_type: z.enum(ACTIVITY_TYPES).describe('Type of the activities. A bucket has one point for each type that occurs in it.'),
    events: z.int().describe('Number of actions.'),
    ledger: z.int().describe('In buckets of ledgers the first ledger of the bucket; in buckets of time the ledger of the last action.'),
    timestamp: Timestamp,
    usd_volume: z
      .string()
      .describe(
        'USD value of the actions of the account, not negative: what it sent, or what it received if it sent nothing. A path over several pools counts once. A transfer counts for both sides, so the volumes of several accounts do not add up.',
      ),
    value_at: Timestamp.describe('Close time of the last action of the point, ISO 8601 in UTC.'),
  })
  .meta({ id: 'ActivitySeriesPoint' })

/** The activities of an account, counted and summed in buckets of time or of ledgers. */
export const getActivitySeries = (protocols: readonly Protocol<unknown>[]) =>
  defineRoute({
    operationId: 'getActivitySeries',
    method: 'get',
    path: '/v1/users/:address/activities/series',
    summary: 'Activity of an account in buckets',
    description:
      'How many actions of each type an account made in each bucket, and what they were worth at the prices of their ledgers. A bucket without an action of a type has no point of it. With `interval` alone the window starts at the first activity of the account.',
    tagName: 'Activities',
    params: z.strictObject({ address: AccountAddress }),
    query: seriesQuery(protocols.map(({ id }) => id)),
    csv: { rows: 'points', next: null },
    rules: SERIES_RULES,
    data: z
      .strictObject({ address: z.string().describe('The account.'), points: z.array(Point).describe('In ascending order.') })
      .meta({ id: 'ActivitySeries' }),
    load: ({ query }, context) => bucketLoad(context, (indexed) => readSeriesQuery(query, indexed, indexed.first.closeTimeSeconds).count),
    async handle({ params: { address }, query }, context) {
      const basis = await basisOf(protocolsAsked(query.protocol, context), context)
      const of = { address, protocol: query.protocol ?? '', watermark: basis.indexed.last.ledger }
      const { axis, first, width, count, from, to } = await windowOf(query, of, basis.indexed, context)
      const ledgers = async () =>
        axis === 'ledger' ? { from_ledger: from, to_ledger: to } : await ledgersBetween({ from, to }, basis.indexed, context)
      const rows = count === 0 ? [] : await readSeries(of, { axis, first, width, ...(await ledgers()) }, context)

      const prices = new PriceUse(basis.indexed.last.closeTimeSeconds)
      for (const row of rows) for (const source of row.price_sources) prices.addSource(source, row.oldest_price_seconds)
      const points = await mapInPieces(rows, (row) => ({
        activity_type: row.activity_type,
        events: row.events,
        ledger: axis === 'ledger' ? row.start : row.ledger,
        timestamp: timestampOf(axis === 'time' ? row.start : row.close_time_seconds),
        usd_volume: row.usd_volume,
        value_at: timestampOf(row.close_time_seconds),
      }))
      const data = { address, points }
      return {
        data,
        enrichment: await enrich(data, basis.indexed.last, prices, context, []),
        facts: factsOf(basis, {
          warnings: [
            ...outsideWarnings(reachesOutside(query, basis.indexed), basis.indexed),
            ...unpricedPoints(rows, (row) => row.unpriced),
          ],
          confidence: Math.min(1, ...rows.map((row) => row.confidence)),
          prices,
        }),
        tag: basis.tag,
      }
    },
  })

/**
 * A window without a beginning starts with the account's first action, which is read only where a window over the whole index has too many buckets.
 * Otherwise it changes nothing: a bucket without an action has no point.
 */
async function windowOf(query: SeriesQuery, of: OfAccount, indexed: IndexedSpan, { readModel, call }: RouteContext): Promise<BucketWindow> {
  const { interval, from, to, range } = query
  const isOpen = interval !== undefined && from === undefined && range === undefined
  if (!isOpen || fitsWholeIndex(to, interval, indexed)) return readSeriesQuery(query, indexed, indexed.first.closeTimeSeconds)
  const [first] = await readModel.query(firstAccountActivity, of, call)
  return readSeriesQuery(query, indexed, first?.close_time_seconds ?? null)
}
