import { SUPPORTED_PROTOCOLS } from '@orrery/ledger'
import type { ControlFact } from '@orrery/read-model'
import { z } from 'zod'
import { NO_ENRICHMENT } from '../envelope.ts'
import { AdapterRecord } from '../present/adapter-status.ts'
import { readVerdict, Verdict } from '../present/verdict.ts'
import { defineRoute, type RouteContext } from '../route.ts'
import { adapterRecordsNow, serviceFacts, wholeIndex } from './basis.ts'
import { indexFacts } from './index-facts.ts'
import { adapterUnhealthy } from './warn.ts'

const NetworkProtocol = z
  .strictObject({
    version: z.int().describe('Protocol version of the network, from the header of the newest indexed ledger.'),
    since_ledger: z.int().describe('First ledger of this index with that version.'),
    supported_up_to: z.int().describe('Newest protocol version that this build of the API supports.'),
    newer_than_build: z
      .boolean()
      .describe('True if `version` is above `supported_up_to`. Ledgers are still read and indexed, but Orrery should be updated soon.'),
  })
  .meta({ id: 'NetworkProtocol', example: { version: 27, since_ledger: 1000000, supported_up_to: 30, newer_than_build: false } })

const Data = z
  .strictObject({
    adapters: z.array(AdapterRecord).describe('One for each protocol. Empty while the database is unreachable.'),
    cache: z.enum(['ok', 'unavailable']).describe('Store of the response cache. While it is unavailable, every answer is computed.'),
    database: z.enum(['ok', 'unavailable']).describe('The ClickHouse database.'),
    network_protocol: NetworkProtocol.nullable().describe('Null before the first ledger, and while the database is unreachable.'),
    status: z
      .enum(['ok', 'degraded', 'unavailable'])
      .describe('`degraded`: an adapter is not healthy. `unavailable`: the database is unreachable.'),
    verify: Verdict.nullable().describe(
      'Verdict of the last `orrery verify`. Null as long as none was made, and while the database is unreachable. It does not change `status`.',
    ),
  })
  .meta({ id: 'Health' })

function networkProtocol(facts: readonly ControlFact[]): z.input<typeof NetworkProtocol> | null {
  const newest = facts.findLast(({ kind }) => kind === 'protocol')
  if (newest === undefined) return null
  const [version, supported] = [Number(newest.value), SUPPORTED_PROTOCOLS.newest]
  return { version, since_ledger: newest.ledger, supported_up_to: supported, newer_than_build: version > supported }
}

type HealthContext = Pick<RouteContext, 'cache' | 'clock' | 'protocols' | 'readModel' | 'shipped' | 'call'>
export type Health = z.input<typeof Data>

/** What `/v1/health` shows, also for `/status` on the internal port. */
export async function readHealth(context: HealthContext): Promise<Health> {
  const cache = (await context.cache.answers()) ? ('ok' as const) : ('unavailable' as const)
  if (!(await context.readModel.answers())) {
    return { adapters: [], cache, database: 'unavailable', network_protocol: null, status: 'unavailable', verify: null }
  }
  const [records, { facts }, verify] = await Promise.all([
    adapterRecordsNow(context),
    indexFacts(context),
    readVerdict(context.readModel, context.call),
  ])
  const adapters = context.shipped.flatMap(({ id }) => records[id] ?? [])
  const status = adapters.every((adapter) => adapter.status === 'healthy') ? 'ok' : 'degraded'
  return { adapters, cache, database: 'ok', network_protocol: networkProtocol(facts), status, verify }
}

/** Health of the service. The status is always 200; probes use `/livez` and `/readyz` on the internal port. */
export const getHealth = defineRoute({
  operationId: 'getHealth',
  method: 'get',
  path: '/v1/health',
  summary: 'Health of the service',
  description:
    'Whether the database, the cache and the adapters work. The status of the response is always 200; probes use `/livez` and `/readyz` on the internal port.',
  tagName: 'Health',
  params: z.strictObject({}),
  query: z.strictObject({}),
  data: Data,
  cache: 'no-store',
  answersWithoutIndex: true,
  async handle(_, context) {
    const data = await readHealth(context)
    if (data.database === 'unavailable') {
      return {
        data,
        enrichment: NO_ENRICHMENT,
        facts: { watermark: null, oracleStalenessSeconds: 0, attributionConfidence: 1, sources: [], warnings: [adapterUnhealthy()] },
        tag: [],
      }
    }
    return { data, enrichment: NO_ENRICHMENT, facts: serviceFacts(await wholeIndex(context), data.status === 'ok'), tag: [] }
  },
})
