import { z } from 'zod'
import { NO_ENRICHMENT } from '../envelope.ts'
import { AdapterRecord } from '../present/adapter-status.ts'
import { defineRoute } from '../route.ts'
import { adapterRecordsNow, serviceFacts, wholeIndex } from './basis.ts'

const Protocol = z
  .strictObject({
    protocol_id: z.string().describe('Protocol id.'),
    display_name: z.string().describe('Name of the protocol.'),
    has_activity_feed: z.boolean().describe('True if activities of the protocol are indexed.'),
    indexing_mode: z.literal('event_driven').describe('Positions are updated with every change on chain.'),
    status: z.enum(['supported', 'degraded']).describe('`degraded`: its adapter is not healthy.'),
    supported_position_types: z
      .array(z.string())
      .describe('Types of positions of the protocol. Any of: supply, collateral, liability, backstop, lp, vault.'),
    adapter: AdapterRecord,
  })
  .meta({ id: 'Protocol' })

/** The protocols of this build and the status of their adapters. */
export const getProtocols = defineRoute({
  operationId: 'listProtocols',
  method: 'get',
  path: '/v1/protocols',
  summary: 'Protocols and their adapters',
  tagName: 'Protocols',
  // Adapter records include values that the cache key does not cover: errors of the last hour, contracts tracked.
  cached: false,
  params: z.strictObject({}),
  query: z.strictObject({}),
  data: z.strictObject({ protocols: z.array(Protocol) }).meta({ id: 'Protocols' }),
  answersWithoutIndex: true,
  async handle(_, context) {
    const [watermark, records] = await Promise.all([wholeIndex(context), adapterRecordsNow(context)])
    const protocols = context.shipped.flatMap(({ id, displayName, view }) => {
      const adapter = records[id]
      return adapter === undefined
        ? []
        : [
            {
              protocol_id: id,
              display_name: displayName,
              has_activity_feed: context.protocols.some((built) => built.id === id),
              indexing_mode: 'event_driven' as const,
              status: adapter.status === 'healthy' ? ('supported' as const) : ('degraded' as const),
              supported_position_types: [...view.positionTypes],
              adapter,
            },
          ]
    })
    return {
      data: { protocols },
      enrichment: NO_ENRICHMENT,
      facts: serviceFacts(
        watermark,
        protocols.every(({ adapter }) => adapter.status === 'healthy'),
      ),
      tag: [JSON.stringify(protocols.map((protocol) => protocol.adapter))],
    }
  },
})
