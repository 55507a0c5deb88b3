// The answer of a position history, shared by all protocols: a route names the pool and its reader.

import type { Address, ContractId } from '@orrery/ledger'
import type { z } from 'zod'
import { awaitedLater } from '../awaited-later.ts'
import { refuse } from '../errors.ts'
import type { IndexedSpan } from '../params/bucket-window.ts'
import type { HistoryQuery } from '../params/history-query.ts'
import type { PoolHistory } from '../present/history-point.ts'
import { livePoint, withLivePoint } from '../present/live-point.ts'
import type { ProtocolEntry } from '../present/portfolio.ts'
import { PriceUse } from '../present/price-use.ts'
import { refuseQuarantined } from '../quarantined-pool.ts'
import type { ProtocolReader } from '../readers/protocol-reader.ts'
import type { Answer, RouteContext } from '../route.ts'
import { answerLedger, basisOf, factsOf } from './basis.ts'
import { enrich } from './enrich.ts'
import { planHistory, readHistory } from './position-history.ts'

interface PoolOf {
  readonly reader: ProtocolReader
  readonly address: Address
  readonly pool: ContractId
  /** What a pool of the protocol is called in an error message: `a Soroswap pair`. */
  readonly called: string
}

/** @throws 404 for a pool that the index does not know, 400 `too_many_points`, 503 `pool_quarantined`. */
export async function answerPoolHistory(
  { reader, address, pool, called }: PoolOf,
  query: HistoryQuery,
  context: RouteContext,
): Promise<Answer<z.input<typeof PoolHistory>>> {
  const { protocol } = reader
  await refuseQuarantined(pool, context)
  const basis = await basisOf([protocol], context)
  const { indexed } = basis
  // Whether a pool is known does not depend on the requested ledger: before its first ledger the history is empty.
  const names = await reader.pool(pool, { at: indexed.last, indexed })
  if (!names.knowsPool(pool)) throw refuse('not_found', `\`${pool}\` is not ${called} of this index.`)
  const position = { protocol, pool, address }
  const plan = await planHistory(position, query, indexed, context)
  const { live } = plan
  const [at, { points: stored, warnings }, entry] = await Promise.all([
    answerLedger(query.as_of_ledger, basis, context),
    readHistory(plan, position, query, indexed, context),
    live === null ? null : currentEntry(reader, address, indexed, context),
  ])
  const points = withLivePoint(stored, live === null ? null : livePoint(entry, pool, live))
  const prices = new PriceUse(at.closeTimeSeconds)
  // The points were valued with these prices. The ages of the prices at the points are not stored, so their ages at the ledger of the answer are shown.
  if (points.length > 0) {
    const then = at.ledger === indexed.last.ledger ? names : await reader.pool(pool, { at, indexed })
    for (const price of then.prices()) prices.add(price)
  }
  const data = { pool_id: pool, points }
  return {
    data,
    enrichment: await enrich(data, at, prices, context, [names]),
    facts: factsOf(basis, { warnings, prices }),
    asOfLedger: query.as_of_ledger === undefined ? undefined : Number(query.as_of_ledger),
    tag: basis.tag,
  }
}

/** The account's entry in the portfolio at the last indexed ledger; null if nothing is open. */
async function currentEntry(
  reader: ProtocolReader,
  address: Address,
  indexed: IndexedSpan,
  { readModel, call }: RouteContext,
): Promise<ProtocolEntry | null> {
  const at = indexed.last
  const own = awaitedLater(readModel.ownerStateAsOf({ owners: [address], protocol: reader.protocol, ledger: at.ledger }, call))
  const accounts = await reader.accounts([address], own, { at, indexed })
  // The prices of the answer are those of the pool alone.
  return accounts.portfolio(address, new PriceUse(at.closeTimeSeconds))?.entry ?? null
}
