import type { ProtocolId } from '@orrery/protocol-kit'
import type { LedgerTime } from '@orrery/read-model'
import { z } from 'zod'
import { type Enrichment, NO_ENRICHMENT } from '../envelope.ts'
import type { IndexedSpan } from '../params/bucket-window.ts'
import { LedgerParameter } from '../params/integer.ts'
import { PriceUse } from '../present/price-use.ts'
import { Backstop, poolReserves, Reserve } from '../present/reserve.ts'
import { defineRoute, type RouteContext } from '../route.ts'
import { answerLedger, basisOf, factsOf } from './basis.ts'
import { enrich } from './enrich.ts'
import { knownProtocol, ProtocolPath } from './protocol-path.ts'
import { soroswapOfAllPools } from './soroswap-state.ts'

const Data = z
  .strictObject({ protocol_id: z.string(), reserves: z.array(Reserve), backstops: z.array(Backstop).describe('Only of Blend.') })
  .meta({ id: 'Reserves' })

/** What every pool of a protocol holds, now or at the end of a ledger. */
export const getReserves = defineRoute({
  method: 'get',
  path: '/v1/protocols/:id/reserves',
  summary: 'Reserves of a protocol',
  tagName: 'Protocols',
  params: ProtocolPath,
  query: z.strictObject({ as_of_ledger: LedgerParameter.optional().describe('Reserves at the end of this ledger. Omit for the latest.') }),
  data: Data,
  async handle({ params, query }, context) {
    const protocol = knownProtocol(params.id)
    const basis = await basisOf([protocol], context)
    const at = await answerLedger(query.as_of_ledger, basis, context)
    const prices = new PriceUse(at.closeTimeSeconds)
    const { data, enrichment, unpriced } = await reservesOf(protocol, at, prices, basis.indexed, context)
    return {
      data,
      enrichment,
      facts: factsOf(basis, { partial: basis.beginsLate || at.outside || unpriced, prices }),
      asOfLedger: query.as_of_ledger === undefined ? undefined : Number(query.as_of_ledger),
      tag: basis.tag,
    }
  },
})

interface Reserves {
  readonly data: z.input<typeof Data>
  readonly enrichment: Enrichment
  readonly unpriced: boolean
}

/** A protocol without an adapter has nothing to show: its answer is empty and, by its missing adapter, partial. */
async function reservesOf(
  protocol: ProtocolId,
  at: LedgerTime,
  prices: PriceUse,
  indexed: IndexedSpan,
  context: RouteContext,
): Promise<Reserves> {
  if (protocol !== 'soroswap')
    return { data: { protocol_id: protocol, reserves: [], backstops: [] }, enrichment: NO_ENRICHMENT, unpriced: false }
  const soroswap = await soroswapOfAllPools(at, indexed, context)
  const { view, state, window } = soroswap
  const pools = view.pools(state).flatMap((pool) => view.pool(state, pool, at, window) ?? [])
  for (const { price } of pools.flatMap((pool) => pool.reserves)) prices.add(price)
  const data = { protocol_id: protocol, reserves: pools.flatMap((pool) => poolReserves(pool, 'constant_product')), backstops: [] }
  return {
    data,
    enrichment: await enrich(data, at, prices, context, soroswap),
    unpriced: pools.some((pool) => pool.unpricedAssets > 0),
  }
}
