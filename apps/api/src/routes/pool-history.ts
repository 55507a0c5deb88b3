// The answer of a position history, shared by all protocols: a route names the pool and its reader.

import type { Address, ContractId } from '@orrery/ledger'
import type { z } from 'zod'
import { refuse } from '../errors.ts'
import type { HistoryQuery } from '../params/history-query.ts'
import type { PoolHistory } from '../present/history-point.ts'
import { PriceUse } from '../present/price-use.ts'
import type { ProtocolReader } from '../readers/protocol-reader.ts'
import type { Answer, RouteContext } from '../route.ts'
import { answerLedger, basisOf, factsOf } from './basis.ts'
import { enrich } from './enrich.ts'
import { readHistory } from './position-history.ts'

interface PoolOf {
  readonly reader: ProtocolReader
  readonly address: Address
  readonly pool: ContractId
  /** What a pool of the protocol is called in an error message: `a Soroswap pair`. */
  readonly called: string
}

/** @throws 404 for a pool that the index does not know, 400 `too_many_points`. */
export async function answerPoolHistory(
  { reader, address, pool, called }: PoolOf,
  query: HistoryQuery,
  context: RouteContext,
): Promise<Answer<z.input<typeof PoolHistory>>> {
  const { protocol } = reader
  const basis = await basisOf([protocol], context)
  const { indexed } = basis
  // Whether a pool is known does not depend on the requested ledger: before its first ledger the history is empty.
  const names = await reader.pool(pool, { at: indexed.last, indexed })
  if (!names.knowsPool(pool)) throw refuse('not_found', `\`${pool}\` is not ${called} of this index.`)
  const [at, history] = await Promise.all([
    answerLedger(query.as_of_ledger, basis, context),
    readHistory({ protocol, pool, address }, query, indexed, context),
  ])

  const prices = new PriceUse(at.closeTimeSeconds)
  // The points were valued with these prices. The ages of the prices at the points are not stored, so their ages at the ledger of the answer are shown.
  if (history.points.length > 0) {
    const then = at.ledger === indexed.last.ledger ? names : await reader.pool(pool, { at, indexed })
    for (const price of then.prices()) prices.add(price)
  }
  const data = { pool_id: pool, points: history.points }
  return {
    data,
    enrichment: await enrich(data, at, prices, context, [names]),
    facts: factsOf(basis, { warnings: history.warnings, prices }),
    asOfLedger: query.as_of_ledger === undefined ? undefined : Number(query.as_of_ledger),
    tag: basis.tag,
  }
}
