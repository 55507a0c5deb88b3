// `GET /v1/protocols`. Its texts name the types of positions that the protocols of the build have.

import { assert } from '@orrery/errors'
import { INDEXING_MODES, type Protocol } from '@orrery/protocol-kit'
import { z } from 'zod'
import { NO_ENRICHMENT } from '../envelope.ts'
import { AdapterRecord } from '../present/adapter-status.ts'
import { defineRoute } from '../route.ts'
import { adapterRecordsNow, serviceFacts, wholeIndex } from './basis.ts'
import { protocolId } from './protocol-path.ts'

function protocolOf(protocols: readonly Protocol<unknown>[]) {
  const positionTypes = new Set(protocols.flatMap(({ view }) => view.positionTypes))
  return z
    .strictObject({
      protocol_id: protocolId(protocols),
      display_name: z.string().describe('Name of the protocol.'),
      has_activity_feed: z.boolean().describe('True if activities of the protocol are indexed.'),
      indexing_mode: z
        .enum(INDEXING_MODES)
        .describe(
          'What positions and activities are derived from; both modes follow every change on chain. `event_driven`: the events of the contracts. `state_driven`: the entries of the contracts, because their events do not have what is needed.',
        ),
      status: z.enum(['supported', 'degraded']).describe('`degraded`: its adapter is not healthy.'),
      supported_position_types: z
        .array(z.string())
        .describe(`Types of positions of the protocol. Any of: ${[...positionTypes].join(', ')}.`),
      adapter: AdapterRecord,
    })
    .meta({ id: 'Protocol' })
}

/** The protocols of this build and the status of their adapters. */
export const getProtocols = (shipped: readonly Protocol<unknown>[]) =>
  defineRoute({
    operationId: 'listProtocols',
    method: 'get',
    path: '/v1/protocols',
    summary: 'Protocols and their adapters',
    description: 'Protocols of the build with their adapters, and what accounts can have in them.',
    tagName: 'Protocols',
    // Adapter records include values that the cache key does not cover: errors of the last hour, contracts tracked.
    cached: false,
    params: z.strictObject({}),
    query: z.strictObject({}),
    data: z.strictObject({ protocols: z.array(protocolOf(shipped)).describe('All protocols of the build.') }).meta({ id: 'Protocols' }),
    answersWithoutIndex: true,
    async handle(_, context) {
      const [watermark, records] = await Promise.all([wholeIndex(context), adapterRecordsNow(context)])
      const protocols = context.shipped.map(({ id, displayName, view }) => {
        const adapter = records[id]
        assert(adapter !== undefined, 'Every protocol of the build has the record of its adapter.', { protocol: id })
        return {
          protocol_id: id,
          display_name: displayName,
          has_activity_feed: context.protocols.some((built) => built.id === id),
          indexing_mode: view.indexingMode,
          status: adapter.status === 'healthy' ? ('supported' as const) : ('degraded' as const),
          supported_position_types: [...view.positionTypes],
          adapter,
        }
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
