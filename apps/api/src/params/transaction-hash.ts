// A transaction hash: 64 lowercase hex characters, as explorers print it. Upper case is refused, so that a transaction has one spelling.

import { textValue } from './text-value.ts'

export const TransactionHash = textValue(
  { type: 'string', pattern: '^[0-9a-f]{64}$' },
  'must be a transaction hash: 64 lowercase hex characters.',
  (text) => (/^[0-9a-f]{64}$/.test(text) ? text : null),
).describe('Hash of the transaction: 64 lowercase hex characters.')
