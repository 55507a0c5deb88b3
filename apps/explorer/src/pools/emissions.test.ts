import type { GetEmissionsResponse } from '@orrery/client'
import { describe, expect, it } from 'vitest'
import { emissionsOf, emittedTokens } from './emissions.ts'

type Emissions = GetEmissionsResponse['data']

const asset = (asset_address: string, symbol: string, supply: string, borrow: string) => ({
  ...{ asset_address, symbol, supply_emission_apy: '0', borrow_emission_apy: '0' },
  ...{ supply_tokens_per_second: supply, borrow_tokens_per_second: borrow },
})
const emissions = (protocol_id: Emissions['protocol_id'], ...pools: Emissions['pools'][number]['assets'][]): Emissions => ({
  protocol_id,
  pools: pools.map((assets, n) => ({ pool_id: `C${n}`, pool_name: `Pool ${n}`, assets })),
})

describe('emissions of a protocol', () => {
  it('of Blend are one sum of BLND to suppliers and borrowers, whatever asset they are for', () => {
    const blend = emissions('blend', [asset('CX', 'XLM', '0.0726402', '0'), asset('CE', 'EURC', '0.0726402', '0.0726402')])
    expect(emittedTokens(blend)).toEqual([{ symbol: 'BLND', tokensPerSecond: '0.2179206' }])
  })

  it('of other protocols are a sum for each token that is paid, also of two tokens with the same symbol', () => {
    const others = emissions(
      'aquarius',
      [asset('CA', 'AQUA', '1.5', '0')],
      [asset('CA', 'AQUA', '0.0000001', '0'), asset('CB', 'AQUA', '2', '0')],
    )
    expect(emittedTokens(others)).toEqual([
      { symbol: 'AQUA', tokensPerSecond: '1.5000001' },
      { symbol: 'AQUA', tokensPerSecond: '2' },
    ])
  })

  it('leave out pools and assets that pay nothing', () => {
    const none = emissions('aquarius', [asset('CA', 'AQUA', '0', '0')], [])
    expect([emissionsOf(none), emittedTokens(none)]).toEqual([[], []])
  })
})
