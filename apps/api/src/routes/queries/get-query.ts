// `GET /v1/queries/{name}`: the statement that gives a series, for readers of the database. With a request, its parameters have the values with which that
// request runs it: the request is run, and its statements are recorded.

import { activeParam, flushLeft, onViews, parametersOf, parameterText, tablesOf, viewOf } from '@orrery/read-model'
import { z } from 'zod'
import { NO_ENRICHMENT } from '../../envelope.ts'
import { refuse } from '../../errors.ts'
import { choice } from '../../params/choice.ts'
import { textValue } from '../../params/text-value.ts'
import { defineRoute, type Route } from '../../route.ts'
import { basisOf, factsOf, protocolsAsked } from '../basis.ts'
import { NO_SERIES, REFUSED, SeriesRequest } from './series-request.ts'
import { PARAMETER_TEXTS, SERIES_STATEMENTS } from './series-statements.ts'

/** First sentence of the refusal. */
const NOT_RUN = '`request` does not run this statement.'

const RequestParameter = textValue(
  { type: 'string', pattern: '^/v1/[!-~]{1,2000}$' },
  'must be a path that begins with `/v1/` and its query, at most 2,000 characters of ASCII without spaces.',
  (text) => (/^\/v1\/[!-~]{1,2000}$/.test(text) ? text : null),
)

const Data = z
  .strictObject({
    name: z.string().describe('Name of the statement.'),
    about: z.string().describe('What its rows are, and which operation makes its points of them.'),
    sql: z.string().describe('The statement, with `{name:Type}` for its parameters. It reads the tables under the views.'),
    sql_on_views: z
      .string()
      .describe('The same with views in place of tables, for a user who may read views alone. Its rows are the same.'),
    tables: z.array(z.string()).describe('Tables that `sql` reads.'),
    views: z.array(z.string()).describe('Views that `sql_on_views` reads.'),
    parameters: z
      .array(
        z
          .strictObject({
            name: z.string().describe('Name in the statement.'),
            type: z.string().describe('Type in ClickHouse.'),
            about: z.string().describe('What it is.'),
            value: z
              .string()
              .nullable()
              .describe(
                'Value as ClickHouse takes it over HTTP, in `param_<name>`. Null without `request`, except `active` and `watermark`.',
              ),
          })
          .meta({ id: 'QueryParameter' }),
      )
      .describe('In the order in which the statement names them.'),
  })
  .meta({ id: 'QueryStatement' })

/** @param series Operations whose points are made of the statements. */
export const getQuery = (series: readonly Route[]) =>
  defineRoute({
    operationId: 'getQuery',
    method: 'get',
    path: '/v1/queries/:name',
    summary: 'SQL of a series',
    description: `The statement that gives the figures of a series of answers, for analysts with access to ClickHouse. The analyst of \`orrery up\` may run both texts; on a server with the users of \`orrery migrate --users\` the analyst may read views alone: \`sql_on_views\`. With \`request\`, parameters have the values with which the statement gives the figures of that request, and \`enrichment\` is that of its answer. Where a window reaches the last indexed ledger, the answer of the operation shows values of the present in its last bucket, which are of no statement. The API runs the statement itself, except where it adds up fewer rows to the same figures: charts of days, TVL of few pools, and the activity of an account with few actions.\n\nRefused: ${NO_SERIES} ${REFUSED} ${NOT_RUN}`,
    tagName: 'Queries',
    stability: 'experimental',
    params: z.strictObject({ name: choice([...SERIES_STATEMENTS.keys()]).describe('Name of a statement.') }),
    query: z.strictObject({
      request: RequestParameter.optional().describe(
        'A request of an operation that runs the statement: its path and query. It is run and charged like the request itself.',
      ),
    }),
    data: Data,
    load: async ({ query: { request } }, context) => (request === undefined ? {} : new SeriesRequest(request, series).load(context)),
    async handle({ params: { name }, query: { request } }, context) {
      const basis = await basisOf(protocolsAsked(undefined, context), context)
      const statement = SERIES_STATEMENTS.get(name)
      if (statement === undefined) throw refuse('not_found', `There is no statement \`${name}\`.`)
      const { query, about } = statement
      const run = request === undefined ? null : await new SeriesRequest(request, series).run(context)
      const given = run?.ran.find((one) => one.name === name)?.params ?? null
      if (run !== null && given === null) {
        const others = [...new Set(run.ran.map((one) => one.name))].filter((one) => SERIES_STATEMENTS.has(one))
        throw refuse(
          'invalid_parameter',
          `${NOT_RUN} ${others.length === 0 ? 'It runs none of a series' : `It runs ${others.map((one) => `\`${one}\``).join(', ')}`}.`,
        )
      }
      const values = { watermark: basis.indexed.last.ledger, ...given, active: activeParam(await context.readModel.tip()) }
      const tables = tablesOf(query)
      return {
        data: {
          name,
          about,
          sql: flushLeft(query.sql),
          sql_on_views: flushLeft(onViews(query)),
          tables,
          views: tables.map(viewOf),
          parameters: parametersOf(query).map((parameter) => ({
            ...parameter,
            about: PARAMETER_TEXTS[parameter.name] ?? '',
            value: valueText(parameter.name, values),
          })),
        },
        enrichment: run?.answer.enrichment ?? NO_ENRICHMENT,
        facts: factsOf(basis, { warnings: [] }),
        tag: [...basis.tag, ...(run?.answer.tag ?? [])],
        cached: run?.answer.cached ?? true,
      }
    },
  })

function valueText(name: string, values: Readonly<Record<string, unknown>>): string | null {
  const value = values[name]
  return value === undefined || value === null ? null : parameterText(value)
}
