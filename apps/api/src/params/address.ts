// Addresses of a path or a query: account `G...` and contract `C...`, with a valid checksum.
// A muxed address (`M...`) is refused: positions belong to its account, and converting it would hide a mistake of the client.

import { isAccountId, isContractId } from '@orrery/ledger'
import { textValue } from './text-value.ts'

/** An address that may hold positions. */
export const AccountAddress = textValue(
  { type: 'string', pattern: '^[GC][A-Z2-7]{55}$' },
  'must be an account (`G...`) or contract (`C...`) address with a valid checksum. For a muxed address (`M...`), give its account.',
  (text) => (isAccountId(text) || isContractId(text) ? text : null),
).describe('Account (`G...`) or contract (`C...`).')

export const ContractAddress = textValue(
  { type: 'string', pattern: '^C[A-Z2-7]{55}$' },
  'must be a contract address (`C...`) with a valid checksum.',
  (text) => (isContractId(text) ? text : null),
).describe('Contract (`C...`).')
