// Contracts that act for an account: what they got from it they hand on, and what comes back they give back.

import { type Address, type ContractId, isAccountId } from '@orrery/ledger'
import type { TokenTransfer } from './token-events.ts'

/** A transfer with its place among the events of its operation. */
export interface SeenTransfer extends TokenTransfer {
  readonly index: number
  readonly token: ContractId
}

/** What went in and out of a whole exchange, and where its first and last event stand. */
export interface PassThrough {
  readonly tokenIn: ContractId | ''
  readonly tokenOut: ContractId | ''
  readonly firstIndex: number
  readonly lastIndex: number
}

/**
 * The account that gave the contract what went in, in the same operation, and got from it what came out. Null where the contract keeps it:
 * a vault that trades for itself.
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
