import { ledgerBySequence } from '@orrery/read-model/queries'
import { z } from 'zod'
import { NO_ENRICHMENT } from '../envelope.ts'
import { refuse } from '../errors.ts'
import { LedgerParameter, narrowLedger } from '../params/integer.ts'
import { Ledger, presentLedger } from '../present/ledger.ts'
import { defineRoute } from '../route.ts'
import { basisOf, factsOf } from './basis.ts'

/** One ledger by its sequence. It draws on the ledgers alone, so no adapter holds it back. */
export const getLedger = defineRoute({
  operationId: 'getLedger',
  method: 'get',
  path: '/v1/ledgers/:sequence',
  summary: 'Close time and hash of a ledger',
  description:
    'Of an indexed ledger. `meta.last_indexed_ledger` counts ledgers alone here: an adapter may be behind it. A sequence that is not indexed, before the first ledger, beyond the last one or inside a gap, is answered with 404.',
  tagName: 'Ledgers',
  stability: 'experimental',
  params: z.strictObject({ sequence: LedgerParameter.describe('Ledger sequence.') }),
  query: z.strictObject({}),
  data: Ledger,
  async handle({ params: { sequence } }, context) {
    const basis = await basisOf([], context)
    const { first, last } = basis.indexed
    const [found] =
      sequence > BigInt(last.ledger)
        ? []
        : await context.readModel.query(ledgerBySequence, { ledger: narrowLedger(sequence), watermark: last.ledger }, context.call)
    if (found === undefined) {
      throw refuse('not_found', `Ledger ${sequence} is not indexed. The index reaches from ${first.ledger} to ${last.ledger}.`)
    }
    return {
      data: presentLedger(found),
      enrichment: NO_ENRICHMENT,
      facts: factsOf(basis, { warnings: [] }),
      asOfLedger: found.ledger,
      tag: basis.tag,
    }
  },
})
