import { describe, expect, it } from 'vitest'
import { openApiDocument } from '../../openapi.ts'
import { routes } from '../../testing/all-routes.ts'
import { schemaCheck } from '../../testing/check-answer.ts'

const check = schemaCheck(openApiDocument(routes, []))
const isDescribed = (activity: object) => () => check({ $ref: '#/components/schemas/Activity' }, activity, 'activity')

const ACTIVITY = {
  id: '1',
  address: 'G1',
  amount: '1',
  asset_decimals: 7,
  asset_id: 'C1',
  asset_symbol: 'XLM',
  contract: 'C2',
  counterparty: 'C2',
  direction: 'received',
  ledger: 1,
  price_source: null,
  price_usd: null,
  share_amount: '0',
  share_type: '',
  timestamp: '2026-09-01T00:00:00Z',
  tx_hash: '00',
  usd_value: null,
}
const ALWAYS = { raw_amount: '10000000', action_id: '1' }
const CLAIM = { ...ALWAYS, event: 'claim', version: 'v2' }
const blendClaim = (metadata: object) => ({ ...ACTIVITY, protocol: 'blend', activity_type: 'claim', metadata })

describe('metadata of an activity in the document', () => {
  it('each of several schemas of a type is accepted', () => {
    expect(isDescribed(blendClaim({ ...CLAIM, reserve_token_ids: [0, 3] }))).not.toThrow()
    expect(isDescribed(blendClaim({ ...CLAIM, lp_tokens: '5', pools: [] }))).not.toThrow()
  })

  it('members of two schemas together, a missing member and an undescribed one are found', () => {
    expect(isDescribed(blendClaim({ ...CLAIM, lp_tokens: '5', pools: [], reserve_token_ids: [] }))).toThrow()
    expect(isDescribed(blendClaim(CLAIM))).toThrow(/reserve_token_ids/)
    expect(isDescribed(blendClaim({ ...CLAIM, reserve_token_ids: [0], undescribed: 1 }))).toThrow(/additional properties/)
    expect(isDescribed(blendClaim({ event: 'claim', version: 'v2', reserve_token_ids: [0] }))).toThrow(/raw_amount/)
  })

  it('an event of another type, another protocol or a value outside of its list is found', () => {
    expect(isDescribed(blendClaim({ ...CLAIM, event: 'supply', reserve_token_ids: [0] }))).toThrow(/allowed values/)
    expect(isDescribed(blendClaim({ ...CLAIM, version: 'v3', reserve_token_ids: [0] }))).toThrow(/allowed values/)
    expect(isDescribed({ ...blendClaim({ ...CLAIM, reserve_token_ids: [0] }), protocol: 'aquarius' })).toThrow()
    expect(isDescribed({ ...blendClaim({ ...CLAIM, reserve_token_ids: [0] }), activity_type: 'redemption' })).toThrow()
  })

  it('a protocol that the document does not name has the members that all have', () => {
    const swap = { ...ACTIVITY, protocol: 'phoenix', activity_type: 'swap' }
    expect(isDescribed({ ...swap, metadata: ALWAYS })).not.toThrow()
    expect(isDescribed({ ...swap, metadata: { ...ALWAYS, event: 'swap', path_step: 1 } })).not.toThrow()
    expect(isDescribed({ ...swap, protocol: 'aquarius', metadata: ALWAYS })).toThrow()
  })
})
