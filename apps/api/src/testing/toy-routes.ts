// Small routes that show everything the frame does, without a read model.

import { z } from 'zod'
import { type AnswerFacts, NO_ENRICHMENT } from '../envelope.ts'
import { refuse } from '../errors.ts'
import { reserved } from '../parameters.ts'
import { type Answer, defineRoute, type Route } from '../route.ts'

const Digits = z
  .string()
  .regex(/^\d{1,3}$/, 'must be a number of at most three digits.')
  .transform(Number)
  .meta({ type: 'integer' })

export const TOY_WATERMARK = { ledger: 1000, closeTimeSeconds: Date.UTC(2026, 0, 1) / 1000 }

export function toyFacts(overrides: Partial<AnswerFacts> = {}): AnswerFacts {
  return {
    watermark: TOY_WATERMARK,
    oracleStalenessSeconds: 0,
    attributionConfidence: 1,
    warnings: [],
    sources: ['clickhouse'],
    ...overrides,
  }
}

export function toyAnswer<Data>(data: Data, overrides: Partial<Answer<Data>> = {}): Answer<Data> {
  return { data, enrichment: NO_ENRICHMENT, facts: toyFacts(), tag: ['toy@1'], ...overrides }
}

/** `/v1/echo/:word`: gives back what it was asked. `missing` is not known. */
export const echo = defineRoute({
  operationId: 'echo',
  method: 'get',
  path: '/v1/echo/:word',
  summary: 'Gives back what it was asked',
  tagName: 'Health',
  params: z.strictObject({ word: z.string().regex(/^[a-z]+$/, 'must be lower-case letters.') }),
  query: z.strictObject({
    first: Digits.optional().describe('A number.'),
    second: Digits.default(7).describe('Another number.'),
    size: reserved(z.enum(['small', 'big'], 'must be `small`.'), ['big'], '`big` is announced and not served yet. Use `small`.').optional(),
    as_of: Digits.optional(),
  }),
  rules: [
    {
      code: 'missing_parameter',
      broken: (q) => q.size !== undefined && q.first === undefined,
      message: '`size` requires `first`. Give it too.',
    },
    {
      code: 'conflicting_parameters',
      broken: (q) => (q.first ?? 0) > q.second,
      message: (q) => `\`first\` is above ${q.second}. Give less.`,
    },
  ],
  data: z.strictObject({ word: z.string(), first: z.int().nullable(), second: z.int() }),
  async handle({ params, query }) {
    if (params.word === 'missing') throw refuse('not_found', 'There is no such word.')
    return toyAnswer({ word: params.word, first: query.first ?? null, second: query.second }, { asOfLedger: query.as_of })
  },
})

/** A route without parameters whose handler the test brings. */
export function toyRoute(handle: Route['handle'], overrides: Partial<Route> = {}): Route {
  const route: Route = defineRoute({
    // Of its path: a document may have several.
    operationId: `do${(overrides.path ?? '/v1/toy').replaceAll(/[^a-z0-9]/gi, '')}`,
    method: 'get',
    path: '/v1/toy',
    summary: 'Does what the test says',
    tagName: 'Health',
    params: z.strictObject({}),
    query: z.strictObject({}),
    data: z.unknown(),
    handle,
  })
  return { ...route, ...overrides }
}
