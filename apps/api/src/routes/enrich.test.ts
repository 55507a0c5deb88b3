import type { Network } from '@orrery/protocol-kit'
import { soroswapView } from '@orrery/soroswap'
import { expect, it } from 'vitest'
import { PriceUse } from '../present/price-use.ts'
import type { RouteContext } from '../route.ts'
import { enrich } from './enrich.ts'
import { FIRST, GENESIS_SECONDS, NETWORK, PAIR } from './testing/paper.ts'

it('a price pool of the registry is a contract also before it exists, never a token without a name', async () => {
  const network: Network = { ...NETWORK, pricePools: [{ protocol: 'soroswap', contract: PAIR }] }
  const view = soroswapView(network)
  const at = { ledger: FIRST, closeTimeSeconds: GENESIS_SECONDS }
  const loaded = { view, state: view.load([], FIRST), at, window: new Map() }
  const enrichment = await enrich({ address: PAIR }, at, new PriceUse(GENESIS_SECONDS), { network } as RouteContext, loaded)
  expect(enrichment).toEqual({
    assets: {},
    contracts: { [PAIR]: { name: '', protocol: '', position_types: [], status: 'active', version: '' } },
  })
})
