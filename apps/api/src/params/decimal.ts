// A decimal number of a query, such as an amount of USD: digits with at most 8 fractional ones. A sign, an exponent or a space is refused.

import { textValue } from './text-value.ts'

const FORM = '^[0-9]{1,20}(?:\\.[0-9]{1,8})?$'

export const UsdParameter = textValue(
  { type: 'string', pattern: FORM, examples: ['1000'] },
  'must be a decimal number that is not negative, with at most 8 fractional digits, such as `1000` or `0.5`.',
  (text) => (new RegExp(FORM).test(text) ? text : null),
)
