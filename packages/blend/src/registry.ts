// Which contracts belong to Blend, how a factory's entry makes a pool known, and which partition their records go to.
// The roots of trust are the registry's factories. The same code under another backstop proves nothing: any account can instantiate it.
// Only a contract that is named here is followed.

import { trackerOf } from '@orrery/fold-kit'
import type { ContractId, EntryRecord, EventRecord, LedgerRecord } from '@orrery/ledger'
import { pricesOf } from '@orrery/pricing'
import {
  type BlendDeployment,
  CONTEXT_ONLY,
  type EntryName,
  type Network,
  OWNED,
  OWNED_AND_SHARED,
  type ProtocolRouting,
  type Route,
  type TrackedContract,
} from '@orrery/protocol-kit'
import { readBackstopKey, readFactoryPool } from './chain/backstop-entries.ts'
import { readCometKey } from './chain/comet-entries.ts'
import { readBackstopEvent } from './chain/deployment-events.ts'
import { poolEntryNames, wholeEntryNames } from './chain/entry-names.ts'
import { readContracts } from './chain/entry-reader.ts'
import { readPoolKey } from './chain/pool-entries.ts'

type Role = 'factory' | 'backstop' | 'emitter' | 'comet' | 'pool'
const tracked = trackerOf<Role>('blend')

export const routing: ProtocolRouting = {
  protocol: 'blend',

  roots(network) {
    return [
      ...network.deployments.blend.flatMap(({ factory, backstop, blnd, fromLedger }) => [
        tracked('factory', factory, backstop, fromLedger),
        // Its LP tokens are a balance of the Comet pool like that of any holder: one partition follows them all.
        tracked('backstop', backstop, backstop, fromLedger, [blnd]),
      ]),
      ...firstNaming(network, ({ emitter }) => emitter).map((it) => tracked('emitter', it.emitter, it.backstop, it.fromLedger)),
      ...firstNaming(network, ({ backstopToken }) => backstopToken).map((it) =>
        tracked('comet', it.backstopToken, it.backstop, it.fromLedger, [it.blnd, it.usdc]),
      ),
      ...knownPools(network),
      ...pricesOf(network).roots('blend'),
    ]
  },

  /**
   * A factory's `Contracts(pool)` makes a pool known; the pool's list of reserves names the tokens that it holds. The caller knows the ledger:
   * `fromLedger` of what is found is that of its source, and may be raised.
   */
  discover(record: EventRecord | EntryRecord, source: TrackedContract) {
    if (record.kind !== 'entry' || record.value === null) return []
    if (source.role === 'factory') {
      const pool = readFactoryPool(record.key)
      return pool === null ? [] : [tracked('pool', pool, pool, source.fromLedger)]
    }
    if (source.role !== 'pool' || readPoolKey(record.key).kind !== 'reserve_list') return []
    const assets = readContracts(record.value) ?? []
    return [tracked('pool', source.contract, source.contract, source.fromLedger, assets)]
  },

  /**
   * | contract | record                                    | goes to                                                              |
   * |----------|-------------------------------------------|----------------------------------------------------------------------|
   * | pool     | auctions                                  | the pool's partition and all others: v1's fills have no amounts      |
   * | pool     | everything else                           | the pool's partition                                                 |
   * | backstop | entries and events that name a pool       | that pool's partition                                                |
   * | backstop | v1's value of an LP token                 | the backstop's partition and all others                              |
   * | backstop | other entries and events                  | the backstop's partition                                             |
   * | backstop | calls                                     | nowhere by themselves: they are context of what they changed         |
   * | factory  | entries and events                        | the backstop's partition and all others: who is a pool               |
   * | emitter  | entries and events                        | the partition of the first backstop that names it in the registry    |
   * | Comet    | instance, totals                          | the same, and all others: LP tokens are worth the same everywhere    |
   * | Comet    | balances of LP tokens                     | the same, no other                                                   |
   * | Comet    | events                                    | the same, no other: who trades, joins and exits                      |
   * | Comet    | calls                                     | nowhere by themselves                                                |
   * | oracles  | what prices are made of                   | everywhere                                                           |
   */
  route(record: LedgerRecord, source: TrackedContract, network: Network): Route {
    switch (source.role) {
      case 'pool':
        return 'key' in record && readPoolKey(record.key).kind === 'auction' ? OWNED_AND_SHARED : OWNED
      case 'backstop':
        return backstopRoute(record, source, network)
      case 'factory':
        return record.kind === 'call' ? CONTEXT_ONLY : OWNED_AND_SHARED
      case 'emitter':
        return record.kind === 'call' ? CONTEXT_ONLY : OWNED
      case 'comet':
        return cometRoute(record)
      default:
        return pricesOf(network).route(record, source) ?? CONTEXT_ONLY
    }
  },

  bootstrap(source: TrackedContract, read: EntryRecord | null, network: Network): readonly EntryName[] {
    if (source.role === 'pool') return poolEntryNames(source, read, network)
    return read === null ? wholeEntryNames(source, network) : pricesOf(network).bootstrap(source, read)
  },
}

function backstopRoute(record: LedgerRecord, source: TrackedContract, network: Network): Route {
  if (record.kind === 'call') return CONTEXT_ONLY
  if (record.kind === 'event') {
    const version = network.deployments.blend.find(({ backstop }) => backstop === source.contract)?.version
    const event = version === undefined ? null : readBackstopEvent(record, version)
    const pool = event !== null && 'pool' in event ? event.pool : null
    return pool === null ? OWNED : { ...OWNED, home: pool }
  }
  const key = readBackstopKey(record.key)
  if ('pool' in key) return { ...OWNED, home: key.pool }
  return key.kind === 'lp_value' ? OWNED_AND_SHARED : OWNED
}

function cometRoute(record: LedgerRecord): Route {
  if (record.kind === 'call') return CONTEXT_ONLY
  if (record.kind === 'event') return OWNED
  switch (readCometKey(record.key).kind) {
    case 'instance':
    case 'records':
    case 'total_shares':
      return OWNED_AND_SHARED
    case 'ignored':
      return CONTEXT_ONLY
    default:
      return OWNED
  }
}

/** Pools that the registry names: they predate the index. */
export function knownPools(network: Network): TrackedContract[] {
  return network.knownPools
    .filter((pool) => pool.protocol === 'blend')
    .map((pool) => tracked('pool', pool.contract, pool.contract, pool.fromLedger, pool.tokens))
}

/** A contract that several deployments share belongs to the first that names it. */
function firstNaming(network: Network, of: (deployment: BlendDeployment) => ContractId): BlendDeployment[] {
  const deployments = network.deployments.blend
  return deployments.filter((deployment, n) => deployments.findIndex((it) => of(it) === of(deployment)) === n)
}
