// Rules of the values that streams and webhooks are filtered by.

import { isContractId } from '@orrery/ledger'

export const MAX_CONTRACTS = 100
/** A contract, or the pool of a currency of FxDAO. */
const POOL = /^(?:C[A-Z2-7]{55}|[a-z]+:[A-Za-z0-9]{1,12})$/

export function isPool(text: string): boolean {
  return POOL.test(text) && (!text.startsWith('C') || isContractId(text))
}

/** A health factor: greater than 0 and below 10000, at most 7 fractional digits. */
export const THRESHOLD = /^(?!0{1,4}(?:\.0{1,7})?$)[0-9]{1,4}(?:\.[0-9]{1,7})?$/
