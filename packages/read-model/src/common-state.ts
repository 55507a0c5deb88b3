// What many answers as of one ledger have in common (pools, prices, fee switches, counters at the beginning of a window) is read once for all.
// Only where the ledger is final for the adapter version, and only after an answer is whole: nobody waits for another's statement, and a
// failure or an abort leaves nothing behind.

import type { ContractId } from '@orrery/ledger'
import type { ProtocolId, StateRow } from '@orrery/protocol-kit'
import type { StateSelection } from './read-model.ts'

/** Rows of one selection of keys as of one ledger, by contract: also of contracts that have none. */
class KnownRows {
  readonly #byContract = new Map<ContractId, readonly StateRow[]>()
  /** How many rows these are. */
  size = 0

  has(contract: ContractId): boolean {
    return this.#byContract.has(contract)
  }

  of(contracts: readonly ContractId[]): readonly StateRow[] {
    return contracts.flatMap((contract) => this.#byContract.get(contract) ?? [])
  }

  set(contract: ContractId, rows: readonly StateRow[]): void {
    this.size += rows.length - (this.#byContract.get(contract)?.length ?? 0)
    this.#byContract.set(contract, rows)
  }
}

type Keys = Pick<StateSelection, 'keys' | 'keyFrom'>

/** Selections as of a ledger that are remembered, the latest used: of one tip there are a handful, each with a row or a few a pool. */
const REMEMBERED = 64

/** All of them together, some hundred bytes to a few thousand each: a few ledgers of a network with hundreds of pools. */
const REMEMBERED_ROWS = 20_000

export class CommonState {
  readonly #known = new Map<string, KnownRows>()

  /** For one question as of a final ledger. */
  asOf(protocol: ProtocolId, version: number, ledger: number): CommonPart {
    return new CommonPart(
      ({ keys, keyFrom }) => this.#rowsOf(JSON.stringify([protocol, version, ledger, keyFrom, keys])),
      () => this.#forget(),
    )
  }

  #rowsOf(name: string): KnownRows {
    const rows = this.#known.get(name) ?? new KnownRows()
    this.#known.delete(name)
    this.#known.set(name, rows)
    return rows
  }

  #forget(): void {
    let size = [...this.#known.values()].reduce((sum, rows) => sum + rows.size, 0)
    for (const [name, rows] of this.#known) {
      if (this.#known.size <= REMEMBERED && size <= REMEMBERED_ROWS) return
      size -= rows.size
      this.#known.delete(name)
    }
  }
}

/** What a question need not read, and what is to be remembered of what it reads. */
export class CommonPart {
  /** Rows of the selections that were reduced. */
  readonly remembered: StateRow[] = []
  readonly #rowsOf: (keys: Keys) => KnownRows
  readonly #forget: () => void
  readonly #asked: StateSelection[] = []

  constructor(rowsOf: (keys: Keys) => KnownRows, forget: () => void) {
    this.#rowsOf = rowsOf
    this.#forget = forget
  }

  /** The selection without the contracts that are remembered. */
  reduce<Selection extends StateSelection>(selection: Selection): Selection {
    if (selection.common !== true) return selection
    const known = this.#rowsOf(selection)
    const reduced = { ...selection, contracts: selection.contracts.filter((contract) => !known.has(contract)) }
    for (const row of known.of(selection.contracts)) this.remembered.push(row)
    this.#asked.push(reduced)
    return reduced
  }

  /** Remembers of `rows`, the whole answer to the reduced selections, what they have in common with others. No row: there is none. */
  learn(rows: readonly StateRow[]): void {
    const read = Map.groupBy(rows, (row) => row.contract)
    for (const selection of this.#asked) {
      const { contracts, keys, keyFrom = '' } = selection
      const known = this.#rowsOf(selection)
      const isAsked = ({ key }: StateRow): boolean => key >= keyFrom && (keys === undefined || keys.includes(key))
      for (const contract of contracts) known.set(contract, (read.get(contract) ?? []).filter(isAsked))
    }
    this.#forget()
  }
}
