import { PROTOCOL_IDS } from '@orrery/protocol-kit'
import { z } from 'zod'
import { NO_ENRICHMENT } from '../envelope.ts'
import { AdapterRecord } from '../present/adapter-status.ts'
import { defineRoute } from '../route.ts'
import { adapterRecordsNow, serviceFacts, wholeIndex } from './basis.ts'

const Data = z
  .strictObject({
    adapters: z.array(AdapterRecord),
    cache: z.enum(['ok', 'unavailable']),
    database: z.enum(['ok', 'unavailable']),
    status: z
      .enum(['ok', 'degraded', 'unavailable'])
      .describe('`degraded`: an adapter is not healthy. `unavailable`: the database is away.'),
  })
  .meta({ id: 'Health' })

/** How the service is, told with 200 also when it is bad. Probes use `/livez` and `/readyz` on the internal port. */
export const getHealth = defineRoute({
  method: 'get',
  path: '/v1/health',
  summary: 'Health of the service',
  tagName: 'Health',
  params: z.strictObject({}),
  query: z.strictObject({}),
  data: Data,
  cache: 'no-store',
  answersWithoutIndex: true,
  async handle(_, context) {
    const cache = (await context.cache.answers()) ? ('ok' as const) : ('unavailable' as const)
    if (!(await context.readModel.answers())) {
      return {
        data: { adapters: [], cache, database: 'unavailable' as const, status: 'unavailable' as const },
        enrichment: NO_ENRICHMENT,
        facts: { watermark: null, oracleStalenessSeconds: 0, attributionConfidence: 1, partialResult: true, sources: [] },
        tag: [],
      }
    }
    const [watermark, records] = await Promise.all([wholeIndex(context), adapterRecordsNow(context)])
    const adapters = PROTOCOL_IDS.map((id) => records[id])
    const healthy = adapters.every((adapter) => adapter.status === 'healthy')
    return {
      data: { adapters, cache, database: 'ok' as const, status: healthy ? ('ok' as const) : ('degraded' as const) },
      enrichment: NO_ENRICHMENT,
      facts: serviceFacts(watermark, healthy),
      tag: [],
    }
  },
})
