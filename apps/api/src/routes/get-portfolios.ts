import { z } from 'zod'
import { AddressList, MAX_ADDRESSES } from '../params/address-list.ts'
import { choice } from '../params/choice.ts'
import { LedgerParameter } from '../params/integer.ts'
import { PortfolioItem, portfolioSum } from '../present/portfolio.ts'
import { defineRoute } from '../route.ts'
import type { Warning } from '../warnings.ts'
import { answerLedger, basisOf, factsOf, protocolsAsked } from './basis.ts'
import { enrich } from './enrich.ts'
import { type Portfolios, readPortfolios } from './read-portfolios.ts'
import { missingValues, rangeWarnings, unpricedPortfolios } from './warn.ts'

/** Positions of several accounts over all protocols, now or as of a ledger. */
export const getPortfolios = defineRoute({
  operationId: 'getPortfolios',
  method: 'get',
  path: '/v1/positions',
  summary: 'Positions of several accounts in all protocols, now or at a ledger',
  description:
    'The answer of `/v1/users/{address}/positions` for several accounts, all at the same ledger. With `as_of_ledger` each portfolio is the sum of what the endpoints of single protocols answer as of that ledger.',
  tagName: 'Positions',
  stability: 'experimental',
  params: z.strictObject({}),
  query: z.strictObject({
    addresses: AddressList.describe(
      `1 to ${MAX_ADDRESSES} accounts (\`G...\`) or contracts (\`C...\`) with commas between, none twice. Portfolios come in the same order.`,
    ),
    view: choice(['full', 'summary'])
      .default('full')
      .describe('`summary` leaves out `positions` and `rewards` of each protocol; the sums by protocol and pool stay.'),
    as_of_ledger: LedgerParameter.optional().describe('Portfolios at the end of this ledger. Omit it for the latest.'),
  }),
  data: z
    .strictObject({
      portfolios: z
        .array(PortfolioItem)
        .describe('One for each account, in the order of `addresses`. An unknown account has none of the protocols.'),
    })
    .meta({ id: 'Portfolios' }),
  load: async ({ query: { addresses } }) => ({ addresses: addresses.length }),
  async handle({ query: { addresses, view, as_of_ledger } }, context) {
    const basis = await basisOf(protocolsAsked(undefined, context), context)
    const at = await answerLedger(as_of_ledger, basis, context)
    const late = as_of_ledger === undefined ? basis.late : []
    const read = await readPortfolios(addresses, { at, indexed: basis.indexed }, late, context)
    const { all, names, prices, own } = read
    const data = { portfolios: all.map((it) => (view === 'full' ? it.data : portfolioSum(it.data))) }
    const enrichment = await enrich(data, at, prices, context, names)
    const missing = view === 'full' ? missingValues(isComplete(read), { portfolios: incomplete(read) }, enrichment) : missingParts(read)
    return {
      data,
      enrichment,
      facts: factsOf(basis, { warnings: [...rangeWarnings(basis, at), ...missing], prices, own }),
      asOfLedger: as_of_ledger === undefined ? undefined : Number(as_of_ledger),
      tag: [...basis.tag, ...own.tag],
      cached: own.isOfIndexAlone,
    }
  },
})

const isComplete = ({ all }: Portfolios): boolean => all.every(({ complete }) => complete)

/** In the places of the answer; null: nothing is missing from its totals. */
const incomplete = ({ all }: Portfolios) => all.map(({ data, complete }) => (complete ? null : data))

/** A summary has no items to point at. */
const missingParts = ({ all }: Portfolios): Warning[] => unpricedPortfolios(all, ({ complete }) => !complete)
