import type { Network } from '@orrery/protocol-kit'
import { soroswap } from '@orrery/soroswap'
import { expect, it } from 'vitest'
import { PriceUse } from '../present/price-use.ts'
import type { RouteContext } from '../route.ts'
import { TESTED_PROTOCOLS } from '../testing/tested-protocols.ts'
import { openViews } from '../views.ts'
import { enrich } from './enrich.ts'
import { withFixtureApi } from './testing/fixture-api.ts'
import { FIRST, GENESIS_SECONDS, NETWORK, OTHER_CONTRACT } from './testing/fixtures/network.ts'

const fixture = withFixtureApi()

it('a price pool of the registry is described as a contract before it exists, never as a token without a name', async () => {
  const network: Network = { ...NETWORK, pricePools: [{ protocol: 'soroswap', contract: OTHER_CONTRACT }] }
  const call = { tag: { route: 'test', requestId: 'test' } }
  const context = {
    network,
    shipped: TESTED_PROTOCOLS,
    protocols: [soroswap],
    views: openViews(network, TESTED_PROTOCOLS),
    readModel: fixture.readModel,
    call,
  } as unknown as RouteContext
  const at = { ledger: FIRST, closeTimeSeconds: GENESIS_SECONDS }
  const enrichment = await enrich({ address: OTHER_CONTRACT }, at, new PriceUse(GENESIS_SECONDS), context, ['soroswap'])
  expect(enrichment).toEqual({
    assets: {},
    contracts: { [OTHER_CONTRACT]: { name: '', protocol: '', position_types: [], status: 'active', version: '' } },
  })
})
