// Members of the bodies of management requests. A message follows the member's name: "`organization_slug` must be …".

import { emailAddress, plainText, SCOPES, SLUG } from '@orrery/identity'
import { z } from 'zod'
import { isAfter, parseInstant } from '../params/date-time.ts'

/** `read` returns null for a text that breaks `rule`. */
function textMember<T>(rule: string, doc: Readonly<Record<string, unknown>>, read: (text: string) => T | null) {
  return z
    .string(rule)
    .transform((text, ctx): T => {
      const value = read(text)
      if (value !== null) return value
      ctx.addIssue({ code: 'custom', message: rule })
      return z.NEVER
    })
    .meta(doc)
}

/**
 * As ranges, because not every tool that reads the document supports Unicode properties: control, invisible and bidirectional characters of the
 * basic plane, and the replacement character of decoders. Those of other planes are refused, too.
 */
const UNSEEN =
  '\\u0000-\\u001f\\u007f-\\u009f\\u00ad\\u034f\\u0600-\\u0605\\u061c\\u06dd\\u070f\\u0890\\u0891\\u08e2\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180f' +
  '\\u200b-\\u200f\\u2028-\\u202e\\u2060-\\u206f\\u3164\\ufe00-\\ufe0f\\ufeff\\uffa0\\ufff0-\\ufffb\\ufffd'
const PLAIN = `[^${UNSEEN}]`
const VISIBLE = `[^\\s${UNSEEN}]`

const shortText = (most: number) =>
  textMember(
    `must be text of 1 to ${most} characters, without control, invisible or bidirectional characters.`,
    // Spaces around the text are dropped before it is counted, so `maxLength` would refuse too much.
    { minLength: 1, pattern: `^\\s*${VISIBLE}(?:${PLAIN}{0,${most - 2}}${VISIBLE})?\\s*$` },
    (text) => plainText(text, most),
  )

export const Name = shortText(200)

export const Slug = textMember(
  'must be 1 to 63 characters of a-z, 0-9 and `-`, with a letter or digit at both ends.',
  { pattern: SLUG.source, examples: ['acme'] },
  (text) => (SLUG.test(text) ? text : null),
)

const scopesRule = `must be an array of at least one of: ${SCOPES.map((scope) => `\`${scope}\``).join(', ')}.`

/** A scope that is named twice counts once. */
export const Scopes = z
  .array(z.enum(SCOPES, scopesRule), scopesRule)
  .min(1, scopesRule)
  .transform((scopes) => [...new Set(scopes)])

/** Unix milliseconds. The handler checks that the time is in the future, because only the handler has a clock. */
export const ExpiresAt = textMember(
  'must be an RFC 3339 date-time with `Z` or an offset, such as `2030-01-01T00:00:00Z`, or null.',
  { format: 'date-time' },
  (text) => {
    const instant = parseInstant(text)
    if (instant === null || isAfter(instant, LAST_INSTANT)) return null
    // Rounded down to milliseconds, so that a key never lives longer than requested.
    return instant.seconds * 1000 + Number(instant.fraction.slice(0, 3).padEnd(3, '0'))
  },
)

/** Years have four digits. */
const LAST_INSTANT = { seconds: Date.UTC(9999, 11, 31, 23, 59, 59) / 1000, fraction: '' }

export const BillingEmail = textMember('must be an e-mail address, or null.', { format: 'email' }, (text) =>
  emailAddress(text) === null ? null : text.trim(),
)
export const CompanyName = shortText(200)
export const TaxId = shortText(64)
export const Country = textMember(
  'must be a country as two capital letters (ISO 3166-1 alpha-2), such as `DE`, or null.',
  { pattern: '^[A-Z]{2}$', examples: ['DE'] },
  (text) => (/^[A-Z]{2}$/.test(text) ? text : null),
)
