// A recorded network folded in memory, as the adapter and ClickHouse do.

import type { Adapter, Network, ProtocolRouting, Rows, Slice, StateRow } from '@orrery/protocol-kit'
import { type Recording, readBatchFile } from '../recording.ts'
import { Slicer } from './slicer.ts'

/** State rows as in a store: by key, oldest first. */
export class StateTable {
  readonly #keys = new Map<string, StateRow[]>()

  write(rows: Iterable<StateRow>): void {
    for (const row of rows) {
      const key = `${row.contract} ${row.key}`
      const versions = this.#keys.get(key) ?? []
      this.#keys.set(key, versions)
      versions.push(row)
      if ((versions.at(-2)?.ledger ?? 0) > row.ledger) versions.sort((a, b) => a.ledger - b.ledger)
    }
  }

  /** The newest row at or before `ledger` of every key. */
  *asOf(ledger: number, only: (row: StateRow) => boolean = () => true): Generator<StateRow> {
    for (const versions of this.#keys.values()) {
      const row = versions.findLast((it) => it.ledger <= ledger)
      if (row !== undefined && only(row)) yield row
    }
  }
}

/** Every slice of the recording for a protocol, ledger by ledger: one per partition. */
export async function* slicesOf(
  recording: Recording,
  network: Network,
  routing: ProtocolRouting,
  partitions: number,
): AsyncGenerator<Slice[]> {
  const slicer = new Slicer(network, routing, partitions)
  for (const file of recording.batchFiles()) for (const ledger of await readBatchFile(file)) yield slicer.slices(ledger)
}

/** Rows of one partition, ledger by ledger. */
export function* foldAll<State>(slices: Iterable<Slice>, adapter: Adapter<State>): Generator<{ slice: Slice; rows: Rows }> {
  let state: State | null = null
  for (const slice of slices) {
    state ??= adapter.load([], slice.ledger - 1)
    yield { slice, rows: adapter.fold(state, slice) }
  }
}
