// Prices that a client gives in place of those of an oracle: `C...:0.12,C...:1.01`.

import { type ContractId, isContractId } from '@orrery/ledger'
import type { DecimalText } from '@orrery/protocol-kit'
import type { Rule } from '../route.ts'
import { textValue } from './text-value.ts'

const MAX_PRICES = 50

const PAIR = 'C[A-Z2-7]{55}:[0-9]{1,12}(?:\\.[0-9]{1,18})?'
const FORM = `^${PAIR}(?:,${PAIR}){0,${MAX_PRICES - 1}}$`
const WHOLE = new RegExp(FORM)

/** Pairs in the order of their assets: JSON data, because a parameter is a part of the key of a cached answer. */
export type GivenPrices = readonly (readonly [ContractId, DecimalText])[]

export const GivenPricesParameter = textValue(
  { type: 'string', pattern: FORM },
  `must be 1 to ${MAX_PRICES} pairs of a token contract (\`C...\`) with a valid checksum and its USD price, such as \`C...:0.12,C...:1.01\`: no contract twice, decimal numbers with at most 12 digits before the point and 18 after it, commas and no spaces between.`,
  (text): GivenPrices | null => {
    if (!WHOLE.test(text)) return null
    const pairs = text.split(',').map((pair) => pair.split(':') as [ContractId, DecimalText])
    const areValid = new Set(pairs.map(([asset]) => asset)).size === pairs.length && pairs.every(([asset]) => isContractId(asset))
    return areValid ? pairs.toSorted(([a], [b]) => (a < b ? -1 : 1)) : null
  },
)

/** A price of zero has the form of a price. */
export const PRICES_ABOVE_ZERO: Rule<{ readonly prices?: GivenPrices | undefined }> = {
  code: 'invalid_parameter',
  broken: ({ prices = [] }) => prices.some(([, usd]) => !/[1-9]/.test(usd)),
  message: '`prices` has a price of 0. Give prices above 0.',
}
