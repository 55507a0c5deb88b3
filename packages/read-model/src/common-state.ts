// What many answers as of one ledger have in common (prices, fee switches, counters at the beginning of a window) is read once for all.
// Only where the ledger is final for the adapter version, and only after an answer is whole: nobody waits for another's statement, and a
// failure or an abort leaves nothing behind.

import type { ContractId } from '@orrery/ledger'
import type { ProtocolId, StateRow } from '@orrery/protocol-kit'
import type { StateSelection } from './read-model.ts'

type RowsByContract = Map<ContractId, readonly StateRow[]>

/** Sets of keys as of a ledger that are remembered, the latest used: of one tip there are a handful, each with a row or a few a pool. */
const REMEMBERED = 64

export class CommonState {
  readonly #known = new Map<string, RowsByContract>()

  /** For one question as of a final ledger. */
  asOf(protocol: ProtocolId, version: number, ledger: number): CommonPart {
    return new CommonPart((keys) => this.#rowsOf(JSON.stringify([protocol, version, ledger, ...keys])))
  }

  #rowsOf(name: string): RowsByContract {
    const rows: RowsByContract = this.#known.get(name) ?? new Map()
    this.#known.delete(name)
    this.#known.set(name, rows)
    const [oldest] = this.#known.keys()
    if (this.#known.size > REMEMBERED && oldest !== undefined) this.#known.delete(oldest)
    return rows
  }
}

/** What a question need not read, and what is to be remembered of what it reads. */
export class CommonPart {
  /** Rows of the selections that were reduced. */
  readonly remembered: StateRow[] = []
  readonly #rowsOf: (keys: readonly string[]) => RowsByContract
  readonly #asked: StateSelection[] = []

  constructor(rowsOf: (keys: readonly string[]) => RowsByContract) {
    this.#rowsOf = rowsOf
  }

  /** The selection without the contracts that are remembered. */
  reduce<Selection extends StateSelection>(selection: Selection): Selection {
    if (selection.common !== true || selection.keys === undefined) return selection
    const known = this.#rowsOf(selection.keys)
    const reduced = { ...selection, contracts: selection.contracts.filter((contract) => !known.has(contract)) }
    this.remembered.push(...selection.contracts.flatMap((contract) => known.get(contract) ?? []))
    this.#asked.push(reduced)
    return reduced
  }

  /** Remembers of `rows`, the whole answer to the reduced selections, what they have in common with others. No row: there is none. */
  learn(rows: readonly StateRow[]): void {
    const read = Map.groupBy(rows, (row) => row.contract)
    for (const { contracts, keys = [] } of this.#asked) {
      const known = this.#rowsOf(keys)
      for (const contract of contracts) {
        const ofKeys = (read.get(contract) ?? []).filter(({ key }) => keys.includes(key))
        known.set(contract, ofKeys)
      }
    }
  }
}
