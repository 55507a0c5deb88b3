import { type ActivityRecord, transactionActivities, transactionPlaces, transactionRecords } from '@orrery/read-model/queries'
import { z } from 'zod'
import { refuse } from '../errors.ts'
import { AccountAddress } from '../params/address.ts'
import { TransactionHash } from '../params/transaction-hash.ts'
import { Activity, presentActivity } from '../present/activity.ts'
import { PriceUse } from '../present/price-use.ts'
import { Timestamp, timestampOf } from '../present/timestamp.ts'
import { presentTransactionFacts, TRANSACTION_FACTS } from '../present/transaction-facts.ts'
import { summarize } from '../present/transaction-summary.ts'
import { readersOf } from '../readers/index.ts'
import { defineRoute, type RouteContext } from '../route.ts'
import { adapterRecordsNow, indexTag } from './basis.ts'
import { enrich } from './enrich.ts'
import { protocolsAmong } from './protocol-path.ts'
import { summaryNames } from './summary-names.ts'
import { adapterUnhealthy, stalePriceUse, transactionIncomplete, unknownUnits } from './warn.ts'

const Data = z
  .strictObject({
    tx_hash: z.string().describe('Hash of the transaction.'),
    ledger: z.int().describe('Ledger of the transaction.'),
    timestamp: Timestamp,
    ...TRANSACTION_FACTS,
    protocols: z.array(z.string()).describe('Ids of the protocols in which the transaction did something.'),
    summary: z
      .string()
      .describe(
        'One English sentence about the transaction, without a subject: what the account `address` did or what happened to it; without `address`, what the account that acted did. Amounts have at most 6 significant digits, rounded towards zero; the exact ones are in `activities`. For people: its words may change.',
      ),
    activities: z.array(Activity).describe('Activities of all accounts, in the order in which they happened.'),
  })
  .meta({ id: 'Transaction' })

/**
 * The activities of a transaction in the indexed protocols. The only answer that reads past the watermark: it is available as soon as a row is
 * written, and `partial_result` is true until all rows are.
 */
export const getTransaction = defineRoute({
  operationId: 'getTransaction',
  method: 'get',
  path: '/v1/transactions/:hash',
  summary: 'A transaction, decoded',
  description:
    'What a transaction did in the indexed protocols: one sentence, written for the account `address` if it is given, and the movements of each account. A transaction is shown as soon as its rows are written; `meta.warnings` names it if rows are missing.',
  tagName: 'Transactions',
  // A transaction is shown before the watermark has reached it.
  cached: false,
  params: z.strictObject({ hash: TransactionHash }),
  query: z.strictObject({
    address: AccountAddress.optional().describe(
      'Account or contract for which `summary` is written: `G…` or `C…`. It changes `summary` alone; `activities` always has the rows of all accounts. Default, and for an address without an activity in the transaction: the account that acted.',
    ),
  }),
  data: Data,
  answersWithoutIndex: true,
  async handle({ params: { hash }, query: { address } }, context) {
    const { readModel, call } = context
    // Rows that are written between the two statements may be in only one of the results; the answer is partial then.
    const places = await readModel.query(transactionPlaces, { tx_hash: hash }, call)
    const of = { tx_hash: hash, ledgers: distinct(places, 'ledger'), tx_orders: distinct(places, 'tx_order') }
    const [rows, records] =
      places.length === 0
        ? [[], []]
        : await Promise.all([
            readModel.query(transactionActivities, of, call),
            readModel.query(transactionRecords, of, call),
            prepareNames(places, context),
          ])
    const place = records[0] ?? rows[0]
    if (place === undefined)
      throw refuse(
        'not_found',
        `The index has no transaction \`${hash}\`. It did nothing in an indexed protocol, or it is not indexed yet.`,
      )

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
      ...presentTransactionFacts(records[0]),
      protocols: [...involved],
      summary: summarize(rows, summaryNames(enrichment, context), address ?? null),
      activities,
    }
    const warnings = [
      ...(involved.some((id) => health[id]?.status !== 'healthy') ? [adapterUnhealthy()] : []),
      ...(isIncomplete(rows, records, involved) ? [transactionIncomplete()] : []),
      ...unknownUnits(rows),
      ...stalePriceUse(prices),
    ]
    const recorded = records.map((record) => `${record.protocol}:${record.activity_rows}`)
    const watermark = await readModel.watermark(involved)
    return {
      data,
      enrichment,
      facts: {
        watermark: watermark.ledger === 0 ? null : watermark,
        oracleStalenessSeconds: prices.oldestSeconds,
        attributionConfidence: Math.min(1, ...rows.map((row) => row.confidence)),
        sources: ['clickhouse', ...prices.sources],
        warnings,
      },
      tag: [...(await indexTag(context)), `rows:${rows.length}`, ...recorded],
    }
  },
})

type Place = z.output<typeof transactionPlaces.row>

const distinct = (places: readonly Place[], member: 'ledger' | 'tx_order'): number[] => [...new Set(places.map((place) => place[member]))]

/**
 * Reads what names and prices need, at the same time as the rows; beyond the watermark of a protocol it would not be kept. It does not fail: an answer
 * that needs what could not be read reads it again.
 */
async function prepareNames(places: readonly Place[], context: RouteContext): Promise<void> {
  const readings = readersOf(context).map(async ({ protocol, prepare }) => {
    const own = places.filter((place) => place.protocol === protocol)
    if (own.length === 0) return
    const { ledger: final } = await context.readModel.watermark([protocol])
    await Promise.all(
      distinct(own, 'ledger')
        .filter((ledger) => ledger <= final)
        .map(prepare),
    )
  })
  await Promise.allSettled(readings)
}

/** True for rows without their record, which is written after them, a record without rows, or fewer rows than the record counts. */
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
