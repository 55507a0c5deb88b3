import { readFileSync } from 'node:fs'
import { OrreryError } from '@orrery/errors'
import { describe, expect, it } from 'vitest'
import { API_ERRORS, refuse, wireError } from './errors.ts'

const page = readFileSync(new URL('../../../docs/errors.md', import.meta.url), 'utf8')
const sections = page.split(/^## /m).slice(1)

describe('docs/errors.md', () => {
  it('has a heading for each code, in the order of the list, and no other', () => {
    expect(sections.map((section) => section.split('\n')[0])).toEqual(Object.keys(API_ERRORS).map((code) => `\`${code}\``))
  })

  it.each(Object.entries(API_ERRORS))('docs/errors.md has the status of %s, how to fix it, and an example', (code, { status }) => {
    const section = sections.find((text) => text.startsWith(`\`${code}\``)) ?? ''
    expect(section).toMatch(new RegExp(`\\n${status}\\. `))
    expect(section).toContain('**Fix:**')
    expect(section).toContain('**Example:**')
  })
})

describe('an error on the wire', () => {
  it('the response to an error has the status of its code, whatever its kind is', () => {
    expect(wireError(refuse('method_not_allowed', 'no'))).toEqual({ status: 405, code: 'method_not_allowed', message: 'no', headers: {} })
    expect(wireError(new OrreryError('unavailable', 'timeout', 'late'))).toMatchObject({ status: 504, headers: { 'retry-after': '2' } })
  })

  it.each([
    ['invalid', 400, 'invalid_parameter'],
    ['unauthorized', 401, 'unauthorized'],
    ['not_found', 404, 'not_found'],
    ['rate_limited', 429, 'rate_limited'],
    ['unavailable', 503, 'unavailable'],
    ['corrupt', 503, 'unavailable'],
    ['bug', 500, 'internal'],
  ] as const)('an error with an internal code gets the public code of its kind: %s -> %i %s', (kind, status, code) => {
    expect(wireError(new OrreryError(kind, 'some_code_of_logs', 'inside'))).toMatchObject({ status, code })
  })

  it('an error with seconds to wait sets Retry-After', () => {
    const error = new OrreryError('rate_limited', 'rate_limited', 'wait', { context: { retryAfterSeconds: 17 } })
    expect(wireError(error).headers).toEqual({ 'retry-after': '17' })
  })

  it('an error with a challenge sets the header WWW-Authenticate of RFC 9110', () => {
    const error = new OrreryError('unauthorized', 'unauthorized', 'no key', { context: { challenge: 'ApiKey realm="orrery"', table: 'x' } })
    expect(wireError(error).headers).toEqual({ 'www-authenticate': 'ApiKey realm="orrery"' })
  })

  it.each([
    new Error('secret'),
    'secret',
    null,
    new OrreryError('bug', 'internal', 'secret'),
    new OrreryError('unavailable', 'unavailable', 'secret'),
    new OrreryError('corrupt', 'log_gap', 'secret'),
  ])('the response to an error reveals no internals: %s', (error) => {
    expect(JSON.stringify(wireError(error))).not.toContain('secret')
  })
})
