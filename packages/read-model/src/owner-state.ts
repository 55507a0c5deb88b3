// The state of accounts as of a ledger: from memory where it is known to hold, by one statement for all others.

import type { Address } from '@orrery/ledger'
import type { ProtocolId, StateRow } from '@orrery/protocol-kit'
import { watermarkOf } from './index-tip.ts'
import type { OwnerAdapter, OwnerStateCache } from './owner-state-cache.ts'
import { quarantineKey } from './quarantine.ts'
import { CONDITIONS_WITH_COLUMNS } from './query.ts'
import { activeParam } from './run-query.ts'
import type { KnownChanges, StateChanges } from './state-changes.ts'
import { changesOf, type Reading, select } from './state-reading.ts'
import type { OwnerStateRequest } from './state-request.ts'
import { standsAt, stateColumns } from './state-rows.ts'

const OWNER_STATE_SQL = `SELECT ${stateColumns()} FROM state_by_owner_v1
  WHERE owner IN {owners:Array(String)} AND protocol IN {protocols:Array(String)} AND ledger <= {ledger:UInt32}
    AND (protocol, adapter_version) IN {active:Array(Tuple(String, UInt16))}
  ORDER BY owner, protocol, contract, key, ledger DESC LIMIT 1 BY owner, protocol, contract, key`

/** What earlier requests read of accounts, and what newer ledgers changed. */
export interface OwnerCaches {
  readonly owners: OwnerStateCache
  readonly changes: StateChanges
}

/** The statement reads every row of the accounts: bounded by their activity, not by the size of the index. */
export async function readOwnerState(
  reading: Reading,
  caches: OwnerCaches,
  { owners, protocol, ledger }: OwnerStateRequest,
): Promise<StateRow[]> {
  const { tip } = reading
  const protocols = protocol === undefined ? tip.adapters.map((adapter) => adapter.protocol) : [protocol]
  const known = await knownRows(reading, caches, adaptersOf(reading, protocols, ledger), owners, ledger)
  const missing = (owner: Address): ProtocolId[] => protocols.filter((id) => !known.has(nameOf(id, owner)))
  const asked = { owners: owners.filter((owner) => missing(owner).length > 0), protocols: [...new Set(owners.flatMap(missing))] }
  const rows = asked.owners.length === 0 ? [] : await readRows(reading, caches, asked, ledger)
  const isRead = (row: StateRow): boolean => asked.owners.includes(row.owner) && asked.protocols.includes(row.protocol)
  const others = [...known.values()].flat().filter((row) => !isRead(row))
  const all = others.length === 0 ? rows : [...rows, ...others].sort(byOwner)
  return all.filter((row) => standsAt(row, ledger))
}

/** Those of which rows may be kept: the ledger is final for them. None where rows of a quarantined partition are left out. */
function adaptersOf({ tip, options }: Reading, protocols: readonly ProtocolId[], ledger: number): OwnerAdapter[] {
  if (quarantineKey(tip, Math.min(ledger, options.asOf ?? ledger)) !== '' || quarantineKey(tip, ledger) !== '') return []
  return tip.adapters.filter((adapter) => protocols.includes(adapter.protocol) && ledger <= watermarkOf(tip, [adapter.protocol]).ledger)
}

const nameOf = (protocol: ProtocolId, owner: Address): string => `${protocol} ${owner}`

async function knownRows(
  reading: Reading,
  { owners: cache, changes }: OwnerCaches,
  adapters: readonly OwnerAdapter[],
  owners: readonly Address[],
  ledger: number,
): Promise<Map<string, readonly StateRow[]>> {
  const known = new Map<string, readonly StateRow[]>()
  const look = async (adapter: OwnerAdapter): Promise<void> => {
    const { protocol, version } = adapter
    const at = { ledger, newest: watermarkOf(reading.tip, [protocol]).ledger }
    const isWorthReading = cache.wantsChanges(adapter, owners, ledger)
    const upTo: KnownChanges | null =
      changes.known(protocol, version, ledger) ??
      (isWorthReading ? await changes.upTo(protocol, version, ledger, changesOf(reading, { protocol, version })) : null)
    for (const owner of owners) {
      const rows = cache.get(adapter, owner, at, upTo)
      if (rows !== undefined) known.set(nameOf(protocol, owner), rows)
    }
  }
  await Promise.all(adapters.map(look))
  return known
}

async function readRows(
  reading: Reading,
  { owners: cache }: OwnerCaches,
  { owners, protocols }: { readonly owners: readonly Address[]; readonly protocols: readonly ProtocolId[] },
  ledger: number,
): Promise<StateRow[]> {
  const readMs = performance.now()
  const query_params = { owners, protocols, ledger, active: activeParam(reading.tip) }
  const statement = { query: OWNER_STATE_SQL, query_params, clickhouse_settings: CONDITIONS_WITH_COLUMNS }
  const rows = await select(reading, 'owner_state', statement)
  const own = Map.groupBy(rows, (row) => nameOf(row.protocol, row.owner))
  for (const adapter of adaptersOf(reading, protocols, ledger)) {
    for (const owner of owners) cache.set(adapter, owner, own.get(nameOf(adapter.protocol, owner)) ?? [], { ledger, readMs })
  }
  return rows
}

/** As the statement orders them. */
function byOwner(a: StateRow, b: StateRow): number {
  return compare(a.owner, b.owner) || compare(a.protocol, b.protocol) || compare(a.contract, b.contract) || compare(a.key, b.key)
}

const compare = (a: string, b: string): number => (a === b ? 0 : a < b ? -1 : 1)
