// The fold of Blend without a store: records per second over the demo network, and memory and time with 100,000 open positions in 30 pools.
// Compared with Orrery's goals; no other program reads this protocol. `node --expose-gc bench/blend.ts [rounds]`.

import { blend } from '@orrery/blend'
import type { Adapter, Slice } from '@orrery/protocol-kit'
import { loadNetwork } from '@orrery/protocols'
import { recording } from '@orrery/testkit'
import { cpuOf, printFoldRate, recordedSlices } from './src/fold-rate.ts'
import { manyPositions, POOLS, POSITIONS } from './src/many-positions.ts'
import { figure, printLine, printMachine } from './src/print.ts'

const ROUNDS = Number(process.argv[2] ?? 3)

const network = await loadNetwork(recording().registryFile)
const adapter = blend.adapter(network)
const slices = await recordedSlices(blend)

function holdMany(of: Adapter<unknown>): void {
  const last = slices.at(-1)
  if (last === undefined) return
  globalThis.gc?.()
  const before = process.memoryUsage().heapUsed
  const { result: state, seconds } = cpuOf(() => of.load(manyPositions(slices, of), last.ledger))
  globalThis.gc?.()
  printLine(`\n${POSITIONS} open positions in ${POOLS} pools`)
  figure('memory of the state', (process.memoryUsage().heapUsed - before) / 2 ** 20, 'MB', 'goal 500')
  figure('load from rows', seconds, 's', 'making the rows included')
  const hour: Slice = { ...last, after: last.ledger, ledger: last.ledger + 1, closeTimeSeconds: last.closeTimeSeconds + 60, records: [] }
  const { result, seconds: heartbeat } = cpuOf(() => of.fold(state, { ...hour, hourStart: true, dayStart: true }))
  figure('one hour of heartbeats', heartbeat, 's', `${result.positionSnapshots.length} position snapshots`)
}

printMachine()
await printFoldRate(blend, slices, ROUNDS)
holdMany(adapter)
