// The fold of Blend without a store: records per second over the demo network, and memory and time with 100,000 open positions in 30 pools.
// Compared with Orrery's goals; no other program reads this protocol. `node --expose-gc bench/blend.ts [rounds]`.

import { blend } from '@orrery/blend'
import type { Adapter, Slice, StateRow } from '@orrery/protocol-kit'
import { loadNetwork } from '@orrery/protocols'
import { foldAll, recording, StateTable } from '@orrery/testkit'
import { cpuOf, printFoldRate, recordedSlices } from './src/fold-rate.ts'
import { figure, printLine, printMachine } from './src/print.ts'

const ROUNDS = Number(process.argv[2] ?? 3)
const POOLS = 30
const POSITIONS = 100_000

const network = await loadNetwork(recording().registryFile)
const adapter = blend.adapter(network)
const slices = await recordedSlices(blend)

/** State rows of the demo network's largest pool, copied to 30 pools, with 100,000 accounts like its largest one. */
function* manyPositions(asOf: number): Generator<StateRow> {
  const table = new StateTable()
  for (const { rows } of foldAll(slices, adapter)) table.write(rows.state)
  const rows = [...table.asOf(asOf)]
  const pools = Map.groupBy(
    rows.filter((row) => row.key === 'pool' || row.key.endsWith(':positions')),
    (row) => row.contract,
  )
  const [pool = ''] = [...pools].sort((a, b) => b[1].length - a[1].length)[0] ?? []
  const template = rows.filter((row) => row.contract === pool)
  const owner = template.findLast((row) => row.key.endsWith(':positions') && row.value.includes('"liabilities":{"'))?.owner ?? ''
  yield* rows.filter((row) => row.contract !== pool)
  for (let n = 0; n < POOLS; n++) {
    const contract = `${pool.slice(0, 48)}${n.toString(32).padStart(8, '0')}`
    for (const row of template) if (row.owner === '') yield { ...row, contract }
    for (let account = 0; account < POSITIONS / POOLS; account++) {
      const address = `${owner.slice(0, 44)}${(n * POSITIONS + account).toString(32).padStart(12, '0')}`
      for (const row of template) if (row.owner === owner) yield { ...row, contract, owner: address, key: row.key.replace(owner, address) }
    }
  }
}

function holdMany(of: Adapter<unknown>): void {
  const last = slices.at(-1)
  if (last === undefined) return
  globalThis.gc?.()
  const before = process.memoryUsage().heapUsed
  const { result: state, seconds } = cpuOf(() => of.load(manyPositions(last.ledger), last.ledger))
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
