// `GET /v1/protocols/{id}/accounts`. Its path names the protocols of the build.

import { Decimal } from '@orrery/pricing'
import type { Protocol, ProtocolId } from '@orrery/protocol-kit'
import { z } from 'zod'
import { refuse } from '../../errors.ts'
import { AccountsQuery } from '../../params/accounts-query.ts'
import { readPageCursor, writePageCursor } from '../../params/page-cursor.ts'
import { AccountPosition, lacksValue, presentAccountPosition } from '../../present/account-position.ts'
import { PriceUse } from '../../present/price-use.ts'
import { ProtocolMember } from '../../present/protocol-member.ts'
import { refuseQuarantined } from '../../quarantined-pool.ts'
import { ownState, rowsOf } from '../../read-through/own-state.ts'
import { readersOf } from '../../readers/index.ts'
import type { Moment, Names, ProtocolReader } from '../../readers/protocol-reader.ts'
import { defineRoute, type RouteContext } from '../../route.ts'
import { answerLedger, basisOf, factsOf } from '../basis.ts'
import { enrich } from '../enrich.ts'
import { knownProtocol, protocolPath } from '../protocol-path.ts'
import { indexStartsLate, rowWarnings } from '../warn.ts'
import { type AccountPlace, readPlace, writePlace } from './account-order.ts'
import { accountPlaces } from './account-places.ts'

/** The positions of all accounts in a protocol, in an order, with their values at the watermark of the first page. */
export const getAccounts = (protocols: readonly Protocol<unknown>[]) =>
  defineRoute({
    operationId: 'listProtocolAccounts',
    method: 'get',
    path: '/v1/protocols/:id/accounts',
    summary: 'Positions of all accounts in a protocol',
    description:
      'One item for each account and pool with an open position. Values are those of the first page’s last indexed ledger on all pages, so that no position is skipped or repeated. Positions that have not changed since the index began are not in the list if the index begins after the protocol’s deployment: `meta.warnings` then has `index_starts_late`.',
    tagName: 'Protocols',
    stability: 'experimental',
    params: protocolPath(protocols),
    query: AccountsQuery,
    data: z
      .strictObject({
        protocol_id: ProtocolMember,
        positions: z.array(AccountPosition).describe('In the order of `sort`.'),
        next_cursor: z.string().nullable().describe('Cursor of the next page. Null on the last page.'),
      })
      .meta({ id: 'ProtocolAccounts' }),
    async handle({ params, query }, context) {
      const protocol = knownProtocol(params.id, context)
      refuseHealthWithoutDebts(protocol, query, context)
      const question = questionOf(protocol, query)
      const cursor = query.cursor === undefined ? null : readPageCursor(query.cursor, question, context.cursorKey)
      await refuseQuarantined(query.pool, context)
      const basis = await basisOf([protocol], context)
      const watermark = Math.min(cursor?.watermark ?? basis.indexed.last.ledger, basis.indexed.last.ledger)
      const at = await answerLedger(BigInt(watermark), basis, context)
      const reader = readersOf(context).find((one) => one.protocol === protocol)
      const after = cursor === null ? null : readPlace(cursor.after)
      const page = reader === undefined ? NO_PAGE : await pageOf(reader, query, { after, moment: { at, indexed: basis.indexed } }, context)
      const data = {
        protocol_id: protocol,
        positions: page.rows.map(({ item }) => item),
        next_cursor: page.last === null ? null : writePageCursor({ after: writePlace(page.last), watermark }, question, context.cursorKey),
      }
      const prices = page.prices ?? new PriceUse(at.closeTimeSeconds)
      return {
        data,
        enrichment: await enrich(data, at, prices, context, page.names),
        facts: factsOf(basis, {
          prices,
          warnings: [...(basis.beginsLate ? [indexStartsLate()] : []), ...rowWarnings(page.rows, ({ isUnpriced }) => isUnpriced, UNPRICED)],
        }),
        tag: basis.tag,
      }
    },
  })

