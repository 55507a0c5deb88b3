// A request for a series, given as text: which operation it is of, and the statements that it runs.

import { OrreryError } from '@orrery/errors'
import { refuse } from '../../errors.ts'
import { noKeptDays } from '../../kept-days.ts'
import { decodePercent, readParameters } from '../../parameters.ts'
import { lastLedgerAsked } from '../../quarantined-pool.ts'
import type { Load } from '../../request-cost.ts'
import type { Answer, Route, RouteContext } from '../../route.ts'

/** First sentences of the refusals. */
export const NO_SERIES = '`request` must be a path of an operation for a series, with its query.'
export const REFUSED = '`request` is refused by its operation.'

interface RanStatement {
  readonly name: string
  readonly params: Readonly<Record<string, unknown>>
}

export class SeriesRequest {
  readonly #route: Route
  readonly #input: { readonly params: Record<string, unknown>; readonly query: Record<string, unknown> }

  /** @throws 400 for what is no request of one of `routes`, and for parameters that its operation refuses. */
  constructor(text: string, routes: readonly Route[]) {
    const [path = '', query = ''] = splitOnce(text, '?')
    for (const route of routes) {
      const values = pathValues(route.path, path)
      if (values === null) continue
      this.#route = route
      this.#input = read(route, values, query)
      return
    }
    throw refuse(
      'invalid_parameter',
      `${NO_SERIES} There is none at this path. ${routes.map((route) => `\`${shown(route)}\``).join(', ')}.`,
    )
  }

  load(context: RouteContext): Promise<Load> {
    return this.#route.load(this.#input, context)
  }

  /** Runs the request as its operation does. */
  async run(context: RouteContext): Promise<{ readonly ran: readonly RanStatement[]; readonly answer: Answer<unknown> }> {
    const ran: RanStatement[] = []
    const { readModel } = context
    const recorded: RouteContext['readModel'] = {
      ...readModel,
      query: (query, params, options) => {
        ran.push({ name: query.name, params: query.params.parse(params) })
        return readModel.query(query, params, options)
      },
    }
    const call = { ...context.call, asOf: lastLedgerAsked(this.#input.query) }
    const shown = { ...context, readModel: recorded, keptDays: noKeptDays, isShown: true, call }
    const answer = await this.#route.handle(this.#input, shown)
    return { ran, answer }
  }
}

function read(route: Route, values: Readonly<Record<string, string>>, query: string): ReturnType<typeof readParameters> {
  try {
    return readParameters(route, values, query)
  } catch (error) {
    if (!(error instanceof OrreryError)) throw error
    throw refuse('invalid_parameter', `${REFUSED} ${error.message}`)
  }
}

/** Values of the parameters of a path; null for another path. */
function pathValues(template: string, path: string): Record<string, string> | null {
  const [parts, asked] = [template.split('/'), path.split('/')]
  if (parts.length !== asked.length) return null
  const values: Record<string, string> = {}
  for (const [n, part] of parts.entries()) {
    const value = asked[n] ?? ''
    if (part.startsWith(':')) values[part.slice(1)] = decodePercent(value)
    else if (part !== value) return null
  }
  return values
}

function shown({ path }: Route): string {
  return path.replaceAll(/:(\w+)/g, '{$1}')
}

function splitOnce(text: string, mark: string): [string, string] {
  const at = text.indexOf(mark)
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)]
}
