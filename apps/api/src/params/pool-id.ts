// The id of a pool: its contract, or the vaults of one currency of FxDAO.

import { isContractId } from '@orrery/ledger'
import { textValue } from './text-value.ts'

const CURRENCY = /^fxdao:[A-Za-z0-9_]{1,32}$/

export const PoolId = textValue(
  { type: 'string', pattern: '^(?:C[A-Z2-7]{55}|fxdao:[A-Za-z0-9_]{1,32})$', examples: ['fxdao:USD'] },
  'must be a contract address (`C...`) with a valid checksum, or `fxdao:` and a currency, such as `fxdao:USD`.',
  (text) => (isContractId(text) || CURRENCY.test(text) ? text : null),
)
