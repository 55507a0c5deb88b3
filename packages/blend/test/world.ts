// The recorded network folded by Blend alone, in one partition and in memory.

import type { Network, Rows, Slice, StateRow } from '@orrery/protocol-kit'
import { loadNetwork } from '@orrery/protocols'
import { foldedRecording, type Recording, recording, type StateTable } from '@orrery/testkit'
import { blend } from '../src/protocol.ts'
import type { BlendState } from '../src/state/state.ts'
import { blendView } from '../src/view/view.ts'

export const forge = recording()

export interface FoldedWorld {
  readonly network: Network
  readonly slices: readonly Slice[]
  /** Rows of each ledger. */
  readonly rows: readonly Rows[]
  readonly table: StateTable
  /** State as a reader loads it. */
  stateAt(ledger: number): BlendState
}

export async function foldedWorld(only: (row: StateRow) => boolean = () => true, recorded: Recording = forge): Promise<FoldedWorld> {
  const network = await loadNetwork(recorded.registryFile)
  const { slices, rows, table } = await foldedRecording(recorded, network, blend)
  const states = new Map<number, BlendState>()
  const stateAt = (ledger: number): BlendState => {
    const state = states.get(ledger) ?? blendView(network).load(table.asOf(ledger, only), ledger)
    states.set(ledger, state)
    return state
  }
  return { network, slices, rows, table, stateAt }
}
