import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { readParameters, reserved } from './parameters.ts'
import { defineRoute } from './route.ts'
import { echo, toyAnswer } from './testing/toy-routes.ts'

const read = (query: string, word = 'hello') => readParameters(echo, { word }, query)
const problem = (query: string, word?: string) => {
  try {
    read(query, word)
  } catch (error) {
    const { code, message } = error as { code: string; message: string }
    return { code, message }
  }
  return null
}

describe('parameters that are good', () => {
  it('are values of the table, with defaults where nothing was given', () => {
    expect(read('first=5')).toEqual({ params: { word: 'hello' }, query: { first: 5, second: 7, size: undefined, as_of: undefined } })
  })

  it('may be escaped, name and value, and a plus is a plus', () => {
    const route = defineRoute({
      ...echo,
      load: async () => ({}),
      query: z.strictObject({ from: z.string().optional() }),
      rules: [],
      handle: async () => toyAnswer({ word: '', first: null, second: 0 }),
    })
    expect(readParameters(route, { word: 'a' }, 'from=2026-01-01T00:00:00+02:00').query).toEqual({ from: '2026-01-01T00:00:00+02:00' })
    expect(readParameters(route, { word: 'a' }, 'fr%6Fm=2026%2B').query).toEqual({ from: '2026+' })
  })

  it('may stand between empty pairs', () => {
    expect(read('&first=5&&').query.first).toBe(5)
  })
})

describe('one bad parameter', () => {
  it.each([
    ['nope=1', 'unknown_parameter', '`nope` is not a parameter of this endpoint. It takes `first`, `second`, `size`, `as_of`.'],
    ['First=1', 'unknown_parameter', '`First` is not a parameter of this endpoint. It takes `first`, `second`, `size`, `as_of`.'],
    ['=1', 'unknown_parameter', '`` is not a parameter of this endpoint. It takes `first`, `second`, `size`, `as_of`.'],
    ['first=1&first=1', 'invalid_parameter', '`first` was given more than once. Give it once.'],
    ['first', 'invalid_parameter', '`first` is empty. Give a value or drop it.'],
    ['first=', 'invalid_parameter', '`first` is empty. Give a value or drop it.'],
    ['first=x', 'invalid_parameter', '`first` must be a number of at most three digits.'],
    ['first=%zz', 'invalid_parameter', '`first` must be a number of at most three digits.'],
    ['size=big', 'reserved_parameter', '`size` `big` is announced and not served yet. Use `small`.'],
    ['size=huge', 'invalid_parameter', '`size` must be `small`.'],
    ['size=small', 'missing_parameter', '`size` requires `first`. Give it too.'],
    ['first=8', 'conflicting_parameters', '`first` is above 7. Give less.'],
  ])('%s is refused as %s', (query, code, message) => {
    expect(problem(query)).toEqual({ code, message })
  })

  it('of the path is refused by its own rule', () => {
    expect(problem('', 'UPPER')).toEqual({ code: 'invalid_parameter', message: '`word` must be lower-case letters.' })
  })

  it('that is required and not there is named', () => {
    const route = { ...echo, query: z.strictObject({ must: z.string() }), rules: [] }
    expect(() => readParameters(route, { word: 'a' }, '')).toThrow('`must` is required.')
  })
})

describe('of several problems', () => {
  it.each([
    ['names come first, in the order of the query', 'first=x&b=1&a=1', 'unknown_parameter', '`b`'],
    ['a repeated name before an unknown one is reported', 'first=x&first=x&a=1', 'invalid_parameter', '`first` was given more than once'],
    ['then values, in the order of the table', 'second=x&first=y', 'invalid_parameter', '`first`'],
    ['a reserved value waits for its turn in the table', 'size=big&second=x', 'invalid_parameter', '`second`'],
    ['then rules, in their order', 'size=small&second=0', 'missing_parameter', '`size`'],
  ])('%s', (_, query, code, start) => {
    const found = problem(query)
    expect(found?.code).toBe(code)
    expect(found?.message.startsWith(start)).toBe(true)
  })

  it('the path comes before the values of the query', () => {
    expect(problem('first=x', 'UPPER')?.message).toMatch(/^`word`/)
  })
})

it('a parameter can be reserved as a whole', () => {
  const route = {
    ...echo,
    query: z.strictObject({ resolution: reserved(z.string(), 'all', 'is reserved. Use `interval`.').optional() }),
    rules: [],
  }
  expect(readParameters(route, { word: 'a' }, '').query).toEqual({ resolution: undefined })
  expect(() => readParameters(route, { word: 'a' }, 'resolution=anything')).toThrow('`resolution` is reserved. Use `interval`.')
})
