// Payer and receiver, where they are not the owner of the position. Events name the owner only: payer and receiver are in the call of the pool
// and, where a contract called the pool by itself, in the tokens' transfers.
// Source: blend-contracts-v2 pool/src/contract.rs (`submit`, `submit_with_allowance`, `claim`).

import type { EventPlace } from '@orrery/fold-kit'
import { type Address, type CallRecord, type ContractId, readScVals } from '@orrery/ledger'
import type { Operation } from './operation.ts'

export interface Parties {
  readonly payer: Address
  readonly receiver: Address
}

/** `from`, `spender`, `to` stand at the front of both; `flash_loan` has neither payer nor receiver but `from`. */
const SUBMITS: readonly string[] = ['submit', 'submit_with_allowance']

/** Who pays and who is paid by requests of `from` to the pool. */
export function submitParties(seen: EventPlace & { readonly from: Address; readonly asset: ContractId }, operation: Operation): Parties {
  const { from, asset } = seen
  const found = new Map<string, Parties>()
  for (const call of operation.calls) {
    const parties = call.contract === seen.contract ? partiesOf(call, from) : null
    if (parties !== null) found.set(`${parties.payer} ${parties.receiver}`, parties)
  }
  const [only, ...others] = found.values()
  if (only !== undefined && others.length === 0) return only
  return partiesByTransfers(seen.contract, from, asset, seen.index, operation)
}

function partiesOf(call: CallRecord, from: Address): Parties | null {
  if (call.function === 'flash_loan') {
    const [owner] = addressesIn(call)
    return owner === from ? { payer: from, receiver: from } : null
  }
  if (!SUBMITS.includes(call.function)) return null
  const [owner, payer, receiver] = addressesIn(call)
  return owner === from && payer !== undefined && receiver !== undefined ? { payer, receiver } : null
}

/** Transfers come after all events of their submit, one each way for an asset: the next ones count. */
function partiesByTransfers(pool: ContractId, from: Address, asset: ContractId, index: number, { transfers }: Operation): Parties {
  const later = transfers.filter((it) => it.index > index && it.token === asset)
  return {
    payer: later.find((it) => it.to === pool)?.from ?? from,
    receiver: later.find((it) => it.from === pool)?.to ?? from,
  }
}

/** The receiver of tokens that left `payer` before the event: that of the latest transfer of that amount. */
export function receiverBefore(
  { index }: EventPlace,
  { token, payer, amount }: { readonly token: ContractId; readonly payer: Address; readonly amount: bigint },
  { transfers }: Operation,
): Address | null {
  return transfers.findLast((it) => it.index < index && it.token === token && it.from === payer && it.amount === amount)?.to ?? null
}

export interface Caller {
  readonly address: Address
  readonly confidence: 0.9 | 0.5
  readonly metadata: { readonly attribution: 'authorizer' | 'transaction_source' }
}

/** The caller of a contract whose event names no account: who authorised a call of it, else the source of the transaction. */
export function callerOf(contract: ContractId, { calls, transaction }: Operation): Caller {
  const signer = calls.find((call) => call.contract === contract && call.authorizer !== null)?.authorizer ?? null
  if (signer !== null) return { address: signer, confidence: 0.9, metadata: { attribution: 'authorizer' } }
  return { address: transaction.source, confidence: 0.5, metadata: { attribution: 'transaction_source' } }
}

/** Leading arguments of a call that are addresses. */
export function addressesIn(call: CallRecord): Address[] {
  const addresses: Address[] = []
  for (const value of readScVals(call.args)) {
    if (value.type !== 'address') break
    addresses.push(value.value)
  }
  return addresses
}
