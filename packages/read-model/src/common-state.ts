// What many answers as of one ledger have in common (pools, prices, fee switches, counters at the beginning of a window) is read once for all.
// Only where the ledger is final for the adapter version, and only after an answer is whole: nobody waits for another's statement, and a
// failure or an abort leaves nothing behind.

import type { ContractId } from '@orrery/ledger'
import type { ProtocolId, StateRow } from '@orrery/protocol-kit'
import { LRUCache } from 'lru-cache'
import type { StateSelection } from './state-question.ts'

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

/** How many selections as of a ledger are cached: of one tip there are a handful, each with a row or a few a pool. */
const MOST_SELECTIONS = 64

/** Rows of all of them together, some hundred bytes to a few thousand each: a few ledgers of a network with hundreds of pools. */
const MOST_ROWS = 20_000

export class CommonState {
  /** Sized by rows; a selection without rows counts as one, since the cache takes no size of 0. */
  readonly #known = new LRUCache<string, KnownRows>({
    max: MOST_SELECTIONS,
    maxSize: MOST_ROWS,
    sizeCalculation: ({ size }) => Math.max(1, size),
  })

  /** For one question as of a final ledger. */
  asOf(protocol: ProtocolId, version: number, ledger: number): CommonPart {
    const nameOf = ({ keys, keyFrom }: Keys): string => JSON.stringify([protocol, version, ledger, keyFrom, keys])
    return new CommonPart({
      rowsOf: (keys) => this.#known.get(nameOf(keys)) ?? new KnownRows(),
      remember: (keys, rows) => {
        // The cache computes a size only for a value that it does not hold yet, and these rows may have become more.
        this.#known.delete(nameOf(keys))
        this.#known.set(nameOf(keys), rows)
      },
    })
  }
}

interface CommonRows {
  rowsOf(keys: Keys): KnownRows
  remember(keys: Keys, rows: KnownRows): void
}

/** What a question need not read, and what is to be remembered of what it reads. */
export class CommonPart {
  /** Rows of the selections that were reduced. */
  readonly remembered: StateRow[] = []
  readonly #common: CommonRows
  readonly #asked: StateSelection[] = []

  constructor(common: CommonRows) {
    this.#common = common
  }

  /** The selection without the contracts that are remembered. */
  reduce<Selection extends StateSelection>(selection: Selection): Selection {
    if (selection.common !== true) return selection
    const known = this.#common.rowsOf(selection)
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
      const known = this.#common.rowsOf(selection)
      const isAsked = ({ key }: StateRow): boolean => key >= keyFrom && (keys === undefined || keys.includes(key))
      for (const contract of contracts) known.set(contract, (read.get(contract) ?? []).filter(isAsked))
      this.#common.remember(selection, known)
    }
  }
}
