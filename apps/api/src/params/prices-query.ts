// Parameters of the prices of several assets at one moment.

import { type ContractId, isContractId } from '@orrery/ledger'
import { z } from 'zod'
import type { Rule } from '../route.ts'
import { DateTimeParameter } from './date-time.ts'
import { LedgerParameter } from './integer.ts'
import { textValue } from './text-value.ts'

const MAX_ASSETS = 100

/** In the order given. */
const AssetList = textValue(
  { type: 'string', pattern: '^C[A-Z2-7]{55}(?:,C[A-Z2-7]{55})*$' },
  `must be 1 to ${MAX_ASSETS} different token contracts (\`C...\`) with valid checksums, with commas and no spaces between.`,
  (text): readonly ContractId[] | null => {
    const ids = text.split(',')
    const good = ids.length <= MAX_ASSETS && new Set(ids).size === ids.length && ids.every(isContractId)
    return good ? ids : null
  },
)

export const PricesQuery = z.strictObject({
  assets: AssetList.describe(`1 to ${MAX_ASSETS} token contracts with commas between, none twice. Prices come in the same order.`),
  at: DateTimeParameter.optional().describe(
    'Prices at the end of the last ledger that closed at or before this instant. Not with `as_of_ledger`.',
  ),
  as_of_ledger: LedgerParameter.optional().describe('Prices at the end of this ledger. Omit both for the latest.'),
})

export type PricesQuery = z.output<typeof PricesQuery>

export const PRICES_RULES: readonly Rule<PricesQuery>[] = [
  {
    code: 'conflicting_parameters',
    broken: (q) => q.at !== undefined && q.as_of_ledger !== undefined,
    message: '`at` cannot be combined with `as_of_ledger`: both say the ledger. Drop one of them.',
  },
]
