// One account asked of a node, in all its older pools at once and round by round: what is found names more.
// A pool whose entries changed between two calls is left out: its parts would be of different ledgers.

import type { Address, ContractId } from '@orrery/ledger'
import { type EntryName, type EntryValue, entryText, type StateRow } from '@orrery/protocol-kit'
import type { ContractDataNow } from '@orrery/stellar-rpc'

/** What an account has in a pool, as a node says. */
export interface PoolReading {
  readonly rows: readonly StateRow[]
  /** Ledger at whose end it was so. */
  readonly asOfLedger: number
}

export type Ask = (names: readonly EntryName[]) => Promise<readonly ContractDataNow[]>

/** A protocol's pools that are older than the index: what to ask of an account in them, and what the answers mean. */
export interface AskedPools {
  readonly pools: readonly ContractId[]
  names(pool: ContractId, address: Address, read: readonly EntryValue[]): readonly EntryName[]
  rowsOf(address: Address, entries: readonly ContractDataNow[]): ReadonlyMap<ContractId, readonly StateRow[]>
}

interface Place {
  readonly older: AskedPools
  readonly pool: ContractId
  readonly found: ContractDataNow[]
}

/** Readings by protocol and pool, of pools for which the node has entries. Throws what `ask` throws. */
export async function askNode<Older extends AskedPools>(
  address: Address,
  olderPools: readonly Older[],
  isAsked: (older: Older, pool: ContractId) => boolean,
  ask: Ask,
): Promise<ReadonlyMap<Older, ReadonlyMap<ContractId, PoolReading>>> {
  const places = olderPools.flatMap((older) =>
    older.pools.filter((pool) => isAsked(older, pool)).map((pool): Place => ({ older, pool, found: [] })),
  )
  await find(address, places, ask)
  return new Map(
    olderPools.map((older) => [
      older,
      readingsOf(
        address,
        older,
        places.filter((place) => place.older === older),
      ),
    ]),
  )
}

async function find(address: Address, places: readonly Place[], ask: Ask): Promise<void> {
  const placeOf = new Map<string, Place>()
  for (;;) {
    const names: EntryName[] = []
    for (const place of places) {
      for (const name of place.older.names(place.pool, address, place.found)) {
        if (placeOf.has(entryText(name))) continue
        placeOf.set(entryText(name), place)
        names.push(name)
      }
    }
    if (names.length === 0) return
    for (const entry of await ask(names)) placeOf.get(entryText(entry))?.found.push(entry)
  }
}

function readingsOf(address: Address, older: AskedPools, places: readonly Place[]): ReadonlyMap<ContractId, PoolReading> {
  const whole = new Map<ContractId, number>()
  for (const { pool, found } of places) {
    const asOfLedger = Math.min(...found.map((entry) => entry.asOfLedger))
    if (found.length > 0 && found.every(({ lastModifiedLedger }) => lastModifiedLedger <= asOfLedger)) whole.set(pool, asOfLedger)
  }
  const entries = places.flatMap(({ pool, found }) => (whole.has(pool) ? found : []))
  if (entries.length === 0) return new Map()
  const rows = older.rowsOf(address, entries)
  return new Map([...whole].map(([pool, asOfLedger]) => [pool, { rows: rows.get(pool) ?? [], asOfLedger }]))
}
