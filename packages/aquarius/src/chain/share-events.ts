// Events of a share token: how shares of a pool come, go and change hands. Three topics, data a bare i128.
// Source: soroban-amm token/src/contract.rs.

import { type Address, address, any, i128 } from '@orrery/ledger'
import { type AdminEvent, type EventBytes, eventName, named, readAs, type Unknown, unknown } from './event-reader.ts'
import { readPoolAdminEvent } from './pool-admin-events.ts'

/** A movement of shares. A mint has `from` null, a burn `to` null. Amounts of 0 happen. */
export interface ShareMove {
  readonly name: 'mint' | 'burn' | 'transfer'
  readonly from: Address | null
  readonly to: Address | null
  readonly shares: bigint
}

export interface ShareApproval {
  readonly name: 'approve'
}

/** Shares of a token that a pool exchanges its own for, or did: they follow those that count, or count no longer. */
export interface UncountedShares {
  readonly name: 'uncounted_shares'
}

export type ShareEvent = ShareMove | ShareApproval | UncountedShares | AdminEvent | Unknown

const SHARE = {
  mint: named('mint', [address, address], i128),
  burn: named('burn', [address], i128),
  transfer: named('transfer', [address, address], i128),
  approve: named('approve', [address, address], any),
}

/** `counts`: the token is the one that its pool goes by. */
export function readShareEvent(record: EventBytes, counts: boolean): ShareEvent {
  const event = readEvent(record)
  return counts || (event.name !== 'mint' && event.name !== 'burn' && event.name !== 'transfer') ? event : { name: 'uncounted_shares' }
}

function readEvent(record: EventBytes): Exclude<ShareEvent, UncountedShares> {
  const name = eventName(record)
  switch (name) {
    case 'mint':
      return readAs(SHARE.mint, record, ([, , to], shares) => ({ name, from: null, to, shares }))
    case 'burn':
      return readAs(SHARE.burn, record, ([, from], shares) => ({ name, from, to: null, shares }))
    case 'transfer':
      return readAs(SHARE.transfer, record, ([, from, to], shares) => ({ name, from, to, shares }))
    case 'approve':
      return readAs(SHARE.approve, record, () => ({ name }))
    default:
      return readPoolAdminEvent(record) ?? unknown(record)
  }
}
