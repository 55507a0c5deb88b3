// Which contracts are Soroswap's own, how one event makes a pair known, and which partition their records go to.
// The roots of trust are the registry's factories and routers; every pair comes from a factory's `new_pair`.
// A topic `SoroswapPair` proves nothing: any contract can emit it. Only contracts that are named here are followed.

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
  type TrackedContract,
} from '@orrery/protocol-kit'
import { listedPairKey, readFactoryInstance, readListedPair, readPairTokens } from './chain/entries.ts'
import { isNewPair, readNewPair } from './chain/events.ts'

type Role = 'factory' | 'router' | 'pair'
const tracked = trackerOf<Role>('soroswap')

export const routing: ProtocolRouting = {
  protocol: 'soroswap',

  roots(network) {
    return [
      ...network.deployments.soroswap.flatMap((deployment) => [
        tracked('factory', deployment.factory, deployment.factory, deployment.fromLedger),
        ...deployment.routers.map((router) => tracked('router', router, deployment.factory, deployment.fromLedger)),
      ]),
      ...rootPairs(network),
      ...pricesOf(network).roots('soroswap'),
    ]
  },

  /**
   * A factory's `new_pair` makes a pair known, with both of its token balances. Of a pair that the registry names without tokens,
   * the instance has them. A pair that was announced before the index began is found in the factory's list: when ingest bootstraps the list, or
   * when an entry of it is restored from the archive. The caller knows the ledger: `fromLedger` of what is found is that of its source, and may be raised.
   */
  discover(record: EventRecord | EntryRecord, source: TrackedContract) {
    if (source.role === 'factory' && record.kind === 'event' && isNewPair(record)) {
      const { pair, token0, token1 } = readNewPair(record)
      return [tracked('pair', pair, pair, source.fromLedger, [token0, token1])]
    }
    if (source.role === 'factory' && record.kind === 'entry') return listedPair(record, source)
    if (
      source.role === 'pair' &&
      source.balances.length === 0 &&
      record.kind === 'entry' &&
      isInstanceKey(record.key) &&
      record.value !== null
    ) {
      const tokens = readPairTokens(record.value, source.contract)
      if (tokens !== null) return [tracked('pair', source.contract, source.contract, source.fromLedger, tokens)]
    }
    return []
  },

  /**
   * | contract | record                        | goes to                                                            |
   * |----------|-------------------------------|--------------------------------------------------------------------|
   * | factory  | instance                      | its partition and all others: the fee switch changes every payout  |
   * | factory  | `new_pair`, bootstrapped list | its partition and all others: paths name tokens of pairs elsewhere |
   * | factory  | other events, entries, calls  | its partition                                                      |
   * | router   | entries                       | the factory's partition                                            |
   * | router   | events, calls                 | nowhere by themselves: they are context of the pairs they touch    |
   * | pair     | everything                    | the pair's partition                                               |
   * | pair     | instance: of a price pool     | all others too                                                     |
   * | pair     | instance: bootstrapped        | all others too, for its tokens                                     |
   * | oracles  | what prices are made of       | everywhere                                                         |
   */
  route(record: LedgerRecord, source: TrackedContract, network: Network): Route {
    switch (source.role) {
      case 'factory':
        return isInstanceRecord(record) || isBootstrap(record) || (record.kind === 'event' && isNewPair(record)) ? OWNED_AND_SHARED : OWNED
      case 'router':
        return record.kind === 'entry' ? OWNED : CONTEXT_ONLY
      case 'pair':
        return isInstanceRecord(record) && (isBootstrap(record) || pricesOf(network).isPricePool(source.contract))
          ? OWNED_AND_SHARED
          : OWNED
      default:
        return pricesOf(network).route(record, source) ?? CONTEXT_ONLY
    }
  },

  /** The list of pairs of a factory that predates the index, and entries that prices need. */
  bootstrap(source: TrackedContract, read: EntryRecord | null, network: Network): readonly EntryName[] {
    if (source.role !== 'factory') return pricesOf(network).bootstrap(source, read)
    if (read === null || read.value === null || !isInstanceKey(read.key)) return []
    const { totalPairs } = readFactoryInstance(read.value, source.contract)
    return Array.from({ length: totalPairs }, (_, index) => ({
      contract: source.contract,
      key: listedPairKey(index),
      durability: 'persistent',
    }))
  },
}

/** Its instance, which is read next, has its tokens. A pair that is created within the index is announced, with its tokens. */
function listedPair(record: EntryRecord, { fromLedger }: TrackedContract): TrackedContract[] {
  const pair = record.change === 'bootstrap' || record.change === 'restored' ? readListedPair(record) : null
  return pair === null ? [] : [tracked('pair', pair, pair, fromLedger)]
}

function isBootstrap(record: LedgerRecord): boolean {
  return record.kind === 'entry' && record.change === 'bootstrap'
}

/** Pairs that the registry names: pools that predate the index, and price pools. */
export function rootPairs(network: Network): TrackedContract[] {
  return namedPools(network, 'soroswap').map(({ contract, fromLedger, tokens }) => tracked('pair', contract, contract, fromLedger, tokens))
}
