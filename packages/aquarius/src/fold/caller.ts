// The account behind a call whose event names none.

import type { Address, ContractId } from '@orrery/ledger'
import type { Operation } from './operation.ts'

export interface Caller {
  readonly address: Address
  readonly confidence: 0.9 | 0.5
  readonly rule: 'authorizer' | 'transaction_source'
}

/**
 * The account that authorised a call of the contract in this operation, else the operation's own call, which may have gone through the router. A call
 * that the transaction's source authorised by signing the transaction has no authorizer: then it is the source.
 */
export function callerOf(contract: ContractId, { calls, transaction }: Operation): Caller {
  const own = calls.filter((call) => call.contract === contract)
  const candidates = own.length > 0 ? own : calls
  const signer = candidates.find((call) => call.authorizer !== null)?.authorizer ?? transaction.source
  return candidates.length > 0
    ? { address: signer, confidence: 0.9, rule: 'authorizer' }
    : { address: signer, confidence: 0.5, rule: 'transaction_source' }
}
