// Several accounts in one parameter.

import { type Address, isAccountId, isContractId } from '@orrery/ledger'
import { textValue } from './text-value.ts'

export const MAX_ADDRESSES = 100

/** In the order given. */
export const AddressList = textValue(
  { type: 'string', pattern: '^[GC][A-Z2-7]{55}(?:,[GC][A-Z2-7]{55})*$' },
  `must be 1 to ${MAX_ADDRESSES} different account (\`G...\`) or contract (\`C...\`) addresses with valid checksums, with commas and no spaces between.`,
  (text): readonly Address[] | null => {
    const addresses = text.split(',')
    const isGood = (address: string): boolean => isAccountId(address) || isContractId(address)
    const good = addresses.length <= MAX_ADDRESSES && new Set(addresses).size === addresses.length && addresses.every(isGood)
    return good ? addresses : null
  },
)
