// Every parameter of every endpoint with every value at its bounds and beyond, every pair of parameters and, in `npm run test:long`, every set of
// three, over real HTTP: what is taken and what is refused, with which code, for which parameter, with a page that explains it. Of what is taken,
// `npm run test:system` asks for one value of each parameter: these answers are computed, which takes most of the time.

import { testTier } from '@orrery/testkit/ground-truth'
import { describe, expect, it } from 'vitest'
import { routes } from '../testing/all-routes.ts'
import { httpAsk } from '../testing/http-ask.ts'
import { withFixtureApi } from './testing/fixture-api.ts'
import { INT64_MAX } from './testing/parameter-kinds.ts'
import { MATRIX, type MatrixEndpoint } from './testing/refusal-matrix.ts'

const fixture = withFixtureApi(['soroswap', 'aquarius', 'blend', 'fxdao'])

/** What a request is expected to get: null if it is taken. */
type Expected = { readonly code: string; readonly names: readonly string[] } | null

/** The transaction of the matrix is not in the index: its parameters are taken, and then it is not found. */
const TAKEN = [200, 404]

const ASKS_ALL = testTier === 'long'
/** Sets of three also show which of two broken rules comes first. */
const LARGEST_SET = ASKS_ALL ? 3 : 2

const queryOf = (pairs: readonly (readonly [string, string])[]): string =>
  pairs.length === 0 ? '' : `?${pairs.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('&')}`

/** Null, or how the answer differs from what is expected. */
async function difference(path: string, expected: Expected): Promise<string | null> {
  const { status, body } = await fixture.api.ask(path)
  const error = body?.error as { readonly code: string; readonly message: string; readonly docs: string } | undefined
  const code = error?.code ?? 'none'
  if (expected === null) return TAKEN.includes(status) ? null : `${path} is refused: ${code}: ${error?.message}`
  if (status !== 400 || code !== expected.code) return `${path}: ${status} ${code} (${error?.message}) instead of ${expected.code}`
  const missing = expected.names.filter((name) => !error?.message.includes(`\`${name}\``))
  if (missing.length > 0) return `${path}: the message does not name ${missing.join(' and ')}: ${error?.message}`
  return error?.docs === `/docs/errors/${code}` ? null : `${path}: docs are ${error?.docs}`
}

async function differences(cases: readonly (readonly [path: string, expected: Expected])[]): Promise<string[]> {
  const found: string[] = []
  for (const [path, expected] of cases) {
    const different = await difference(path, expected)
    if (different !== null) found.push(different)
  }
  return found
}

/** All sets of up to `size` names, in the order of the table. */
function setsOf(names: readonly string[], size: number): string[][] {
  if (size === 0 || names.length === 0) return [[]]
  const [first = '', ...rest] = names
  return [...setsOf(rest, size - 1).map((set) => [first, ...set]), ...setsOf(rest, size)]
}

/** Pairs that an endpoint needs in every request, beside `name`. */
function requiredBeside({ required = [], parameters }: MatrixEndpoint, names: readonly string[]): [string, string][] {
  return required.filter((one) => !names.includes(one)).map((one) => [one, parameters[one]?.good ?? ''])
}

/** Parameters that make `asked` meaningful, so that values of these are what decides. */
function contextOf(endpoint: MatrixEndpoint, asked: readonly string[]): [string, string][] {
  const good = (names: readonly string[]): [string, string][] => names.map((one) => [one, endpoint.parameters[one]?.good ?? ''])
  const others = Object.keys(endpoint.parameters).filter((one) => !asked.includes(one))
  const isTaken = (names: readonly string[]): boolean => expectedOf(endpoint, [...names, ...asked]) === null
  const context = setsOf(others, 2)
    .filter((names) => names.every((one) => endpoint.parameters[one]?.reserved?.includes(endpoint.parameters[one]?.good ?? '') !== true))
    .sort((a, b) => a.length - b.length)
    .find(isTaken)
  return good(context ?? [])
}

/** By the order of problems: values before rules; then the rules in the order of the table. */
function expectedOf(endpoint: MatrixEndpoint, names: readonly string[]): Expected {
  const { parameters, rules, required = [] } = endpoint
  const given = new Set(names)
  for (const [name, { good, reserved }] of Object.entries(parameters)) {
    if (!given.has(name)) {
      if (required.includes(name)) return { code: 'missing_parameter', names: [name] }
    } else if (reserved?.includes(good) === true) return { code: 'reserved_parameter', names: [name] }
  }
  for (const { code, broken } of rules) {
    const named = broken(given)
    if (named !== null) return { code, names: named }
  }
  return null
}

