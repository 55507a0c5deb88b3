// The account behind a call whose event names none.

import type { Action } from '@orrery/fold-kit'
import type { Address, ContractId } from '@orrery/ledger'
import type { Operation } from './operation.ts'

/** Whose action it is, and by which rule: null where an event names the account. */
export interface Attribution {
  readonly address: Address
  readonly confidence: Action['confidence']
  readonly rule: 'authorizer' | 'transaction_source' | 'router_caller' | null
}

/**
 * The account that authorised a call of the contract in this operation, else the operation's own call, which may have gone through the router. A call
 * that the transaction's source authorised by signing the transaction has no authorizer: then it is the source.
 */
export function callerOf(contract: ContractId, { calls, transaction }: Operation): Attribution {
  const own = calls.filter((call) => call.contract === contract)
  const candidates = own.length > 0 ? own : calls
  const signer = candidates.find((call) => call.authorizer !== null)?.authorizer ?? transaction.source
  return candidates.length > 0
    ? { address: signer, confidence: 0.9, rule: 'authorizer' }
    : { address: signer, confidence: 0.5, rule: 'transaction_source' }
}
