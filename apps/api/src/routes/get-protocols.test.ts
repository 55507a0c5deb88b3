import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { TESTED_PROTOCOLS } from '../testing/tested-protocols.ts'
import { getProtocols } from './get-protocols.ts'
import { withFixtureApi } from './testing/fixture-api.ts'
import { LAST, timestamp } from './testing/fixtures/network.ts'

const fixture = withFixtureApi()

describe('200', () => {
  it('all four protocols are listed with the status of their adapters', async () => {
    const { data, meta } = await fixture.data('/v1/protocols')
    const protocols = data.protocols as Record<string, unknown>[]
    expect(protocols.map((protocol) => [protocol.protocol_id, protocol.display_name, protocol.status])).toEqual([
      ['blend', 'Blend', 'degraded'],
      ['aquarius', 'Aquarius', 'degraded'],
      ['soroswap', 'Soroswap', 'supported'],
      ['fxdao', 'FxDAO', 'degraded'],
    ])
    expect(protocols.map(({ indexing_mode }) => indexing_mode)).toEqual(['event_driven', 'event_driven', 'event_driven', 'state_driven'])
    expect(protocols[2]).toMatchObject({
      has_activity_feed: true,
      indexing_mode: 'event_driven',
      supported_position_types: ['lp'],
      adapter: {
        adapter_id: 'soroswap',
        contracts_tracked: 3,
        error: null,
        error_count_1h: 0,
        last_sync_at: timestamp(LAST),
        last_sync_ledger: LAST,
        status: 'healthy',
        version: '1',
      },
    })
    expect(protocols[0]).toMatchObject({
      adapter: { adapter_id: 'blend', status: 'missing', last_sync_at: null, last_sync_ledger: 0, version: '' },
    })
    // Three protocols have no adapter.
    expect(meta).toMatchObject({ partial_result: true, last_indexed_ledger: LAST })
  })

  it('health is answered with 200 and never cached', async () => {
    const { status, headers, body } = await fixture.api.ask('/v1/health')
    expect([status, headers['cache-control'], headers.etag]).toEqual([200, 'no-store', undefined])
    expect(body?.data).toMatchObject({ database: 'ok', cache: 'ok', status: 'degraded', adapters: [{}, {}, { status: 'healthy' }, {}] })
    expect(body?.meta).toMatchObject({ partial_result: true })
  })
})

it('the specification lists the position types of exactly the protocols of the build', () => {
  const textFor = (ids: readonly string[]) => {
    const schema = z.toJSONSchema(getProtocols(TESTED_PROTOCOLS.filter(({ id }) => ids.includes(id))).data)
    return /Any of: ([^."]*)\./.exec(JSON.stringify(schema))?.[1]
  }
  expect(textFor(['aquarius', 'soroswap'])).toBe('lp')
  expect(textFor(['blend', 'soroswap', 'fxdao'])).toBe('supply, collateral, liability, backstop, lp, vault')
})
