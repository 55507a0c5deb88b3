import { noticesByReason } from '@orrery/read-model/queries'
import { z } from 'zod'
import { NO_ENRICHMENT } from '../envelope.ts'
import { IndexAdapter, indexAdapter } from '../present/index-adapter.ts'
import { Timestamp, timestampOf } from '../present/timestamp.ts'
import { readVerdict, Verdict } from '../present/verdict.ts'
import { defineRoute } from '../route.ts'
import { adapterRecordsNow, serviceFacts, wholeIndex } from './basis.ts'
import { indexFacts } from './index-facts.ts'

const Data = z
  .strictObject({
    network: z.string().describe('Short name of the network, such as `mainnet`.'),
    passphrase: z.string().describe('Passphrase of the network.'),
    first_ledger: z.int().nullable().describe('First indexed ledger. Null before it.'),
    last_ledger: z.int().nullable().describe('Everything of all adapters up to this ledger is written. Null before the first ledger.'),
    last_ledger_at: Timestamp.nullable().describe('Close time of `last_ledger`. Null before the first ledger.'),
    adapters: z.array(IndexAdapter).describe('All protocols, also those without an adapter in this build, whose status is `missing`.'),
    verify: Verdict.nullable().describe('Verdict of the last `orrery verify`. Null as long as none was made.'),
  })
  .meta({ id: 'Index' })

/** How far the index is, and what its adapters could not use: for operators, and for clients that decide how far to trust an answer. */
export const getIndex = defineRoute({
  operationId: 'getIndex',
  method: 'get',
  path: '/v1/index',
  summary: 'State of the index',
  description:
    'Adapters with their versions, partitions, lag and gaps, and their notices: what they read and could not use, counted by reason. Lag is measured against the event log: `meta.data_staleness_seconds` measures against the clock. `contracts_tracked` and errors are as in `/v1/protocols`.',
  tagName: 'Health',
  stability: 'experimental',
  // Shows the clock: how long ago partitions reported.
  cached: false,
  params: z.strictObject({}),
  query: z.strictObject({}),
  data: Data,
  answersWithoutIndex: true,
  async handle(_, context) {
    const { network, readModel, clock, call } = context
    const [last, records, { first, partitions }, verify] = await Promise.all([
      wholeIndex(context),
      adapterRecordsNow(context),
      indexFacts(context),
      readVerdict(readModel, call),
    ])
    const notices = last === null ? [] : await readModel.query(noticesByReason, { watermark: last.ledger }, call)
    const built = partitions.filter((one) => context.protocols.some(({ id }) => id === one.protocol))
    const shown = context.shipped.flatMap(({ id }) => records[id] ?? [])
    const data = {
      network: network.name,
      passphrase: network.passphrase,
      first_ledger: first?.ledger ?? null,
      last_ledger: last?.ledger ?? null,
      last_ledger_at: last === null ? null : timestampOf(last.closeTimeSeconds),
      adapters: shown.map((record) => indexAdapter(record, built, notices, clock.nowMs())),
      verify,
    }
    return {
      data,
      enrichment: NO_ENRICHMENT,
      facts: serviceFacts(
        last,
        shown.every(({ status }) => status === 'healthy'),
      ),
      tag: [JSON.stringify(data)],
    }
  },
})
