// Contracts that act for an account: they pass on what the account sent, and return what they received.

import { type Address, type ContractId, isAccountId } from '@orrery/ledger'
import type { TokenTransfer } from './token-events.ts'

/** A transfer with its place among the events of its operation. */
export interface SeenTransfer extends TokenTransfer {
  readonly index: number
  readonly token: ContractId
}

/** The tokens that a whole exchange received and sent, and the indexes of its first and last event. */
export interface PassThrough {
  readonly tokenIn: ContractId | ''
  readonly tokenOut: ContractId | ''
  readonly firstIndex: number
  readonly lastIndex: number
}

/**
 * The account that sent the contract the input in the same operation and received the output from it. Null where the contract keeps the output,
 * as a vault does that trades for itself.
 */
export function passedThrough(
  contract: Address,
  { tokenIn, tokenOut, firstIndex, lastIndex }: PassThrough,
  transfers: readonly SeenTransfer[],
): Address | null {
  const giver = transfers.findLast((it) => it.index < firstIndex && it.token === tokenIn && it.to === contract && isAccountId(it.from))
  if (giver === undefined) return null
  const returned = transfers.some((it) => it.index > lastIndex && it.token === tokenOut && it.from === contract && it.to === giver.from)
  return returned ? giver.from : null
}
