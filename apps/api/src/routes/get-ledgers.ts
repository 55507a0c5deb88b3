import { ledgerByTime } from '@orrery/read-model/queries'
import { z } from 'zod'
import { NO_ENRICHMENT } from '../envelope.ts'
import { refuse } from '../errors.ts'
import { DateTimeParameter } from '../params/date-time.ts'
import { Ledger, presentLedger } from '../present/ledger.ts'
import { timestampOf } from '../present/timestamp.ts'
import { defineRoute } from '../route.ts'
import { basisOf, factsOf } from './basis.ts'
import { outsideWarnings } from './warn.ts'

/** The ledger of an instant. It draws on the ledgers alone, so no adapter holds it back. */
export const getLedgers = defineRoute({
  operationId: 'findLedger',
  method: 'get',
  path: '/v1/ledgers',
  summary: 'The ledger of an instant',
  description:
    'The last ledger that closed at or before `at`. An instant before the first indexed ledger is answered with 404; one after the close time of the last indexed ledger gets that ledger, with the warning `outside_index`, because a later ledger may have closed by then. `meta.last_indexed_ledger` counts ledgers alone here: an adapter may be behind it.',
  tagName: 'Ledgers',
  stability: 'experimental',
  params: z.strictObject({}),
  query: z.strictObject({ at: DateTimeParameter.describe('The instant, RFC 3339. Ledgers close at whole seconds.') }),
  data: Ledger,
  async handle({ query: { at } }, context) {
    const basis = await basisOf([], context)
    const { first, last } = basis.indexed
    if (at.seconds < first.closeTimeSeconds) {
      throw refuse(
        'not_found',
        `No ledger is indexed that closed at or before this instant. The first one, ${first.ledger}, closed at ${timestampOf(first.closeTimeSeconds)}.`,
      )
    }
    const outside = at.seconds > last.closeTimeSeconds
    const seconds = Math.min(at.seconds, last.closeTimeSeconds)
    const [found] = await context.readModel.query(ledgerByTime, { close_time: seconds, watermark: last.ledger }, context.call)
    if (found === undefined) throw refuse('not_found', 'No ledger is indexed that closed at or before this instant.')
    return {
      data: presentLedger(found),
      enrichment: NO_ENRICHMENT,
      facts: factsOf(basis, { warnings: outsideWarnings(outside, basis.indexed) }),
      // The next ledger may close in the same second as the last one.
      asOfLedger: at.seconds < last.closeTimeSeconds ? found.ledger : undefined,
      tag: basis.tag,
    }
  },
})
