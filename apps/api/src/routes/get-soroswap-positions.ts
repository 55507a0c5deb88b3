import { z } from 'zod'
import { AccountAddress } from '../params/address.ts'
import { LedgerParameter } from '../params/integer.ts'
import { isLpComplete, PairPosition, presentPairPosition } from '../present/lp-position.ts'
import { PriceUse } from '../present/price-use.ts'
import { soroswapReader } from '../readers/soroswap.ts'
import { defineRoute } from '../route.ts'
import { answerLedger, basisOf, factsOf } from './basis.ts'
import { enrich } from './enrich.ts'

/** An account's open positions in Soroswap's pairs, now or at the end of a ledger. */
export const getSoroswapPositions = defineRoute({
  method: 'get',
  path: '/v1/users/:address/positions/soroswap',
  summary: 'Positions of an account in Soroswap',
  tagName: 'Positions',
  params: z.strictObject({ address: AccountAddress }),
  query: z.strictObject({ as_of_ledger: LedgerParameter.optional().describe('Positions at the end of this ledger. Omit for the latest.') }),
  data: z.strictObject({ address: z.string(), pairs: z.array(PairPosition) }).meta({ id: 'SoroswapPositions' }),
  async handle({ params: { address }, query }, context) {
    const basis = await basisOf(['soroswap'], context)
    const at = await answerLedger(query.as_of_ledger, basis, context)
    const own = context.readModel.ownerStateAsOf({ owner: address, protocol: 'soroswap', ledger: at.ledger }, context.call)
    const soroswap = await soroswapReader(context).account(address, own, { at, indexed: basis.indexed })
    const prices = new PriceUse(at.closeTimeSeconds)
    const positions = soroswap.positions(prices)
    const data = { address, pairs: positions.map((position) => presentPairPosition(position, at.ledger)) }
    return {
      data,
      enrichment: await enrich(data, at, prices, context, [soroswap]),
      facts: factsOf(basis, {
        partial: basis.beginsLate || at.outside || !positions.every(isLpComplete),
        prices,
      }),
      asOfLedger: query.as_of_ledger === undefined ? undefined : Number(query.as_of_ledger),
      tag: basis.tag,
    }
  },
})
