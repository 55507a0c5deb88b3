// The recording folded once, and its state as a reader would load it at any ledger.

import type { Network, Slice, StateRow } from '@orrery/protocol-kit'
import { loadNetwork } from '@orrery/protocols'
import { type ExpectedAnswer, foldedRecording, type Recording, recording } from '@orrery/testkit'
import { aquarius } from '../src/protocol.ts'
import type { AquariusState } from '../src/state/state.ts'
import { type AquariusView, aquariusView } from '../src/view/view.ts'

export interface AsOf {
  readonly network: Network
  readonly view: AquariusView
  readonly slices: readonly Slice[]
  readonly notices: readonly string[]
  /** Answers of Aquarius's contracts, by kind without its prefix. */
  answers(kind: string): readonly ExpectedAnswer[]
  stateAt(ledger: number): AquariusState
}

export async function foldRecording(forge: Recording = recording()): Promise<AsOf> {
  const network = await loadNetwork(forge.registryFile)
  const view = aquariusView(network)
  const { slices, rows, table } = await foldedRecording(forge, network, aquarius)
  const notices = rows.flatMap((it) => it.notices).map(({ kind, contract, reason }) => `${kind} ${contract} ${reason}`)
  const answers = new Map<string, ExpectedAnswer[]>()
  for await (const answer of forge.expected()) {
    const [protocol, kind = ''] = answer.kind.split('.')
    if (protocol === 'aquarius') answers.get(kind)?.push(answer) ?? answers.set(kind, [answer])
  }
  const isOracle = (row: StateRow) => network.oracles.some((oracle) => oracle.contract === row.contract)
  const states = new Map<number, AquariusState>()
  return {
    network,
    view,
    slices,
    notices,
    answers: (kind) => answers.get(kind) ?? [],
    stateAt(ledger) {
      // Amounts need no prices, and the oracles' rows are most of them.
      const rows = table.asOf(ledger, (row) => !isOracle(row))
      const state = states.get(ledger) ?? view.load(rows, ledger)
      states.set(ledger, state)
      return state
    },
  }
}

/** What an answer is about, for messages. */
export const named = ({ ledger, contract, address, label }: ExpectedAnswer) => ({ ledger, contract, address, label })
