import { z } from 'zod'
import { AccountAddress } from '../params/address.ts'
import { LedgerParameter } from '../params/integer.ts'
import { isLpComplete, PoolPosition, presentPoolPosition } from '../present/lp-position.ts'
import { PriceUse } from '../present/price-use.ts'
import { withReadLedger } from '../present/read-ledger.ts'
import { ownState, rowsOf } from '../read-through/own-state.ts'
import { aquariusReader } from '../readers/aquarius.ts'
import { defineRoute } from '../route.ts'
import { answerLedger, basisOf, factsOf } from './basis.ts'
import { enrich } from './enrich.ts'

/** An account's positions in Aquarius' pools that are open or have rewards to claim, now or at the end of a ledger. */
export const getAquariusPositions = defineRoute({
  method: 'get',
  path: '/v1/users/:address/positions/aquarius',
  summary: 'Positions of an account in Aquarius',
  tagName: 'Positions',
  params: z.strictObject({ address: AccountAddress }),
  query: z.strictObject({ as_of_ledger: LedgerParameter.optional().describe('Positions at the end of this ledger. Omit for the latest.') }),
  data: z.strictObject({ address: z.string(), pools: z.array(PoolPosition) }).meta({ id: 'AquariusPositions' }),
  async handle({ params: { address }, query }, context) {
    const basis = await basisOf(['aquarius'], context)
    const at = await answerLedger(query.as_of_ledger, basis, context)
    const late = query.as_of_ledger === undefined ? basis.late : []
    const asked = ownState({ address, protocol: 'aquarius', at, late }, context)
    const aquarius = await aquariusReader(context).account(address, rowsOf(asked), { at, indexed: basis.indexed })
    const own = await asked
    const prices = new PriceUse(at.closeTimeSeconds)
    const positions = aquarius.positions(prices)

    const data = {
      address,
      pools: positions.map((position) => withReadLedger(presentPoolPosition(position, at.ledger), own.readAt('aquarius', position.pool))),
    }
    return {
      data,
      enrichment: await enrich(data, at, prices, context, [aquarius]),
      facts: factsOf(basis, { partial: basis.beginsLate || at.outside || !positions.every(isLpComplete), prices, own }),
      asOfLedger: query.as_of_ledger === undefined ? undefined : Number(query.as_of_ledger),
      tag: [...basis.tag, ...own.tag],
      cached: own.isOfIndexAlone,
    }
  },
})
