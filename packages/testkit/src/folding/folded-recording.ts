// A complete recording folded in memory by one protocol, in one partition, for the tests of its rows. It is folded once for all test files that
// share a process, so no test may change a part of it.

import { isDeepStrictEqual } from 'node:util'
import type { EventRecord } from '@orrery/ledger'
import type { ActivityRow, Adapter, Network, Protocol, Rows, Slice } from '@orrery/protocol-kit'
import type { Recording } from '../recording.ts'
import { eventsByOperation, type Place, placeOf, type TokenMove, tokenMoves } from '../token-moves.ts'
import { foldAll, StateTable, slicesOf } from './recorded-fold.ts'

/** An operation with its folded rows and its token transfers. */
export interface RecordedOperation {
  readonly place: Place
  readonly events: readonly EventRecord[]
  readonly rows: readonly ActivityRow[]
  readonly moves: readonly TokenMove[]
}

export interface FoldedRecording {
  readonly slices: readonly Slice[]
  /** Rows of each slice. */
  readonly rows: readonly Rows[]
  readonly table: StateTable
  /** Ledger by ledger: its operations that have an event or a row, in their order. */
  ledgers(): Generator<{ readonly slice: Slice; readonly rows: Rows; readonly operations: readonly RecordedOperation[] }>
}

/** The slices of one partition. */
export function recordedSlices<State>(recording: Recording, network: Network, protocol: Protocol<State>): Promise<readonly Slice[]> {
  return madeOnce(sliced, { dir: recording.dir, network, protocol }, async () => {
    const slices: Slice[] = []
    for await (const [slice] of slicesOf(recording, network, protocol.routing, 1)) if (slice !== undefined) slices.push(slice)
    return slices
  })
}

export function foldedRecording<State>(recording: Recording, network: Network, protocol: Protocol<State>): Promise<FoldedRecording> {
  return madeOnce(folded, { dir: recording.dir, network, protocol }, async () =>
    fold(await recordedSlices(recording, network, protocol), protocol.adapter(network)),
  )
}

/** What a result depends on. */
interface Of {
  readonly dir: string
  readonly network: Network
  readonly protocol: unknown
}

interface Made<Result> {
  readonly of: Of
  readonly result: Promise<Result>
}

const sliced: Made<readonly Slice[]>[] = []
const folded: Made<FoldedRecording>[] = []

function madeOnce<Result>(made: Made<Result>[], of: Of, make: () => Promise<Result>): Promise<Result> {
  const known = made.find((it) => it.of.protocol === of.protocol && isDeepStrictEqual(it.of, of))
  if (known !== undefined) return known.result
  const result = make()
  made.push({ of, result })
  return result
}

function fold<State>(slices: readonly Slice[], adapter: Adapter<State>): FoldedRecording {
  const table = new StateTable()
  const rows: Rows[] = []
  for (const folded of foldAll(slices, adapter)) {
    table.write(folded.rows.state)
    rows.push(folded.rows)
  }
  return {
    slices,
    rows,
    table,
    *ledgers() {
      for (const [n, slice] of slices.entries()) {
        const ofSlice = rows[n]
        if (ofSlice !== undefined) yield { slice, rows: ofSlice, operations: operationsOf(slice, ofSlice) }
      }
    },
  }
}

function operationsOf(slice: Slice, { activities }: Rows): RecordedOperation[] {
  const events = eventsByOperation(slice)
  const rows = Map.groupBy(activities, placeOf)
  const places = [...new Set([...events.keys(), ...rows.keys()])].sort((a, b) => orderOf(a) - orderOf(b))
  return places.map((place) => {
    const ofPlace = events.get(place) ?? []
    return { place, events: ofPlace, rows: rows.get(place) ?? [], moves: tokenMoves(ofPlace) }
  })
}

/** Order within a ledger: a transaction has at most a hundred operations. */
function orderOf(place: Place): number {
  const [, transaction, operation] = place.split(' ').map(Number)
  return (transaction ?? 0) * 100 + (operation ?? 0)
}
