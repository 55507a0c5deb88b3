// `GET /v1/protocols/{id}/tvl`. Its texts and parameters name the protocols of the build.

import type { Protocol } from '@orrery/protocol-kit'
import { protocolTvlByDay } from '@orrery/read-model/queries'
import { z } from 'zod'
import { NO_ENRICHMENT } from '../envelope.ts'
import { readTvlQuery, TVL_RULES, TvlQuery } from '../params/tvl-query.ts'
import { listed } from '../present/english.ts'
import { dayOf, Timestamp, timestampOf } from '../present/timestamp.ts'
import { defineRoute } from '../route.ts'
import { answerLedger, basisOf, factsOf } from './basis.ts'
import { bucketLoad } from './bucket-load.ts'
import { knownProtocol, protocolPath } from './protocol-path.ts'
import { rangeWarnings, unpricedPoints } from './warn.ts'

/** Definition of TVL, once for protocols with the same definition: `Aquarius and Soroswap: all reserves.` */
function definitionOf(protocols: readonly Protocol<unknown>[]): string {
  const alike = Map.groupBy(protocols, ({ view }) => view.tvl)
  return [...alike].map(([tvl, of]) => `${listed(of.map(({ displayName }) => displayName))}: ${tvl}.`).join(' ')
}

const dataOf = (protocols: readonly Protocol<unknown>[]) =>
  z
    .strictObject({
      protocol_id: z.string().describe('Protocol id.'),
      resolution: z.literal('1d').describe('One point for each UTC day.'),
      points: z
        .array(z.strictObject({ timestamp: Timestamp, tvl_usd: z.string().describe(definitionOf(protocols)) }))
        .describe('In ascending order. The value of a day is the last one of the day, or the last one before.'),
    })
    .meta({ id: 'ProtocolTvl' })

/** TVL of a protocol by day: the sum of its pools, each at its last snapshot of the day or before. */
export const getTvl = (protocols: readonly Protocol<unknown>[]) =>
  defineRoute({
    operationId: 'getTvl',
    method: 'get',
    path: '/v1/protocols/:id/tvl',
    summary: 'TVL of a protocol by day',
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
      const { firstDaySeconds, days, outside } = readTvlQuery(query, basis.indexed, at)
      // Without an adapter there are no points, because zeros would look like an empty protocol.
      const isIndexed = (await context.readModel.tip()).adapters.some((adapter) => adapter.protocol === protocol)
      const rows =
        days === 0 || !isIndexed
          ? []
          : await context.readModel.query(
              protocolTvlByDay,
              {
                protocol,
                first: dayOf(firstDaySeconds),
                days,
                last_day: dayOf(at.closeTimeSeconds),
                to_ledger: at.ledger,
                watermark: basis.indexed.last.ledger,
              },
              context.call,
            )
      return {
        data: {
          protocol_id: protocol,
          resolution: '1d' as const,
          points: rows.map((row) => ({ timestamp: timestampOf(row.day_seconds), tvl_usd: row.tvl_usd })),
        },
        enrichment: NO_ENRICHMENT,
        facts: factsOf(basis, {
          warnings: [...rangeWarnings(basis, { outside: at.outside || outside }), ...unpricedPoints(rows, (row) => row.unpriced > 0n)],
        }),
        asOfLedger: query.as_of_ledger === undefined ? undefined : Number(query.as_of_ledger),
        tag: basis.tag,
      }
    },
  })
