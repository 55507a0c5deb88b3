// Caches state rows that many answers share (pools, prices, fee switches, counters at the beginning of a window): those of one ledger, and of the
// newest ledgers what none of them changed. A protocol that was read as a whole also has the contracts that have no such rows. Keys of the past are cached
// with their rows of the ledgers around the one that was asked for.
// Only for ledgers that are final for the adapter version, and only after all rows of a reading have arrived: no request waits for the statement of
// another one, and a failure or an abort leaves nothing in the cache.

import { isDeepStrictEqual } from 'node:util'
import type { ContractId } from '@orrery/ledger'
import type { ProtocolId, StateRow } from '@orrery/protocol-kit'
import { LONGEST_PIECE_MS, yieldToEventLoop } from '@orrery/service-kit'
import { LRUCache } from 'lru-cache'
import { HOLDS_FOR_MS, type KnownChanges, StateChanges } from './state-changes.ts'
import { NON_ACCOUNT_KEYS, type StateSelection } from './state-request.ts'
import { newestAt, standsAt } from './state-rows.ts'

type Keys = Pick<StateSelection, 'keys' | 'keyFrom'>

/** Rows of one contract under the keys of one selection; none for a contract that has none. */
interface ContractRows {
  readonly rows: readonly StateRow[]
  /** They were read as of the first ledger and hold up to the last one, except what is temporary and ended meanwhile. Of a span they are those of all its ledgers. */
  readonly first: number
  last: number
  readMs: number
  /** What the rows of a span say of the ledger that was asked about last. */
  answer?: { readonly ledger: number; readonly rows: readonly StateRow[] }
}

/** Both included. */
export interface LedgerSpan {
  /** How many ledgers it has where the index has them all. */
  readonly ledgers: number
  readonly first: number
  readonly through: number
}

/** All rows of a protocol that belong to no account were read as of a ledger. */
interface Whole {
  readonly ledger: number
  /** When the reading began. */
  readonly readMs: number
  /**
   * The newest row of each entry at the time of the reading, which may be of a later ledger, also where the entry is removed: a contract that is missing never had such
   * a row.
   */
  readonly newest: ReadonlyMap<ContractId, readonly StateRow[]>
  /** How many they are. */
  readonly rows: number
}

/** The newest row of each entry that belongs to no account, as it was read. */
export interface NewestRows {
  readonly readMs: number
  /** Of the entries of a selection; null where they have to be read. */
  of(selection: StateSelection): readonly StateRow[] | null
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
  /** By adapter version. */
  readonly #whole = new Map<string, Whole>()

