// Folds the slices of one partition a second time, from the state before a range, as `follow` does: the same order of registries, loading and
// folding. What it folds is written nowhere here; the caller compares it.

import { OrreryError } from '@orrery/errors'
import { type EventLog, sliceRollingHash, sliceTopic, storedSlices } from '@orrery/event-log'
import type { Adapter, Network, Protocol, RegistryHistory, Rows, Slice } from '@orrery/protocol-kit'
import type { Store } from '@orrery/read-model'
import { yieldToEventLoop } from '@orrery/service-kit'
import type { PartitionReach } from './partition-reach.ts'

export interface FoldAgainOptions {
  readonly protocol: Protocol<unknown>
  readonly network: Pick<Network, 'name'>
  readonly registry: RegistryHistory
  readonly partition: number
  /** The version whose stored rows are the state before the range. */
  readonly indexVersion: number
  readonly log: EventLog
  /** The stored rows: the state before the range, and where the registry grows within it. */
  readonly store: Pick<Store, 'loadState'>
  /** First ledger of the index: a fold from there needs no stored row. */
  readonly firstLedger: number
  readonly start: PartitionReach['start']
}

export class FoldAgain {
  readonly #options: FoldAgainOptions
  readonly #slices: AsyncIterator<Slice>
  /** One for each version of the registry. */
  readonly #adapters = new Map<Network, Adapter<unknown>>()
  #adapter: Adapter<unknown> | null = null
  #state: unknown
  /** A slice beyond the ledgers that were requested. */
  #next: Slice | null = null
  #ledger: number
  #rollingHash: string

  constructor(options: FoldAgainOptions) {
    this.#options = options
    const { log, network, protocol, partition, start } = options
    this.#slices = storedSlices(log, { topic: sliceTopic(network.name, protocol.id), partition }, start)
    this.#ledger = start.ledger
    this.#rollingHash = start.rollingHash
  }

  /**
   * The rows of all slices up to `ledger`, one after the other.
   * @throws OrreryError `corrupt`/`log_rolling_hash_differs` when the records are not the ones that ingest wrote; errors of log, store and fold.
   */
  async *upTo(ledger: number): AsyncIterable<Rows> {
    const giveWay = yieldToEventLoop()
    for (;;) {
      const slice: Slice | null = this.#next ?? (await this.#slices.next()).value ?? null
      this.#next = slice
      if (slice === null || slice.ledger > ledger) return
      this.#next = null
      yield await this.#fold(slice)
      await giveWay()
    }
  }

  async #fold(slice: Slice): Promise<Rows> {
    const { protocol, partition, registry } = this.#options
    const expected = sliceRollingHash(this.#rollingHash, slice)
    if (expected !== slice.rollingHash) {
      throw new OrreryError(
        'corrupt',
        'log_rolling_hash_differs',
        `The records of ${protocol.id}/${partition} at ledger ${slice.ledger} are not the ones that ingest wrote, or one before them is missing (rolling hash ${expected}, the slice has ${slice.rollingHash}).`,
        { context: { protocol: protocol.id, partition, ledger: slice.ledger } },
      )
    }
    const network = registry.at(slice.ledger)
    const adapter = this.#adapters.get(network) ?? protocol.adapter(network)
    this.#adapters.set(network, adapter)
    if (adapter !== this.#adapter) {
      this.#state = await this.#load(adapter)
      this.#adapter = adapter
    }
    const rows = adapter.fold(this.#state, slice)
    this.#ledger = slice.ledger
    this.#rollingHash = slice.rollingHash
    return rows
  }

  async #load(adapter: Adapter<unknown>): Promise<unknown> {
    const { protocol, partition, indexVersion, store, firstLedger } = this.#options
    if (this.#ledger < firstLedger) return adapter.load([], this.#ledger)
    const rows = []
    for await (const row of store.loadState({ protocol: protocol.id, partition }, indexVersion, this.#ledger)) rows.push(row)
    return adapter.load(rows, this.#ledger)
  }
}
