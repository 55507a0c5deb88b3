// Which contracts are Aquarius's own, how pools and what belongs to them become known, and which partition their records go to.
// The roots of trust are the registry's routers: a pool is announced by `add_pool`, its share token and gauges are named by its own instance.
// The code proves nothing: other routers run the same.

import { isInstanceKey, isInstanceRecord, namedPools, trackerOf } from '@orrery/fold-kit'
import type { EntryRecord, EventRecord, LedgerRecord } from '@orrery/ledger'
import { pricesOf } from '@orrery/pricing'
import {
  CONTEXT_ONLY,
  type EntryName,
  type Network,
  OWNED,
  OWNED_AND_SHARED,
  type ProtocolRouting,
  type Route,
  SHARED,
  type TrackedContract,
} from '@orrery/protocol-kit'
import { bootstrapEntries } from './chain/bootstrap-entries.ts'
import { changesShareToken, readPoolContracts } from './chain/pool-contracts.ts'
import { isPoolListKey, readListedPools } from './chain/router-entries.ts'
import { isNewPool, isRouted, readNewPool } from './chain/router-events.ts'
import { isSilentCall } from './chain/silent-calls.ts'

type Role = 'router' | 'pool' | 'share' | 'gauge' | 'boost_feed'
const tracked = trackerOf<Role>('aquarius')

export const routing: ProtocolRouting = {
  protocol: 'aquarius',

  roots(network) {
    return [
      ...network.deployments.aquarius.flatMap(({ router, boostFeed, fromLedger }) => [
        tracked('router', router, router, fromLedger),
        ...(boostFeed === null ? [] : [tracked('boost_feed', boostFeed, null, fromLedger)]),
      ]),
      ...rootPools(network),
      ...pricesOf(network).roots('aquarius'),
    ]
  },

  /**
   * A router's `add_pool` makes a pool known, with its tokens; its list of pools those that predate the index. A pool's instance names
   * its share token (which may change once), its gauges, and the token that it pays rewards in: balances of it are followed too, because a
   * claim that the pool cannot pay is refused.
   */
  discover(record: EventRecord | EntryRecord, source: TrackedContract) {
    if (source.role === 'router') return poolsFound(record, source)
    if (source.role === 'pool' && record.kind === 'entry' && isInstanceKey(record.key) && record.value !== null) {
      return contractsFound(record.value, source)
    }
    return []
  },

  /**
   * | contract    | record                                       | goes to                                                          |
   * |-------------|----------------------------------------------|------------------------------------------------------------------|
   * | router      | `add_pool`, its list of pools                | its partition and all others: paths and batches span pools       |
   * | router      | events of deposits, swaps, claims            | nowhere by themselves: they are context of the pools they touch  |
   * | router      | other events, entries; calls without events  | its partition                                                    |
   * | pool        | everything                                   | the pool's partition                                             |
   * | pool        | instance: of a price pool                    | all others too                                                   |
   * | pool        | instance: new, or with another share token   | all others too: a batch moves shares of several pools            |
   * | share token | everything                                   | the pool's partition                                             |
   * | gauge       | everything                                   | the pool's partition                                             |
   * | boost feed  | instance                                     | everywhere                                                       |
   * | oracles     | what prices are made of                      | everywhere                                                       |
   */
  route(record: LedgerRecord, source: TrackedContract, network: Network): Route {
    switch (source.role) {
      case 'router':
        return routeOfRouter(record)
      case 'pool':
        return isInstanceRecord(record) && (changesShareToken(record) || pricesOf(network).isPricePool(source.contract))
          ? OWNED_AND_SHARED
          : OWNED
      case 'share':
      case 'gauge':
        return OWNED
      case 'boost_feed':
        return isInstanceRecord(record) ? SHARED : CONTEXT_ONLY
      default:
        return pricesOf(network).route(record, source) ?? CONTEXT_ONLY
    }
  },

  bootstrap(source: TrackedContract, read: EntryRecord | null, network: Network): readonly EntryName[] {
    return [...bootstrapEntries(source, read), ...pricesOf(network).bootstrap(source, read)]
  },
}

function poolsFound(record: EventRecord | EntryRecord, { contract: router, fromLedger }: TrackedContract): TrackedContract[] {
  if (record.kind === 'event') {
    const found = isNewPool(record) ? readNewPool(record) : null
    return found === null ? [] : [tracked('pool', found.pool, found.pool, fromLedger, found.tokens)]
  }
  if (record.value === null || record.contract !== router || !isPoolListKey(record.key)) return []
  return (readListedPools(record.value) ?? []).map(({ pool }) => tracked('pool', pool, pool, fromLedger))
}

function contractsFound(instance: Uint8Array, { contract: pool, fromLedger, balances }: TrackedContract): TrackedContract[] {
  const { tokens, shareToken, nextShareToken, rewardToken, gauges } = readPoolContracts(instance, pool)
  const held = [...tokens, ...(rewardToken === null ? [] : [rewardToken])]
  return [
    ...(held.every((token) => balances.includes(token)) ? [] : [tracked('pool', pool, pool, fromLedger, held)]),
    ...[shareToken, nextShareToken].flatMap((token) => (token === null ? [] : [tracked('share', token, pool, fromLedger)])),
    ...gauges.map(([token, gauge]) => tracked('gauge', gauge, pool, fromLedger, [token])),
  ]
}

function routeOfRouter(record: LedgerRecord): Route {
  switch (record.kind) {
    case 'event':
      return isNewPool(record) ? OWNED_AND_SHARED : isRouted(record) ? CONTEXT_ONLY : OWNED
    case 'entry':
      return isPoolListKey(record.key) ? OWNED_AND_SHARED : OWNED
    case 'call':
      return isSilentCall(record) ? OWNED : CONTEXT_ONLY
    default:
      return OWNED
  }
}

/** Pools that the registry names: those that predate the index, and price pools. */
export function rootPools(network: Network): TrackedContract[] {
  return namedPools(network, 'aquarius').map(({ contract, fromLedger, tokens }) => tracked('pool', contract, contract, fromLedger, tokens))
}
