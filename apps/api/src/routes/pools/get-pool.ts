import { z } from 'zod'
import { poolMembers } from '../../present/pools/pool-item.ts'
import { PoolMetadata } from '../../present/pools/pool-metadata.ts'
import { POOL_VARIANTS } from '../../present/pools/pool-variants.ts'
import { PriceUse } from '../../present/price-use.ts'
import { defineRoute } from '../../route.ts'
import { basisOf, factsOf, protocolsAsked } from '../basis.ts'
import { enrich } from '../enrich.ts'
import { indexStartsLate } from '../warn.ts'
import { findPool, PoolPath } from './pool-path.ts'
import { poolWarnings } from './pool-warnings.ts'

/** One pool with what only pools of its kind have. */
export const getPool = defineRoute({
  operationId: 'getPool',
  method: 'get',
  path: '/v1/pools/:pool_id',
  summary: 'A pool',
  description:
    'A pool as in `/v1/pools`, at the last indexed ledger, with what only its kind has in `metadata`: interest curves, backstop and auctions of a lending pool; fee, rewards, amplification and ticks of a liquidity pool; ratios and the rate of FxDAO’s vaults.',
  tagName: 'Pools',
  stability: 'experimental',
  params: PoolPath,
  query: z.strictObject({}),
  data: z.strictObject({ ...poolMembers, metadata: PoolMetadata }).meta({ id: 'Pool', allOf: [{ oneOf: POOL_VARIANTS }] }),
  async handle({ params: { pool_id: id } }, context) {
    const basis = await basisOf(protocolsAsked(undefined, context), context)
    const at = basis.indexed.last
    const { reader, pool } = await findPool(id, { at, indexed: basis.indexed }, context)
    const prices = new PriceUse(at.closeTimeSeconds)
    for (const price of pool.entry.prices) prices.add(price)
    const data = { ...pool.entry.item, metadata: pool.entry.metadata() }
    return {
      data,
      enrichment: await enrich(data, at, prices, context, [reader.protocol]),
      facts: factsOf(basis, {
        prices,
        warnings: [...(basis.late.includes(reader.protocol) ? [indexStartsLate()] : []), ...poolWarnings(pool.entry, '')],
      }),
      tag: basis.tag,
    }
  },
})
