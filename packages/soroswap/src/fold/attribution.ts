// The account behind a swap: the payer, where the contract names only the receiver.
// 1: the contract names the account. 0.9: the operation's own transfers show it. 0.5: only the source of the transaction is known.

import { type PassThrough, passedThrough, type SeenTransfer } from '@orrery/fold-kit'
import { type Address, type ContractId, isAccountId } from '@orrery/ledger'

/** The input and output of a whole path. */
interface Exchange extends PassThrough {
  readonly firstPair: ContractId
  /** Receiver of the output at the end. */
  readonly to: Address
  /** A router requires the authorisation of `to`, so `to` also paid. */
  readonly routed: boolean
}

/**
 * The account behind an exchange.
 *
 * - Routed: `to`.
 * - A pair called directly: the sender of the input token; without one in this operation: `to`.
 * - Where that is a contract which received the token from an account before and sent the output to the same account after:
 *   that account (an aggregator or a batch; a vault that trades for itself keeps the output).
 *
 * `rule` is for `metadata.attribution`: null where the contract itself names the account.
 */
export function accountBehind(exchange: Exchange, transfers: readonly SeenTransfer[]) {
  const payer = exchange.routed ? exchange.to : (payerInto(exchange, transfers) ?? exchange.to)
  const behind = isAccountId(payer) ? null : passedThrough(payer, exchange, transfers)
  if (behind !== null) return { address: behind, confidence: 0.9, rule: 'pass_through' } as const
  if (payer === exchange.to) return { address: payer, confidence: 1, rule: null } as const
  return { address: payer, confidence: 0.9, rule: 'payer' } as const
}

/** The latest sender of the token into the first pair, before the exchange. */
export function payerInto(
  exchange: Pick<Exchange, 'firstPair' | 'tokenIn' | 'firstIndex'>,
  transfers: readonly SeenTransfer[],
): Address | null {
  return (
    transfers.findLast(
      (transfer) => transfer.index < exchange.firstIndex && transfer.token === exchange.tokenIn && transfer.to === exchange.firstPair,
    )?.from ?? null
  )
}
