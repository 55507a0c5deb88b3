// What steps of health factors cost the fold of Blend: 100,000 open positions with a debt in 30 pools, and ledgers in which an oracle writes other
// prices. Time of the whole fold of such a ledger, and of the same ledger without new prices. Compared with Orrery's goal; no other program computes
// this. `node --expose-gc bench/health-steps.ts [ledgers]`.

import { blend } from '@orrery/blend'
import { pricesOf } from '@orrery/pricing'
import type { Slice, SliceRecord } from '@orrery/protocol-kit'
import { loadNetwork } from '@orrery/protocols'
import { recording } from '@orrery/testkit'
import { cpuOf, recordedSlices } from './src/fold-rate.ts'
import { manyPositions, POOLS, POSITIONS } from './src/many-positions.ts'
import { figure, printLine, printMachine } from './src/print.ts'
import { percentile } from './src/statistics.ts'

const LEDGERS = Number(process.argv[2] ?? 200)
/** A ledger of the recording that many prices follow. */
const FIRST = 1_003_000

const network = await loadNetwork(recording().registryFile)
const adapter = blend.adapter(network)
const slices = await recordedSlices(blend)
const oracles = new Set(
  pricesOf(network)
    .roots('blend')
    .map(({ contract }) => contract),
)

/** Records of prices alone: the accounts of the recording do nothing. */
function pricesOnly(slice: Slice): Slice {
  const isPrice = ({ record }: SliceRecord) => (record.kind === 'entry' || record.kind === 'ttl') && oracles.has(record.contract)
  return { ...slice, hourStart: false, dayStart: false, records: slice.records.filter(isPrice) }
}

printMachine()
const asOf = slices.findIndex(({ ledger }) => ledger === FIRST)
const before = slices.slice(0, asOf + 1)
const state = adapter.load(
  manyPositions(before, adapter, (nth) => 0.4 + 0.6 * ((nth * 0.618_034) % 1)),
  FIRST,
)
const later = slices
  .slice(asOf + 1)
  .map(pricesOnly)
  .filter(({ records }) => records.length > 0)
// The first one makes what is kept of each position, and gives each its first step.
const [first, ...rest] = later
const { seconds: firstSeconds } = cpuOf(() => first !== undefined && adapter.fold(state, first))

const ms: number[] = []
const rows: number[] = []
for (const slice of rest.slice(0, LEDGERS)) {
  const { result, seconds } = cpuOf(() => adapter.fold(state, slice))
  ms.push(1000 * seconds)
  rows.push(result.state.filter(({ key }) => key.endsWith(':health_step')).length)
}
const last = rest[LEDGERS] ?? rest.at(-1)
const quiet = Array.from({ length: 20 }, (_, n) => {
  const { seconds } = cpuOf(() => adapter.fold(state, { ...(last as Slice), ledger: (last?.ledger ?? 0) + n, records: [] }))
  return 1000 * seconds
})
const [sorted, sortedRows] = [ms, rows].map((list) => list.toSorted((a, b) => a - b)) as [number[], number[]]
printLine(`\n${POSITIONS} positions with a debt in ${POOLS} pools, ${ms.length} ledgers with prices of the demo network, one core`)
figure('fold of a ledger with prices, mean', ms.reduce((sum, one) => sum + one, 0) / ms.length, 'ms', 'goal 150')
for (const share of [0.5, 0.95, 1]) figure(share === 1 ? 'slowest' : `p${share * 100}`, percentile(sorted, share), 'ms')
figure('rows of a ledger, mean', rows.reduce((sum, one) => sum + one, 0) / rows.length, 'rows', `most ${sortedRows.at(-1)}`)
figure(
  'fold of a ledger without prices',
  percentile(
    quiet.toSorted((a, b) => a - b),
    0.5,
  ),
  'ms',
)
figure('the first ledger after a start', 1000 * firstSeconds, 'ms', 'no position has a step yet')