const UNPRICED = {
  code: 'unpriced_asset',
  message: 'The values of the position lack an item without a price.',
  path: (n: number) => `/positions/${n}`,
} as const

/** AMMs have no debts. @throws 400. */
function refuseHealthWithoutDebts(protocol: ProtocolId, query: AccountsQuery, { shipped }: RouteContext): void {
  if (shipped.find(({ id }) => id === protocol)?.view.kind !== 'amm') return
  const rule = `positions of ${protocol} have no health factor.`
  if (query.sort === 'health_factor') throw refuse('invalid_parameter', `\`sort\`: ${rule} Use \`net_usd\`.`)
  if (query.health_factor_below !== undefined) throw refuse('invalid_parameter', `\`health_factor_below\`: ${rule} Leave it out.`)
}

/** Everything that decides which positions there are and in which order. `limit` does not. */
function questionOf(protocol: ProtocolId, { sort, health_factor_below, pool }: AccountsQuery): string {
  const below = health_factor_below === undefined ? null : new Decimal(health_factor_below).toFixed()
  return JSON.stringify(['/v1/protocols/accounts', protocol, sort, below, pool ?? null])
}

interface Page {
  readonly rows: readonly { readonly item: z.input<typeof AccountPosition>; readonly isUnpriced: boolean }[]
  /** Of the last position, if others follow. */
  readonly last: AccountPlace | null
  readonly names: readonly Names[]
  readonly prices: PriceUse | null
}

/** Without an adapter the answer is empty, and partial because the adapter is missing. */
const NO_PAGE: Page = { rows: [], last: null, names: [], prices: null }

async function pageOf(
  reader: ProtocolReader,
  query: AccountsQuery,
  { after, moment }: { readonly after: AccountPlace | null; readonly moment: Moment },
  context: RouteContext,
): Promise<Page> {
  const { at } = moment
  const holdings = await reader.holdings(query.pool, moment)
  if (query.pool !== undefined && !holdings.hasPool(query.pool)) {
    throw refuse('not_found', `\`${query.pool}\` is not a pool of ${reader.protocol} in this index. \`/v1/pools\` lists them.`)
  }
  const isVault = context.shipped.find(({ id }) => id === reader.protocol)?.view.kind === 'vault'
  const terms = query.pool === undefined ? holdings.terms : holdings.terms.filter(({ pool }) => pool === query.pool)
  const found = await accountPlaces({ ...holdings, terms }, query, { after, rows: query.limit + 1, watermark: at.ledger, isVault }, context)
  const shown = found.slice(0, query.limit)
  const prices = new PriceUse(at.closeTimeSeconds)
  const rows = await positionsAt(shown, reader, moment, prices, context)
  return { rows, last: found.length > shown.length ? (shown.at(-1) ?? null) : null, names: [holdings], prices }
}

/** The figures of the positions: those that the portfolios of their accounts show. */
async function positionsAt(
  places: readonly AccountPlace[],
  reader: ProtocolReader,
  moment: Moment,
  prices: PriceUse,
  context: RouteContext,
): Promise<Page['rows']> {
  const { protocol } = reader
  const addresses = [...new Set(places.map(({ address }) => address))]
  const asked = ownState({ addresses, protocol, at: moment.at, late: [] }, context)
  const accounts = await reader.accounts(addresses, rowsOf(asked, protocol), moment)
  const entries = new Map(addresses.map((address) => [address, accounts.portfolio(address, prices)?.entry]))
  return places.flatMap(({ address, pool }) => {
    const entry = entries.get(address)
    const sums = entry?.pools.find(({ pool_id }) => pool_id === pool)
    return entry === undefined || sums === undefined
      ? []
      : [{ item: presentAccountPosition(address, sums), isUnpriced: lacksValue(entry, pool) }]
  })
}
