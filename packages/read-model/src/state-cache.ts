// Caches state rows that many answers share (pools, prices, fee switches, counters at the beginning of a window): those of one ledger, and of the
// newest ledgers what none of them changed.
// Only for ledgers that are final for the adapter version, and only after an answer is complete: no request waits for the statement of
// another one, and a failure or an abort leaves nothing in the cache.

import type { ContractId } from '@orrery/ledger'
import type { ProtocolId, StateRow } from '@orrery/protocol-kit'
import { LRUCache } from 'lru-cache'
import { HOLDS_FOR_MS, StateChanges, type Unchanged } from './state-changes.ts'
import type { StateSelection } from './state-request.ts'
import { standsAt } from './state-rows.ts'

type Keys = Pick<StateSelection, 'keys' | 'keyFrom'>

/** Rows of one contract under the keys of one selection; none for a contract that has none. */
interface ContractRows {
  readonly rows: readonly StateRow[]
  /** They were read as of the first ledger and hold up to the last one, except what is temporary and ended meanwhile. */
  readonly first: number
  last: number
  readonly readMs: number
}

/** Of the texts of all rows, and what else a row takes: the pools of a few ledgers, or 10,000 pools of one. */
const MOST_BYTES = 48 * 1024 * 1024
const ROW_BYTES = 400
const CONTRACT_BYTES = 200

/** Texts are of ASCII: a byte a character. */
const bytesOf = ({ rows }: ContractRows): number =>
  rows.reduce((sum, { key, value }) => sum + ROW_BYTES + key.length + value.length, CONTRACT_BYTES)

/** A tip has a few selections; their names are long, so rows are found under numbers. */
const MOST_SELECTIONS = 1_024

/** Contracts are dropped one by one, the least recently used first: in a network of many pools no answer needs all of them. */
export class StateCache {
  /** Of the newest ledgers: what they left as it was is not read again. */
  readonly changes = new StateChanges()
  readonly #rows = new LRUCache<string, ContractRows>({ maxSize: MOST_BYTES, sizeCalculation: bytesOf })
  /** By name. Rows under a number that is no longer here are not read again, and are evicted in time. */
  readonly #numbers = new LRUCache<string, number>({ max: MOST_SELECTIONS })
  #selections = 0

  /**
   * For one request as of a final ledger.
   *
   * @param quarantine Names the partitions whose rows it does not read; '' if it reads all.
   * @param unchanged What earlier requests read holds for contracts that did not change since. Null: only what was read as of this ledger.
   */
  asOf(protocol: ProtocolId, version: number, ledger: number, quarantine: string, unchanged: Unchanged | null): CachedPart {
    return new CachedPart(({ keys, keyFrom }) => {
      const number = this.#numberOf(JSON.stringify([protocol, version, quarantine, keyFrom, keys]))
      const newest = (contract: ContractId): string => `${number} ${contract}`
      const ofLedger = (contract: ContractId): string => `${number} ${ledger} ${contract}`
      return {
        get: (contract) => {
          const held = unchanged === null ? undefined : rowsAt(this.#rows.get(newest(contract)), contract, ledger, unchanged)
          return held ?? this.#rows.get(ofLedger(contract))?.rows
        },
        set: (contract, rows) => {
          const isNewest = unchanged?.since(contract, ledger) === true && (this.#rows.peek(newest(contract))?.first ?? 0) <= ledger
          const key = isNewest ? newest(contract) : ofLedger(contract)
          this.#rows.set(key, { rows, first: ledger, last: ledger, readMs: performance.now() })
        },
      }
    })
  }

  #numberOf(name: string): number {
    const known = this.#numbers.get(name)
    if (known !== undefined) return known
    this.#selections += 1
    this.#numbers.set(name, this.#selections)
    return this.#selections
  }
}

/** Undefined where the rows do not hold at the ledger, or it is not known whether they do. */
function rowsAt(
  known: ContractRows | undefined,
  contract: ContractId,
  ledger: number,
  unchanged: Unchanged,
): readonly StateRow[] | undefined {
  if (known === undefined || ledger < known.first) return undefined
  if (ledger >= known.last) {
    // Also at the same ledger: a newer one may have recorded what an entry was at its end.
    const isOld = ledger > known.last && performance.now() - known.readMs >= HOLDS_FOR_MS
    if (isOld || !unchanged.since(contract, known.last)) return undefined
    known.last = ledger
  }
  return ledger === known.first ? known.rows : known.rows.filter((row) => standsAt(row, ledger))
}

/** The cached rows of one selection. */
interface KnownRows {
  get(contract: ContractId): readonly StateRow[] | undefined
  set(contract: ContractId, rows: readonly StateRow[]): void
}

/** The part of a request that the cache answers, and the rows to cache from the rest. */
export class CachedPart {
  /** Rows of the selections that were reduced. */
  readonly cachedRows: StateRow[] = []
  readonly #knownOf: (keys: Keys) => KnownRows
  readonly #requested: { readonly selection: StateSelection; readonly known: KnownRows }[] = []

  constructor(knownOf: (keys: Keys) => KnownRows) {
    this.#knownOf = knownOf
  }

  /** The selection without the cached contracts. */
  reduce<Selection extends StateSelection>(selection: Selection): Selection {
    if (selection.cacheable !== true) return selection
    const known = this.#knownOf(selection)
    const contracts = selection.contracts.filter((contract) => {
      const rows = known.get(contract)
      for (const row of rows ?? []) this.cachedRows.push(row)
      return rows === undefined
    })
    const reduced = { ...selection, contracts }
    this.#requested.push({ selection: reduced, known })
    return reduced
  }

  /** Caches the cacheable part of `rows`, which are all rows of the reduced selections. A contract without rows is cached as empty. */
  learn(rows: readonly StateRow[]): void {
    const read = Map.groupBy(rows, (row) => row.contract)
    for (const { selection, known } of this.#requested) {
      const { contracts, keys, keyFrom = '' } = selection
      const isRequested = ({ key }: StateRow): boolean => key >= keyFrom && (keys === undefined || keys.includes(key))
      for (const contract of contracts) known.set(contract, (read.get(contract) ?? []).filter(isRequested))
    }
  }
}
