// Bootstrap entries: what an index that begins in the middle of history reads once, as far as the keys are known.
// Those of accounts are not: an account's entry is taken with its pre-image when it first changes.
// Source of the list: docs/protocols/blend.md, "An index that begins after the contracts".

import { isInstanceKey } from '@orrery/fold-kit'
import { type ContractId, type EntryRecord, type ScVal, sc, writeScVal } from '@orrery/ledger'
import type { EntryName, Network, TrackedContract } from '@orrery/protocol-kit'
import { readContracts } from './entry-reader.ts'
import { readPoolInstance, readPoolKey } from './pool-entries.ts'

const name = (contract: ContractId, key: ScVal): EntryName => ({ contract, key: writeScVal(key), durability: 'persistent' })
const named = (contract: ContractId, symbol: string, ...of: readonly ScVal[]): EntryName => name(contract, sc.vec(sc.symbol(symbol), ...of))

/** Of a pool: its reserves by their list, its emissions, and by its instance what its backstop keeps of it. */
export function poolEntryNames(source: TrackedContract, read: EntryRecord | null, network: Network): EntryName[] {
  const pool = source.contract
  if (read === null) return [name(pool, sc.symbol('ResList')), name(pool, sc.symbol('PoolEmis'))]
  const value = read.before ?? read.value
  if (value === null || read.contract !== pool) return []
  if (isInstanceKey(read.key)) {
    const backstop = readPoolInstance(value, pool)?.backstop
    const isOurs = network.deployments.blend.some((deployment) => deployment.backstop === backstop)
    return backstop !== undefined && isOurs
      ? ['PoolBalance', 'BEmisData', 'BEmisCfg', 'PoolEmis', 'RzEmis'].map((it) => named(backstop, it, sc.address(pool)))
      : []
  }
  if (readPoolKey(read.key).kind !== 'reserve_list') return []
  return (readContracts(value) ?? []).flatMap((asset, index) => [
    named(pool, 'ResConfig', sc.address(asset)),
    named(pool, 'ResData', sc.address(asset)),
    ...[index * 2, index * 2 + 1].flatMap((id) => [named(pool, 'EmisData', sc.u32(id)), named(pool, 'EmisConfig', sc.u32(id))]),
  ])
}

/** Of a contract that is no pool: what it keeps as a whole. */
export function wholeEntryNames(source: TrackedContract, network: Network): EntryName[] {
  const { contract } = source
  switch (source.role) {
    case 'backstop':
      return ['RZ', 'LastDist', 'LPTknVal', 'BackfillEmis', 'Backfill'].map((it) => name(contract, sc.symbol(it)))
    case 'comet':
      return [
        named(contract, 'AllRecordData'),
        named(contract, 'TotalShares'),
        ...backstopsOf(network).map((it) => named(contract, 'Balance', sc.address(it))),
      ]
    case 'emitter':
      return [
        name(contract, sc.symbol('Swap')),
        ...backstopsOf(network).flatMap((it) => [
          named(contract, 'LastDistro', sc.address(it)),
          named(contract, 'Dropped', sc.address(it)),
        ]),
      ]
    default:
      return []
  }
}

function backstopsOf(network: Network): ContractId[] {
  return network.deployments.blend.map(({ backstop }) => backstop)
}
