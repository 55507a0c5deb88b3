// Artificial ledgers for tests of a fold: lists of events, entries and calls, in one partition.

import {
  type CallRecord,
  type ContractId,
  type EntryRecord,
  type EventRecord,
  type EvictionRecord,
  type ScVal,
  writeScVal,
  writeScVals,
} from '@orrery/ledger'
import type { Adapter, Network, Protocol, Rows, Slice } from '@orrery/protocol-kit'
import { testAccount } from '../test-names.ts'
import { Slicer } from './slicer.ts'

type Made<R> = Omit<R, 'tx' | 'opIndex' | 'index'>
/** A record without its position, which the scene assigns. */
export type MadeRecord = Made<EventRecord> | Made<EntryRecord> | Made<CallRecord> | Made<EvictionRecord>

/** Unix seconds of the ledger before the first, on a full hour. */
const START_SECONDS = 1_788_220_800
const LEDGER_SECONDS = 600
/** Signs every transaction. */
const SOURCE = testAccount('source')

/** Close time of a ledger of a scene, in Unix seconds. */
export function sceneSeconds(ledger: number): number {
  return START_SECONDS + ledger * LEDGER_SECONDS
}

export function madeEvent(contract: ContractId, topics: readonly ScVal[], data: ScVal): Made<EventRecord> {
  return { kind: 'event', contract, type: 'contract', topics: writeScVals(topics), data: writeScVal(data) }
}

/** A persistent entry. `before` undefined: it is created. */
export function madeEntry(
  contract: ContractId,
  key: ScVal,
  value: ScVal,
  before?: ScVal,
  liveUntil: number | null = null,
): Made<EntryRecord> {
  return {
    kind: 'entry',
    contract,
    key: writeScVal(key),
    durability: 'persistent',
    change: before === undefined ? 'created' : 'updated',
    value: writeScVal(value),
    before: before === undefined ? null : writeScVal(before),
    liveUntil,
  }
}

/** Consecutive ledgers, ten minutes apart. */
export class Scene<State> {
  readonly network: Network
  readonly adapter: Adapter<State>
  state: State
  readonly #slicer: Slicer
  #ledger = 0

  constructor(protocol: Protocol<State>, network: Network) {
    this.network = network
    this.adapter = protocol.adapter(network)
    this.state = this.adapter.load([], 0)
    this.#slicer = new Slicer(network, protocol.routing, 1)
  }

  /** The slice of the next ledger, with these operations, one transaction each. */
  slice(...operations: readonly (readonly MadeRecord[])[]): Slice {
    const sequence = ++this.#ledger
    const hash = sequence.toString(16).padStart(64, '0')
    const [slice] = this.#slicer.feed({
      header: { sequence, closeTimeSeconds: sceneSeconds(sequence), hash, previousHash: hash, protocolVersion: 27 },
      transactions: operations.map((_, n) => ({
        hash: `${sequence}${n}`.padStart(64, '0'),
        txOrder: n + 1,
        source: SOURCE,
        feeSource: null,
        feeCharged: null,
        memo: null,
        innerHash: null,
      })),
      records: operations.flatMap((records, tx) => numbered(records).map((record) => ({ ...record, tx, opIndex: 0 }))),
    })
    if (slice === undefined) throw new Error('one partition makes one slice')
    return slice
  }

  /** Folds the next ledger, with these operations, one transaction each. */
  ledger(...operations: readonly (readonly MadeRecord[])[]): Rows {
    return this.adapter.fold(this.state, this.slice(...operations))
  }

  /** The newest ledger, for reads as of it. */
  get at(): { readonly ledger: number; readonly closeTimeSeconds: number } {
    return { ledger: this.#ledger, closeTimeSeconds: sceneSeconds(this.#ledger) }
  }
}

/** Indexes are counted by kind, as in a ledger. */
function numbered(records: readonly MadeRecord[]): (MadeRecord & { readonly index: number })[] {
  const counts = { event: 0, entry: 0, call: 0, evicted: 0 }
  return records.map((record) => ({ ...record, index: counts[record.kind]++ }))
}
