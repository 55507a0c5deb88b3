import { z } from 'zod'
import { AccountAddress } from '../params/address.ts'
import { LedgerParameter } from '../params/integer.ts'
import { isLpComplete, PairPosition, presentPairPosition } from '../present/lp-position.ts'
import { PriceUse } from '../present/price-use.ts'
import { withReadLedger } from '../present/read-ledger.ts'
import { ownState, rowsOf } from '../read-through/own-state.ts'
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
    const late = query.as_of_ledger === undefined ? basis.late : []
    const asked = ownState({ address, protocol: 'soroswap', at, late }, context)
    const soroswap = await soroswapReader(context).account(address, rowsOf(asked), { at, indexed: basis.indexed })
    const own = await asked
    const prices = new PriceUse(at.closeTimeSeconds)
    const positions = soroswap.positions(prices)
    const data = {
      address,
      pairs: positions.map((position) => withReadLedger(presentPairPosition(position, at.ledger), own.readAt('soroswap', position.pool))),
    }
    return {
      data,
      enrichment: await enrich(data, at, prices, context, [soroswap]),
      facts: factsOf(basis, {
        partial: basis.beginsLate || at.outside || !positions.every(isLpComplete),
        prices,
        own,
      }),
      asOfLedger: query.as_of_ledger === undefined ? undefined : Number(query.as_of_ledger),
      tag: [...basis.tag, ...own.tag],
      cached: own.isOfIndexAlone,
    }
  },
})