  /**
   * For one request as of a final ledger.
   *
   * @param quarantine Names the partitions whose rows it does not read; '' if it reads all.
   * @param changes What earlier requests read holds for contracts that did not change since, and with the rows that changed. Null: only what was read as of this ledger.
   */
  asOf(protocol: ProtocolId, version: number, ledger: number, quarantine: string, changes: KnownChanges | null): CachedPart {
    const numberOf = (keys: Keys): number => this.#numberOf(nameOf(protocol, version, quarantine, keys))
    const held = (number: number, contract: ContractId, keys: Keys): readonly StateRow[] | undefined => {
      const name = `${number} ${contract}`
      const known = changes === null ? undefined : this.#rows.get(name)
      if (known === undefined || changes === null) return undefined
      const rows = rowsAt(known, contract, ledger, changes)
      if (rows !== undefined) return rows
      const changed = withChanges(known, contract, keys, ledger, changes)
      if (changed !== null) this.#rows.set(name, changed)
      return changed?.rows
    }
    const whole = this.#whole.get(`${protocol}@${version}`)
    return new CachedPart((selection) => {
      const number = numberOf(selection)
      const newest = (contract: ContractId): string => `${number} ${contract}`
      const ofLedger = (contract: ContractId): string => `${number} ${ledger} ${contract}`
      const all = isOfNoAccount(selection) ? numberOf(NON_ACCOUNT_KEYS) : null
      return {
        get: (contract) => {
          const known = held(number, contract, selection) ?? young(this.#rows.get(ofLedger(contract)))?.rows
          if (known !== undefined || all === null || changes === null) return known
          if (whole !== undefined && isAbsent(whole, contract, ledger, changes)) return []
          const rows = held(all, contract, NON_ACCOUNT_KEYS)
          const ofAll = this.#rows.peek(`${all} ${contract}`)
          if (rows === undefined || ofAll === undefined) return undefined
          // Selected once: a contract may have thousands of rows.
          if ((this.#rows.peek(newest(contract))?.readMs ?? 0) <= ofAll.readMs)
            this.#rows.set(newest(contract), { ...ofAll, rows: ofAll.rows.filter((row) => isSelected(row, selection)) })
          return rows.filter((row) => isSelected(row, selection))
        },
        set: (contract, rows, readMs) => {
          const isNewest = changes?.noneSince(contract, ledger) === true && (this.#rows.peek(newest(contract))?.first ?? 0) <= ledger
          const key = isNewest ? newest(contract) : ofLedger(contract)
          this.#rows.set(key, { rows, first: ledger, last: ledger, readMs })
        },
      }
    })
  }

  /**
   * For one request of keys as of a final ledger of the past: what it reads of the ledgers from `first` to `through`, all of them final, answers the same request
   * as of each of these. A request near the watermark has an earlier `through` than later ones.
   */
  span(protocol: ProtocolId, version: number, ledger: number, { ledgers, first, through }: LedgerSpan): CachedPart {
    return new CachedPart((selection) => {
      const number = this.#numberOf(nameOf(protocol, version, '', selection))
      const name = (contract: ContractId): string => `${number} ${ledgers} from ${first} ${contract}`
      return {
        get: (contract) => {
          const known = young(this.#rows.get(name(contract)))
          if (known === undefined || ledger > known.last) return undefined
          if (known.answer?.ledger !== ledger) known.answer = { ledger, rows: newestAt(known.rows, ledger) }
          return known.answer.rows
        },
        set: (contract, rows, readMs) => {
          this.#rows.set(name(contract), { rows, first, last: through, readMs })
        },
      }
    })
  }

  /**
   * What was read of a protocol as a whole: `rows` are all of its rows that belong to no account, the newest of each entry, ordered by contract. Those of contracts
   * that a later ledger has changed are read when they are asked for. Other work runs in between.
   */
  async learnWhole(
    protocol: ProtocolId,
    version: number,
    { ledger, readMs }: Pick<Whole, 'ledger' | 'readMs'>,
    changes: KnownChanges,
    rows: readonly StateRow[],
  ): Promise<void> {
    const number = this.#numberOf(nameOf(protocol, version, '', NON_ACCOUNT_KEYS))
    const newest = new Map<ContractId, readonly StateRow[]>()
    const pause = yieldToEventLoop(LONGEST_PIECE_MS)
    const key = `${protocol}@${version}`
    for (const read of byContract(rows)) {
      await pause()
      const [{ contract }] = read
      // Rows that are known stay the same objects: what was decoded of them is found by that.
      const before = this.#whole.get(key)?.newest.get(contract)
      const all = before !== undefined && isDeepStrictEqual(before, read) ? before : read
      newest.set(contract, all)
      if (!changes.noneSince(contract, ledger) || all.some((row) => row.ledger > ledger)) continue
      const own = all.filter((row) => standsAt(row, ledger))
      const name = `${number} ${contract}`
      const known = this.#rows.peek(name)
      if (known !== undefined && (known.first > ledger || known.readMs > readMs)) continue
      const isSame = known !== undefined && isDeepStrictEqual(known.rows, own)
      // The same rows need not have held between: an entry may have come and gone.
      if (isSame && changes.noneSince(contract, known.last)) Object.assign(known, { last: Math.max(known.last, ledger), readMs })
      else this.#rows.set(name, { rows: isSame ? known.rows : own, first: ledger, last: ledger, readMs })
    }
    // Another version of the protocol is no longer active.
    this.forgetWhole(protocol)
    this.#whole.set(key, { ledger, readMs, newest, rows: rows.length })
  }

  /** Nothing is known of a protocol as a whole until it is read again. */
  forgetWhole(protocol: ProtocolId): void {
    for (const key of this.#whole.keys()) if (key.startsWith(`${protocol}@`)) this.#whole.delete(key)
  }

  /**
   * For a ledger of the past: an entry was what its newest row says, unless that is of a later ledger. Entries of accounts have to be read, and all others where the
   * protocol was not read as a whole lately, as of a later ledger: until then rows of `ledger` may come.
   */
  newestAfter(protocol: ProtocolId, version: number, ledger: number): NewestRows | null {
    const whole = young(this.#whole.get(`${protocol}@${version}`))
    if (whole === undefined || ledger >= whole.ledger) return null
    const ofContracts = (selection: StateSelection): readonly StateRow[] =>
      selection.contracts.flatMap((contract) => (whole.newest.get(contract) ?? []).filter((row) => isSelected(row, selection)))
    return { readMs: whole.readMs, of: (selection) => (isOfNoAccount(selection) ? ofContracts(selection) : null) }
  }

  /** Rows of all protocols that were read as a whole, without one. */
  wholeRows({ except }: { readonly except: ProtocolId }): number {
    return [...this.#whole].reduce((sum, [key, { rows }]) => (key.startsWith(`${except}@`) ? sum : sum + rows), 0)
  }

  #numberOf(name: string): number {
    const known = this.#numbers.get(name)
    if (known !== undefined) return known
    this.#selections += 1
    this.#numbers.set(name, this.#selections)
    return this.#selections
  }
}

/** What was read longer ago may have been repaired since. */
function young<Read extends { readonly readMs: number }>(read: Read | undefined): Read | undefined {
  return read === undefined || performance.now() - read.readMs >= HOLDS_FOR_MS ? undefined : read
}

/** Rows that are neighbours and of one contract. */
function* byContract(rows: readonly StateRow[]): Generator<[StateRow, ...StateRow[]], void> {
  let own: [StateRow, ...StateRow[]] | null = null
  for (const row of rows) {
    if (own !== null && own[0].contract === row.contract) own.push(row)
    else {
      if (own !== null) yield own
      own = [row]
    }
  }
  if (own !== null) yield own
}

const nameOf = (protocol: ProtocolId, version: number, quarantine: string, { keys, keyFrom }: Keys): string =>
  JSON.stringify([protocol, version, quarantine, keyFrom, keys])

/** Undefined where the rows do not hold at the ledger, or it is not known whether they do. */
function rowsAt(known: ContractRows, contract: ContractId, ledger: number, changes: KnownChanges): readonly StateRow[] | undefined {
  if (ledger < known.first) return undefined
  if (ledger >= known.last) {
    // Also at the same ledger: a newer one may have recorded what an entry was at its end.
    const isOld = ledger > known.last && performance.now() - known.readMs >= HOLDS_FOR_MS
    if (isOld || !changes.noneSince(contract, known.last)) return undefined
    known.last = ledger
  }
  return ledger === known.first ? known.rows : known.rows.filter((row) => standsAt(row, ledger))
}

/** The rows as they are at a newer ledger, those that did not change as the same objects. Null where that is not known. */
function withChanges(known: ContractRows, contract: ContractId, keys: Keys, ledger: number, changes: KnownChanges): ContractRows | null {
  if (ledger <= known.last || performance.now() - known.readMs >= HOLDS_FOR_MS || !isOfNoAccount(keys)) return null
  const changed = changes.rowsSince(contract, known.last)?.filter((row) => isSelected(row, keys))
  if (changed === undefined) return null
  const replaced = new Set(changed.map(({ key }) => key))
  const rows = [...known.rows.filter(({ key }) => !replaced.has(key)), ...changed].filter((row) => standsAt(row, ledger))
  return { rows, first: ledger, last: ledger, readMs: known.readMs }
}

/** Whether a contract had no row when all were read, and has none since. */
function isAbsent(whole: Whole, contract: ContractId, ledger: number, changes: KnownChanges): boolean {
  if (ledger < whole.ledger || whole.newest.has(contract)) return false
  const isOld = ledger > whole.ledger && performance.now() - whole.readMs >= HOLDS_FOR_MS
  return !isOld && changes.noneSince(contract, whole.ledger)
}

const isOfNoAccount = ({ keys, keyFrom = '' }: Keys): boolean =>
  keyFrom >= NON_ACCOUNT_KEYS.keyFrom || keys?.every((key) => key >= NON_ACCOUNT_KEYS.keyFrom) === true

const isSelected = ({ key }: StateRow, { keys, keyFrom = '' }: Keys): boolean =>
  key >= keyFrom && (keys === undefined || keys.includes(key))

/** The cached rows of one selection. */
interface KnownRows {
  get(contract: ContractId): readonly StateRow[] | undefined
  set(contract: ContractId, rows: readonly StateRow[], readMs: number): void
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

  /**
   * Caches the cacheable part of `rows`, which are all rows of the reduced selections. A contract without rows is cached as empty.
   * @param readMs When the first of them was read.
   */
  learn(rows: readonly StateRow[], readMs = performance.now()): void {
    const read = Map.groupBy(rows, (row) => row.contract)
    for (const { selection, known } of this.#requested) {
      for (const contract of selection.contracts)
        known.set(
          contract,
          (read.get(contract) ?? []).filter((row) => isSelected(row, selection)),
          readMs,
        )
    }
  }
}
