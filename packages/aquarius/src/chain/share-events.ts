// Events of a share token: how shares of a pool come, go and change hands. Three topics, data a bare i128.
// Source: soroban-amm token/src/contract.rs.

import { type Address, address, any, i128 } from '@orrery/ledger'
import { type AdminEvent, readAdminEvent } from './admin-events.ts'
import { type EventBytes, type EventOf, mapped, readEvent, type Unknown, withValue } from './event-reader.ts'

/** A movement of shares. A mint has `from` null, a burn `to` null. Amounts of 0 happen. */
interface Move {
  readonly from: Address | null
  readonly to: Address | null
  readonly shares: bigint
}

const SHARE = {
  mint: mapped(withValue({ minter: address, to: address }, { shares: i128 }), ({ to, shares }): Move => ({ from: null, to, shares })),
  burn: mapped(withValue({ from: address }, { shares: i128 }), (burn): Move => ({ ...burn, to: null })),
  transfer: mapped(withValue({ from: address, to: address }, { shares: i128 }), (transfer): Move => transfer),
  approve: withValue({ from: address, spender: address }, { allowance: any }),
}

export type ShareMove = EventOf<typeof SHARE, 'mint' | 'burn' | 'transfer'>

/** Shares of a token that a pool exchanges its own for, or did: they follow those that count, or count no longer. */
interface UncountedShares {
  readonly name: 'uncounted_shares'
}

export type ShareEvent = EventOf<typeof SHARE> | UncountedShares | AdminEvent | Unknown

/** `counts`: the token is the one that its pool goes by. */
export function readShareEvent(record: EventBytes, counts: boolean): ShareEvent {
  const event = readEvent(SHARE, record) ?? readAdminEvent(record)
  return counts || !('shares' in event) ? event : { name: 'uncounted_shares' }
}