describe.each(MATRIX.map((endpoint) => [endpoint.about, endpoint] as const))('parameters of %s', (_, endpoint) => {
  const { path, parameters } = endpoint
  const combinable = Object.keys(parameters).filter((name) => parameters[name]?.code === undefined)

  it('an unknown, a repeated and an empty parameter are refused', async () => {
    const repeated = combinable.map((name) => {
      const pair = [name, parameters[name]?.good ?? ''] as const
      return [
        `${path}${queryOf([...requiredBeside(endpoint, combinable), pair, pair])}`,
        { code: 'invalid_parameter', names: [name] },
      ] as const
    })
    const empty = Object.keys(parameters).map((name) => {
      const query = queryOf([...requiredBeside(endpoint, [name]), [name, '']])
      return [`${path}${query}`, { code: 'invalid_parameter', names: [name] }] as const
    })
    const unknown = [`${path}?unheard_of=1`, { code: 'unknown_parameter', names: ['unheard_of'] }] as const
    expect(await differences([unknown, ...repeated, ...empty])).toEqual([])
  })

  it('every value at a bound is taken, and every value beyond it, and every reserved one, is refused', async () => {
    const cases = Object.entries(parameters).flatMap(([name, kind]) => {
      const context = [...requiredBeside(endpoint, [name]), ...contextOf(endpoint, [name])].filter(
        ([one], at, all) => all.findIndex(([other]) => other === one) === at,
      )
      const asked = (value: string): string => `${path}${queryOf([...context, [name, value]])}`
      const isTaken = kind.good !== '' && kind.reserved?.includes(kind.good) !== true
      return [
        ...(isTaken ? [kind.good, ...(ASKS_ALL ? (kind.alsoGood ?? []) : [])] : []).map((value) => [asked(value), null] as const),
        ...kind.bad.map((value) => [asked(value), { code: kind.code ?? 'invalid_parameter', names: [name] }] as const),
        ...(kind.reserved ?? []).map((value) => [asked(value), { code: 'reserved_parameter', names: [name] }] as const),
      ]
    })
    expect(await differences(cases)).toEqual([])
  })

  it('a window of one ledger or one instant is taken up to the largest ledger, and a window that ends before it begins is refused', async () => {
    const cases = (
      [
        ['from_ledger', 'to_ledger', INT64_MAX, '109'],
        ['from', 'to', '2026-09-01T12:00:00Z', '2026-09-01T11:59:59Z'],
      ] as const
    ).flatMap(([first, last, same, before]) => {
      if (parameters[first] === undefined || parameters[last] === undefined) return []
      const asked = (from: string, to: string): string =>
        `${path}${queryOf([...contextOf(endpoint, [first, last]), [first, from], [last, to]])}`
      return [
        [asked(same, same), null] as const,
        [asked(parameters[first].good, before), { code: 'invalid_parameter', names: [first, last] }] as const,
      ]
    })
    expect(await differences(cases)).toEqual([])
  })

  it(`every set of up to ${LARGEST_SET} parameters is taken, or refused by the first rule that it breaks`, async () => {
    const cases = setsOf(combinable, LARGEST_SET).map((names) => {
      const query = queryOf(names.map((name) => [name, parameters[name]?.good ?? '']))
      return [`${path}${query}`, expectedOf(endpoint, names)] as const
    })
    expect(await differences(cases.filter(([, expected]) => ASKS_ALL || expected !== null))).toEqual([])
  })
})

it('every endpoint that has parameters in the query is in the table, with the same parameters', () => {
  const inRoutes = routes.flatMap(({ path, query }) => {
    const names = Object.keys(query.shape)
    const asked = new RegExp(`^${path.replaceAll(/:\w+/g, '[^/]+')}$`)
    const inTable = MATRIX.find((endpoint) => asked.test(endpoint.path))
    return names.length === 0 ? [] : [{ path, names, inTable: Object.keys(inTable?.parameters ?? {}) }]
  })
  expect(inRoutes.length).toBeGreaterThan(20)
  for (const { path, names, inTable } of inRoutes) expect([path, ...inTable.sort()]).toEqual([path, ...names.sort()])
})

it('the page of every code that a parameter can have needs no key', async () => {
  const codes = ['invalid_parameter', 'missing_parameter', 'unknown_parameter', 'conflicting_parameters', 'reserved_parameter']
  for (const code of [...codes, 'too_many_points', 'invalid_cursor']) {
    const { status, bytes } = await httpAsk(fixture.api.url, `/docs/errors/${code}`)
    expect([status, bytes.toString().includes(`<h1><code>${code}</code></h1>`)]).toEqual([200, true])
  }
})
