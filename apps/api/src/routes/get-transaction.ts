import { type ActivityRecord, transactionActivities, transactionRecords } from '@orrery/read-model/queries'
import { z } from 'zod'
import type { Enrichment } from '../envelope.ts'
import { refuse } from '../errors.ts'
import { TransactionHash } from '../params/transaction-hash.ts'
import { Activity, hasUnknownUnits, presentActivity } from '../present/activity.ts'
import { PriceUse } from '../present/price-use.ts'
import { Timestamp, timestampOf } from '../present/timestamp.ts'
import { type SpokenNames, summarize } from '../present/transaction-summary.ts'
import { defineRoute, type RouteContext } from '../route.ts'
import { adapterRecordsNow, indexTag } from './basis.ts'
import { enrich } from './enrich.ts'
import { protocolsAmong } from './protocol-path.ts'

const Data = z
  .strictObject({
    tx_hash: z.string(),
    ledger: z.int(),
    timestamp: Timestamp,
    protocols: z.array(z.string()),
    summary: z.string().describe('One English sentence.'),
    activities: z.array(Activity),
  })
  .meta({ id: 'Transaction' })

/**
 * What a transaction did in the indexed protocols. The one answer that reads past the watermark: it is there as soon as something is
 * written, and `partial_result` says whether that is all.
 */
export const getTransaction = defineRoute({
  method: 'get',
  path: '/v1/transactions/:hash',
  summary: 'A transaction, decoded',
  tagName: 'Transactions',
  // A transaction is shown before the watermark has reached it.
  cached: false,
  params: z.strictObject({ hash: TransactionHash }),
  query: z.strictObject({}),
  data: Data,
  answersWithoutIndex: true,
  async handle({ params: { hash } }, context) {
    const { readModel, call } = context
    // Of what is written in between, one may show more than the other: rows without a record or too few for it, and both are partial.
    const [rows, records] = await Promise.all([
      readModel.query(transactionActivities, { tx_hash: hash }, call),
      readModel.query(transactionRecords, { tx_hash: hash }, call),
    ])
    const place = records[0] ?? rows[0]
    if (place === undefined)
      throw refuse('not_found', `No indexed protocol was touched by a transaction \`${hash}\`, or it is not indexed yet.`)

    const at = { ledger: place.ledger, closeTimeSeconds: place.close_time_seconds }
    const involved = protocolsAmong(
      [...rows, ...records].map(({ protocol }) => protocol),
      context,
    )
    const health = await adapterRecordsNow(context)
    const prices = new PriceUse(at.closeTimeSeconds)
    for (const row of rows) prices.addSource(row.price_source, row.price_age_seconds)

    const activities = rows.map(presentActivity)
    const enrichment = await enrich(activities, at, prices, context, involved)
    const data = {
      tx_hash: hash,
      ledger: at.ledger,
      timestamp: timestampOf(at.closeTimeSeconds),
      protocols: [...involved],
      summary: summarize(rows, spokenNames(enrichment, context)),
      activities,
    }
    const partial =
      involved.some((id) => health[id]?.status !== 'healthy') || isIncomplete(rows, records, involved) || rows.some(hasUnknownUnits)
    const told = records.map((record) => `${record.protocol}:${record.activity_rows}`)
    const watermark = await readModel.watermark(involved)
    return {
      data,
      enrichment,
      facts: {
        watermark: watermark.ledger === 0 ? null : watermark,
        oracleStalenessSeconds: prices.oldestSeconds,
        attributionConfidence: Math.min(1, ...rows.map((row) => row.confidence)),
        partialResult: partial,
        sources: ['clickhouse', ...prices.sources],
      },
      tag: [...(await indexTag(context)), `rows:${rows.length}`, ...told],
    }
  },
})

/** Rows without the record that is written after them, a record without rows, or fewer rows than the record says. */
function isIncomplete(
  rows: readonly ActivityRecord[],
  records: readonly { readonly protocol: string; readonly activity_rows: number }[],
  known: readonly string[],
): boolean {
  if (rows.length === 0) return true
  const countOf = Map.groupBy(rows, (row) => row.protocol)
  const unrecorded = [...countOf.keys()].some(
    (protocol) => known.includes(protocol) && !records.some((record) => record.protocol === protocol),
  )
  return unrecorded || records.some((record) => (countOf.get(record.protocol)?.length ?? 0) < record.activity_rows)
}

/** Names as a sentence says them: `USDC/XLM (constant product 0.3%)` is `USDC/XLM`. */
function spokenNames({ assets, contracts }: Enrichment, { shipped }: RouteContext): SpokenNames {
  const nameOf = (id: string): string => contracts[id]?.name.split(' (')[0] ?? ''
  return {
    pool: (contract) => ((contracts[contract]?.position_types.length ?? 0) === 0 ? '' : nameOf(contract)),
    protocol: (id) => shipped.find((known) => known.id === id)?.displayName ?? id,
    any: (id) => nameOf(id) || (assets[id]?.symbol ?? ''),
  }
}
