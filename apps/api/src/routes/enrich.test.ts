import type { Network } from '@orrery/protocol-kit'
import { soroswap } from '@orrery/soroswap'
import { expect, it } from 'vitest'
import { PriceUse } from '../present/price-use.ts'
import type { RouteContext } from '../route.ts'
import { TESTED_PROTOCOLS } from '../testing/tested-protocols.ts'
import { openViews } from '../views.ts'
import { enrich } from './enrich.ts'
import { FIRST, GENESIS_SECONDS, NETWORK, STRANGER } from './testing/paper.ts'
import { withWorld } from './testing/world.ts'

const world = withWorld()

it('a price pool of the registry is a contract also before it exists, never a token without a name', async () => {
  const network: Network = { ...NETWORK, pricePools: [{ protocol: 'soroswap', contract: STRANGER }] }
  const call = { tag: { route: 'test', requestId: 'test' } }
  const context = {
    network,
    shipped: TESTED_PROTOCOLS,
    protocols: [soroswap],
    views: openViews(network, TESTED_PROTOCOLS),
    readModel: world.readModel,
    call,
  } as unknown as RouteContext
  const at = { ledger: FIRST, closeTimeSeconds: GENESIS_SECONDS }
  const enrichment = await enrich({ address: STRANGER }, at, new PriceUse(GENESIS_SECONDS), context, ['soroswap'])
  expect(enrichment).toEqual({
    assets: {},
    contracts: { [STRANGER]: { name: '', protocol: '', position_types: [], status: 'active', version: '' } },
  })
})
