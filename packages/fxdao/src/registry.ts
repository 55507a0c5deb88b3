// Which contracts are FxDAO's own and where their records go. Nothing is deployed for a vault or a currency, so nothing is discovered but
// the tokens whose balances the contracts hold. Everything is in one partition, because the list of vaults is global.

import { isInstanceKey, trackerOf } from '@orrery/fold-kit'
import type { ContractId, EntryRecord, EventRecord, LedgerRecord } from '@orrery/ledger'
import { pricesOf } from '@orrery/pricing'
import {
  CONTEXT_ONLY,
  type EntryName,
  type Network,
  OWNED,
  type ProtocolRouting,
  type Route,
  type TrackedContract,
} from '@orrery/protocol-kit'
import { readLockingInstance, readLockingKey, readVault, readVaultsInstance, readVaultsKey, vaultKey } from './chain/entries.ts'

const tracked = trackerOf<'vaults' | 'locking_pool'>('fxdao')

export const routing: ProtocolRouting = {
  protocol: 'fxdao',

  roots(network) {
    return [
      ...network.deployments.fxdao.flatMap(({ vaults, lockingPools, fromLedger }) => [
        tracked('vaults', vaults, vaults, fromLedger),
        ...lockingPools.map((pool) => tracked('locking_pool', pool, vaults, fromLedger)),
      ]),
      ...pricesOf(network).roots('fxdao'),
    ]
  },

  /** The tokens that the contracts hold: the collateral, staked assets and the rewards asset. Their balances are followed from then on. */
  discover(record: EventRecord | EntryRecord, source: TrackedContract) {
    if (record.kind !== 'entry') return []
    const token = source.role === 'vaults' ? collateralOf(record) : source.role === 'locking_pool' ? lockedTokenOf(record) : null
    return token === null || source.balances.includes(token) ? [] : [{ ...source, balances: [...source.balances, token] }]
  },

  /** Everything of the vaults and locking pools is owned by the one partition; of the oracles comes what prices are made of. */
  route(record: LedgerRecord, source: TrackedContract, network: Network): Route {
    if (source.role === 'vaults' || source.role === 'locking_pool') return OWNED
    return pricesOf(network).route(record, source) ?? CONTEXT_ONLY
  },

  /** The lists of vaults that predate the index: the totals name the first vault, each vault the next. And entries that prices need. */
  bootstrap(source: TrackedContract, read: EntryRecord | null, network: Network): readonly EntryName[] {
    if (source.role !== 'vaults') return pricesOf(network).bootstrap(source, read)
    if (read === null || read.value === null) return []
    const vault = (account: string, denomination: string): EntryName => ({
      contract: source.contract,
      key: vaultKey(account, denomination),
      durability: 'persistent',
    })
    if (isInstanceKey(read.key)) {
      return [...(readVaultsInstance(read.value, source.contract)?.totals ?? [])].flatMap(([denomination, { lowest }]) =>
        lowest === null ? [] : [vault(lowest.account, denomination)],
      )
    }
    const key = readVaultsKey(read.key)
    const next = key.kind === 'vault' ? readVault(read.value)?.next : null
    return key.kind !== 'vault' || next === null || next === undefined ? [] : [vault(next.account, key.denomination)]
  },
}

function collateralOf({ key, value, contract }: EntryRecord): ContractId | null {
  return isInstanceKey(key) && value !== null ? (readVaultsInstance(value, contract)?.core?.collateral ?? null) : null
}

function lockedTokenOf({ key, value, contract }: EntryRecord): ContractId | null {
  if (value === null) return null
  if (isInstanceKey(key)) return readLockingInstance(value, contract)?.rewardsAsset ?? null
  const read = readLockingKey(key)
  return read.kind === 'pool' ? read.asset : null
}
