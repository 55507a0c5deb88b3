import { describe, expect, it } from 'vitest'
import { labelOf, priceSourceOf, shortened } from './address.ts'
import { protocolName } from './protocol-name.ts'

const CONTRACT = 'CBAMR725BI4RSGUIHY6QJ2ZA4JU42IVY6EJISD7OXRTSE6BBA36CGY3D'

describe('identifiers', () => {
  it('an address keeps its first and last characters, and a short id all of them', () => {
    expect([shortened(CONTRACT), shortened('fxdao:USD')]).toEqual(['CBAMR7…GY3D', 'fxdao:USD'])
  })

  it('a word of the API is shown as words', () => {
    expect([labelOf('unstake_request'), labelOf('lp_share')]).toEqual(['Unstake request', 'LP share'])
  })

  it('a price source has a kind and a contract', () => {
    expect([priceSourceOf(`oracle:${CONTRACT}`), priceSourceOf(null)]).toEqual([{ kind: 'oracle', contract: CONTRACT }, null])
  })

  it('a protocol that is newer than this build has its id as the name', () => {
    expect([protocolName('fxdao'), protocolName('new_swap')]).toEqual(['FxDAO', 'New swap'])
  })
})
