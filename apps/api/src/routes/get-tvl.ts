// `GET /v1/protocols/{id}/tvl`. Its texts and parameters name the protocols of the build.

import type { Protocol } from '@orrery/protocol-kit'
import { z } from 'zod'
import { NO_ENRICHMENT } from '../envelope.ts'
import { readTvlQuery, TVL_RULES, TvlQuery } from '../params/tvl-query.ts'
import { listed } from '../present/english.ts'
import { PriceUse } from '../present/price-use.ts'
import { Timestamp, timestampOf } from '../present/timestamp.ts'
import { defineRoute } from '../route.ts'
import { answerLedger, basisOf, factsOf } from './basis.ts'
import { bucketLoad } from './bucket-load.ts'
import { readTvl } from './daily-tvl.ts'
import { knownProtocol, protocolId, protocolPath } from './protocol-path.ts'
import { rangeWarnings, unpricedPoints } from './warn.ts'

/** Definition of TVL, once for protocols with the same definition: `Aquarius and Soroswap: all reserves.` */
function definitionOf(protocols: readonly Protocol<unknown>[]): string {
  const alike = Map.groupBy(protocols, ({ view }) => view.tvl)
  return [...alike].map(([tvl, of]) => `${listed(of.map(({ displayName }) => displayName))}: ${tvl}.`).join(' ')
}

const dataOf = (protocols: readonly Protocol<unknown>[]) => {
  const Point = z.strictObject({
    timestamp: Timestamp,
    ledger: z.int().describe('Ledger of the value: the last one of the day, or the last one before.'),
    value_at: Timestamp.describe('Close time of `ledger`, ISO 8601 in UTC.'),
    tvl_usd: z.string().describe(definitionOf(protocols)),
  })
  return z
    .strictObject({
      protocol_id: protocolId(protocols),
      resolution: z.literal('1d').describe('One point for each UTC day.'),
      points: z
        .array(Point)
        .describe(
          'In ascending order. The value of a day is the sum of the pools, each at its last snapshot of the day or before. The day of the last indexed ledger, or of `as_of_ledger`, has the value at that ledger: the sum of the pools of `/v1/pools` and of the reserves of `/v1/protocols/{id}/reserves`.',
        ),
    })
    .meta({ id: 'ProtocolTvl' })
}

/** TVL of a protocol by day. It ends at the value that lists of pools and reserves show of the same ledger. */
export const getTvl = (protocols: readonly Protocol<unknown>[]) =>
  defineRoute({
    operationId: 'getTvl',
    method: 'get',
    path: '/v1/protocols/:id/tvl',
    summary: 'TVL of a protocol by day',
    description:
      'Total value locked at the end of each UTC day; `tvl_usd` says what counts. Assets without a price are left out and named in `meta.warnings`. By default the last 30 days.',
    tagName: 'Protocols',
    params: protocolPath(protocols),
    query: TvlQuery,
    csv: { rows: 'points', next: null },
    rules: TVL_RULES,
    data: dataOf(protocols),
    load: ({ query }, context) => bucketLoad(context, (indexed) => readTvlQuery(query, indexed, indexed.last).days),
    async handle({ params, query }, context) {
      const protocol = knownProtocol(params.id, context)
      const basis = await basisOf([protocol], context)
      const at = await answerLedger(query.as_of_ledger, basis, context)
      const window = readTvlQuery(query, basis.indexed, at)
      // Without an adapter there are no points, because zeros would look like an empty protocol.
      const isIndexed = (await context.readModel.tip()).adapters.some((adapter) => adapter.protocol === protocol)
      const { points, prices } = isIndexed
        ? await readTvl(protocol, window, { at, indexed: basis.indexed }, context)
        : { points: [], prices: new PriceUse(at.closeTimeSeconds) }
      return {
        data: {
          protocol_id: protocol,
          resolution: '1d' as const,
          points: points.map(({ start, ledger, seconds, tvlUsd }) => ({
            timestamp: timestampOf(start),
            ledger,
            value_at: timestampOf(seconds),
            tvl_usd: tvlUsd,
          })),
        },
        enrichment: NO_ENRICHMENT,
        facts: factsOf(basis, {
          prices,
          warnings: [
            ...rangeWarnings(basis, { outside: at.outside || window.outside }),
            ...unpricedPoints(points, ({ isUnpriced }) => isUnpriced),
          ],
        }),
        asOfLedger: query.as_of_ledger === undefined ? undefined : Number(query.as_of_ledger),
        tag: basis.tag,
      }
    },
  })
