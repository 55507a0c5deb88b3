import { z } from 'zod'
import { refuse } from '../errors.ts'
import { AccountAddress, ContractAddress } from '../params/address.ts'
import { LedgerParameter } from '../params/integer.ts'
import {
  emptyPoolPosition,
  isComplete,
  LendingPoolPosition,
  poolWithReadLedger,
  presentLendingPosition,
} from '../present/lending-position.ts'
import { PriceUse } from '../present/price-use.ts'
import { ownState, rowsOf } from '../read-through/own-state.ts'
import { blendReader } from '../readers/blend.ts'
import { defineRoute } from '../route.ts'
import { answerLedger, basisOf, factsOf } from './basis.ts'
import { enrich } from './enrich.ts'

/** The position of an account in a Blend pool, now or at the end of a ledger. Without one, in a known pool: an empty position. */
export const getBlendPosition = defineRoute({
  method: 'get',
  path: '/v1/users/:address/positions/blend/:pool_id',
  summary: 'Position of an account in a Blend pool',
  tagName: 'Positions',
  params: z.strictObject({ address: AccountAddress, pool_id: ContractAddress }),
  query: z.strictObject({ as_of_ledger: LedgerParameter.optional().describe('Position at the end of this ledger. Omit for the latest.') }),
  data: z.strictObject({ address: z.string().describe('The account.'), pool: LendingPoolPosition }).meta({ id: 'BlendPosition' }),
  async handle({ params: { address, pool_id: pool }, query }, context) {
    const basis = await basisOf(['blend'], context)
    const at = await answerLedger(query.as_of_ledger, basis, context)
    const reader = blendReader(context)
    const late = query.as_of_ledger === undefined ? basis.late : []
    const asked = ownState({ address, protocol: 'blend', at, late }, context)
    const blend = await reader.poolAccount(pool, address, rowsOf(asked), { at, indexed: basis.indexed })
    // Whether a pool is known does not depend on the requested ledger: before its first ledger the position is empty.
    const isKnown = blend.knowsPool(pool) || (await reader.contracts([pool], basis.indexed.last)).knowsPool(pool)
    if (!isKnown) throw refuse('not_found', `\`${pool}\` is not a Blend pool of this index.`)

    const own = await asked
    const prices = new PriceUse(at.closeTimeSeconds)
    const position = blend.position(prices)
    const shown = position === null ? emptyPoolPosition(pool, blend.poolName) : presentLendingPosition(position, at.ledger)
    const data = { address, pool: poolWithReadLedger(shown, () => own.readAt('blend', pool)) }
    return {
      data,
      enrichment: await enrich(data, at, prices, context, [blend]),
      facts: factsOf(basis, { partial: basis.beginsLate || at.outside || (position !== null && !isComplete(position)), prices, own }),
      asOfLedger: query.as_of_ledger === undefined ? undefined : Number(query.as_of_ledger),
      tag: [...basis.tag, ...own.tag],
      cached: own.isOfIndexAlone,
    }
  },
})
