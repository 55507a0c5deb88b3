// Addresses of a path or a query: account `G...` and contract `C...`, with a checksum that holds.
// A muxed address (`M...`) is refused: positions belong to the account behind it, and guessing would hide a wrong paste.

import { isAccountId, isContractId } from '@orrery/ledger'
import { textValue } from './text-value.ts'

/** Whoever may hold positions. */
export const AccountAddress = textValue(
  { type: 'string', pattern: '^[GC][A-Z2-7]{55}$' },
  'must be an account (`G...`) or contract (`C...`) address with a right checksum. For a muxed address (`M...`) give the account behind it.',
  (text) => (isAccountId(text) || isContractId(text) ? text : null),
)

export const ContractAddress = textValue(
  { type: 'string', pattern: '^C[A-Z2-7]{55}$' },
  'must be a contract address (`C...`) with a right checksum.',
  (text) => (isContractId(text) ? text : null),
)
