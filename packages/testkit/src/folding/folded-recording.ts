// A complete recording folded in memory by one protocol, in one partition, for the tests of its rows.

import type { EventRecord } from '@orrery/ledger'
import type { ActivityRow, Network, Protocol, Rows, Slice } from '@orrery/protocol-kit'
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

export async function foldedRecording<State>(
  recording: Recording,
  network: Network,
  { routing, adapter }: Protocol<State>,
): Promise<FoldedRecording> {
  const slices: Slice[] = []
  for await (const [slice] of slicesOf(recording, network, routing, 1)) if (slice !== undefined) slices.push(slice)
  const table = new StateTable()
  const rows: Rows[] = []
  for (const folded of foldAll(slices, adapter(network))) {
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
