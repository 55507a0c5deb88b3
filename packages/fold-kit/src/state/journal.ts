// The state rows and notices of one ledger: at most one state row per key, and notices counted by reason.

import type { ContractId } from '@orrery/ledger'
import { type NoticeRow, SHARED_SCOPE, type Slice, type StateRow } from '@orrery/protocol-kit'
import { getOrMake } from '../get-or-make.ts'

/** A state row without the members that come from the slice. */
export interface Written {
  readonly contract: ContractId
  readonly key: string
  readonly value: string
  /** '' for state that belongs to no account. */
  readonly owner?: string
  readonly liveUntil?: number
  readonly durability: StateRow['durability']
  /** Folded alike in every partition. */
  readonly shared?: boolean
}

export class Journal {
  readonly #slice: Slice
  readonly #rows = new Map<ContractId, RowsOfContract>()
  readonly #inferred: StateRow[] = []
  readonly #notices = new Map<string, NoticeRow>()

  constructor(slice: Slice) {
    this.#slice = slice
  }

  /** The ledger that is folded. */
  get ledger(): number {
    return this.#slice.ledger
  }

  /** The value of a key at the ledger's end. The last write wins. */
  write(written: Written): void {
    this.#set(this.#row(written, this.#slice.ledger, false))
  }

  /** The key is absent from this ledger's end on. */
  remove(removed: Omit<Written, 'value' | 'liveUntil'>): void {
    const row = this.#row({ ...removed, value: '' }, this.#slice.ledger, false)
    this.#set({ ...row, removed: true })
  }

  /** The value of a key before this ledger, known only from a pre-image: a row of the ledger before. */
  infer(written: Written): void {
    this.#inferred.push(this.#row(written, this.#slice.ledger - 1, true))
  }

  notice(contract: ContractId | '', kind: NoticeRow['kind'], reason: string): void {
    const { protocol, partition, ledger, closeTimeSeconds } = this.#slice
    const key = `${contract} ${kind} ${reason}`
    const count = (this.#notices.get(key)?.count ?? 0) + 1
    this.#notices.set(key, { protocol, partition, contract, kind, reason, ledger, closeTimeSeconds, count })
  }

  /** By contract, key and ledger, so that the order does not depend on how the state was loaded. */
  state(): StateRow[] {
    const rows: StateRow[] = []
    for (const contract of [...this.#rows.keys()].sort()) for (const row of this.#rows.get(contract)?.sorted() ?? []) rows.push(row)
    return this.#inferred.length === 0 ? rows : [...this.#inferred, ...rows].sort(byName)
  }

  notices(): NoticeRow[] {
    return [...this.#notices.values()]
  }

  #set(row: StateRow): void {
    getOrMake(this.#rows, row.contract, () => new RowsOfContract()).set(row)
  }

  #row({ contract, key, value, owner, liveUntil, durability, shared }: Written, ledger: number, inferred: boolean): StateRow {
    const { protocol, partition, closeTimeSeconds } = this.#slice
    return {
      protocol,
      contract,
      key,
      ledger,
      closeTimeSeconds,
      owner: owner ?? '',
      scope: shared === true ? SHARED_SCOPE : partition,
      liveUntil: liveUntil ?? 0,
      durability,
      removed: false,
      inferred,
      value,
    }
  }
}

/**
 * The last row of each key. Most steps write in the order of keys: such rows are a list, and only a key that comes before an earlier one makes it a
 * map, whose rows are sorted at the end. Hashing and sorting ten thousands of rows costs as much as making them.
 */
class RowsOfContract {
  #inOrder: StateRow[] = []
  #byKey: Map<string, StateRow> | null = null

  set(row: StateRow): void {
    if (this.#byKey === null) {
      const last = this.#inOrder.at(-1)
      if (last === undefined || last.key < row.key) {
        this.#inOrder.push(row)
        return
      }
      this.#byKey = new Map(this.#inOrder.map((earlier) => [earlier.key, earlier]))
      this.#inOrder = []
    }
    this.#byKey.set(row.key, row)
  }

  sorted(): readonly StateRow[] {
    return this.#byKey === null ? this.#inOrder : [...this.#byKey.values()].sort(byName)
  }
}

function byName(a: StateRow, b: StateRow): number {
  if (a.contract !== b.contract) return a.contract < b.contract ? -1 : 1
  if (a.key !== b.key) return a.key < b.key ? -1 : 1
  return a.ledger - b.ledger
}
