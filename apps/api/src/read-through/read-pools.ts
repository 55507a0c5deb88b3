// Reads the entries of one account from an RPC, in all pools that predate the index at once. It takes several rounds, because entries name
// further entries. A pool whose entries changed between two rounds is left out: its parts would be of different ledgers.

import type { Address, ContractId } from '@orrery/ledger'
import { type EntryName, type EntryValue, entryText, type StateRow } from '@orrery/protocol-kit'
import type { ContractDataNow } from '@orrery/stellar-rpc'

/** The state of an account in a pool, as read from an RPC. */
export interface PoolReading {
  readonly rows: readonly StateRow[]
  /** Ledger at whose end the rows hold. */
  readonly asOfLedger: number
}

export type ReadEntries = (names: readonly EntryName[]) => Promise<readonly ContractDataNow[]>

/** Pools of a protocol that predate the index: which entries of an account to read in them, and how to convert these to rows. */
export interface ReadablePools {
  readonly pools: readonly ContractId[]
  names(pool: ContractId, address: Address, read: readonly EntryValue[]): readonly EntryName[]
  rowsOf(address: Address, entries: readonly ContractDataNow[]): ReadonlyMap<ContractId, readonly StateRow[]>
}

interface PoolToRead {
  readonly of: ReadablePools
  readonly pool: ContractId
  readonly found: ContractDataNow[]
}

/** Readings by protocol and pool, for the pools in which the account has entries. Throws what `readEntries` throws. */
export async function readPools<Pools extends ReadablePools>(
  address: Address,
  poolsByProtocol: readonly Pools[],
  isWanted: (of: Pools, pool: ContractId) => boolean,
  readEntries: ReadEntries,
): Promise<ReadonlyMap<Pools, ReadonlyMap<ContractId, PoolReading>>> {
  const toRead = poolsByProtocol.flatMap((of) =>
    of.pools.filter((pool) => isWanted(of, pool)).map((pool): PoolToRead => ({ of, pool, found: [] })),
  )
  await readRounds(address, toRead, readEntries)
  return new Map(
    poolsByProtocol.map((of) => [
      of,
      readingsOf(
        address,
        of,
        toRead.filter((one) => one.of === of),
      ),
    ]),
  )
}

async function readRounds(address: Address, pools: readonly PoolToRead[], readEntries: ReadEntries): Promise<void> {
  const poolOfEntry = new Map<string, PoolToRead>()
  for (;;) {
    const names: EntryName[] = []
    for (const pool of pools) {
      for (const name of pool.of.names(pool.pool, address, pool.found)) {
        if (poolOfEntry.has(entryText(name))) continue
        poolOfEntry.set(entryText(name), pool)
        names.push(name)
      }
    }
    if (names.length === 0) return
    for (const entry of await readEntries(names)) poolOfEntry.get(entryText(entry))?.found.push(entry)
  }
}

function readingsOf(address: Address, of: ReadablePools, pools: readonly PoolToRead[]): ReadonlyMap<ContractId, PoolReading> {
  /** Ledger by pool, of pools whose entries did not change between two rounds. */
  const consistent = new Map<ContractId, number>()
  for (const { pool, found } of pools) {
    const asOfLedger = Math.min(...found.map((entry) => entry.asOfLedger))
    if (found.length > 0 && found.every(({ lastModifiedLedger }) => lastModifiedLedger <= asOfLedger)) consistent.set(pool, asOfLedger)
  }
  const entries = pools.flatMap(({ pool, found }) => (consistent.has(pool) ? found : []))
  if (entries.length === 0) return new Map()
  const rows = of.rowsOf(address, entries)
  return new Map([...consistent].map(([pool, asOfLedger]) => [pool, { rows: rows.get(pool) ?? [], asOfLedger }]))
}
