// Caches state rows that many answers as of one ledger share (pools, prices, fee switches, counters at the beginning of a window).
// Only for ledgers that are final for the adapter version, and only after an answer is complete: no request waits for the statement of
// another one, and a failure or an abort leaves nothing in the cache.

import type { ContractId } from '@orrery/ledger'
import type { ProtocolId, StateRow } from '@orrery/protocol-kit'
import { LRUCache } from 'lru-cache'
import type { StateSelection } from './state-request.ts'

/** Rows of one selection of keys as of one ledger, by contract: also of contracts that have none. */
class KnownRows {
  readonly #byContract = new Map<ContractId, readonly StateRow[]>()
  /** Number of rows; a contract without rows counts as one. */
  size = 0

  has(contract: ContractId): boolean {
    return this.#byContract.has(contract)
  }

  of(contracts: readonly ContractId[]): readonly StateRow[] {
    return contracts.flatMap((contract) => this.#byContract.get(contract) ?? [])
  }

  set(contract: ContractId, rows: readonly StateRow[]): void {
    this.size += sizeOf(rows) - sizeOf(this.#byContract.get(contract))
    this.#byContract.set(contract, rows)
  }
}

function sizeOf(rows: readonly StateRow[] | undefined): number {
  return rows === undefined ? 0 : Math.max(1, rows.length)
}

type Keys = Pick<StateSelection, 'keys' | 'keyFrom'>

/** Most cached selections: one tip has a few, each with one or a few rows for a pool. */
const MOST_SELECTIONS = 64

/** Most rows of all selections together, some hundred bytes to a few thousand each: a few ledgers of a network with hundreds of pools. */
const MOST_ROWS = 20_000

export class StateCache {
  /** Sized by rows; a selection without rows counts as one, since the cache takes no size of 0. */
  readonly #known = new LRUCache<string, KnownRows>({
    max: MOST_SELECTIONS,
    maxSize: MOST_ROWS,
    sizeCalculation: ({ size }) => Math.max(1, size),
  })

  /** For one request as of a final ledger. `quarantine`: names the partitions whose rows it does not read; '' if it reads all. */
  asOf(protocol: ProtocolId, version: number, ledger: number, quarantine: string): CachedPart {
    const nameOf = ({ keys, keyFrom }: Keys): string => JSON.stringify([protocol, version, ledger, quarantine, keyFrom, keys])
    return new CachedPart({
      rowsOf: (keys) => this.#known.get(nameOf(keys)) ?? new KnownRows(),
      store: (keys, rows) => {
        // The cache computes a size only for a value that it does not hold yet, and these rows may have grown.
        this.#known.delete(nameOf(keys))
        this.#known.set(nameOf(keys), rows)
      },
    })
  }
}

interface CachedRows {
  rowsOf(keys: Keys): KnownRows
  store(keys: Keys, rows: KnownRows): void
}

/** The part of a request that the cache answers, and the rows to cache from the rest. */
export class CachedPart {
  /** Rows of the selections that were reduced. */
  readonly cachedRows: StateRow[] = []
  readonly #cache: CachedRows
  readonly #requested: StateSelection[] = []

  constructor(cache: CachedRows) {
    this.#cache = cache
  }

  /** The selection without the cached contracts. */
  reduce<Selection extends StateSelection>(selection: Selection): Selection {
    if (selection.cacheable !== true) return selection
    const known = this.#cache.rowsOf(selection)
    const reduced = { ...selection, contracts: selection.contracts.filter((contract) => !known.has(contract)) }
    for (const row of known.of(selection.contracts)) this.cachedRows.push(row)
    this.#requested.push(reduced)
    return reduced
  }

  /** Caches the cacheable part of `rows`, which are all rows of the reduced selections. A contract without rows is cached as empty. */
  learn(rows: readonly StateRow[]): void {
    const read = Map.groupBy(rows, (row) => row.contract)
    for (const selection of this.#requested) {
      const { contracts, keys, keyFrom = '' } = selection
      const known = this.#cache.rowsOf(selection)
      const isRequested = ({ key }: StateRow): boolean => key >= keyFrom && (keys === undefined || keys.includes(key))
      for (const contract of contracts) known.set(contract, (read.get(contract) ?? []).filter(isRequested))
      this.#cache.store(selection, known)
    }
  }
}
