// A currency of FxDAO, such as `USD`: the name in its contract, case-sensitive.

import { textValue } from './text-value.ts'

/** A Soroban symbol. */
export const CurrencyName = textValue(
  { type: 'string', pattern: '^[A-Za-z0-9_]{1,32}$', examples: ['USD'] },
  'must be the name of a currency, such as `USD`: at most 32 letters, digits or `_`.',
  (text) => (/^[A-Za-z0-9_]{1,32}$/.test(text) ? text : null),
).describe('Currency, such as `USD`, in upper and lower case as its contract names it.')
