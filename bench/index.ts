// The speed of the whole pipeline: `orrery up` indexes the demo network into a new folder, and its metrics show the time of each stage.
// Then the fold alone: the same slices from memory, on one core, nothing written. Compared with Orrery's goals; no other program reads all of these.
// `node bench/index.ts [rounds of the fold]`. Needs Linux: CPU and memory come from /proc.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openLog, SliceAssembler, sliceTopic } from '@orrery/event-log'
import { type Network, ROW_TABLES, type Slice } from '@orrery/protocol-kit'
import { loadNetwork } from '@orrery/protocols'
import { soroswap } from '@orrery/soroswap'
import { FOUR_PARTITIONS, startOrrery, total } from './src/orrery.ts'
import { figure, printLine, printMachine } from './src/print.ts'
import { cpuSeconds, watchMemory } from './src/process-usage.ts'

const ROUNDS = Number(process.argv[2] ?? 3)
const STAGES = ['fetch', 'extract', 'route', 'append', 'fold', 'write'] as const

async function indexEverything(data: string): Promise<void> {
  const startedMs = performance.now()
  await using orrery = await startOrrery(data, FOUR_PARTITIONS)
  const startSeconds = (performance.now() - startedMs) / 1000
  const [own, engine] = [watchMemory(orrery.pid), watchMemory(orrery.enginePid)]
  const { ledger, firstLedger, rows, durationSeconds } = await orrery.caughtUp()
  const [ownPeak, enginePeak] = [own.stop(), engine.stop()]
  const metrics = await orrery.metrics()
  const ledgers = ledger - firstLedger + 1
  const records = total(metrics, 'orrery_route_records_total')

  printLine(`\nEnd to end: ${ledgers} ledgers, ${records} routed records, ${rows} rows in ${durationSeconds.toFixed(1)} s`)
  figure('start until ready', startSeconds, 's')
  figure('ledgers', ledgers / durationSeconds, '/s')
  figure('records', records / durationSeconds, '/s', 'goal 20,000')
  figure('rows', rows / durationSeconds, '/s')
  figure('CPU of Orrery', cpuSeconds(orrery.pid), 's')
  figure('CPU of the engine', cpuSeconds(orrery.enginePid), 's')
  figure('peak memory of Orrery', ownPeak.ownMB, 'MB', `goal 350; ${ownPeak.residentMB.toFixed(0)} with mapped files`)
  figure('peak memory of the engine', enginePeak.ownMB, 'MB', `${enginePeak.residentMB.toFixed(0)} with mapped files`)

  printLine('\nBy stage; append and write wait for other processes while fold and extract continue, so the sum exceeds the total')
  for (const stage of STAGES) {
    const name = `orrery_${stage}_duration_seconds`
    figure(stage, total(metrics, `${name}_sum`), 's', `${total(metrics, `${name}_count`)} times`)
  }
}

/** All slices of the folder's log, by partition. */
async function slicesOf(data: string, { name }: Network): Promise<Slice[][]> {
  await using log = await openLog(`lmdb:${join(data, 'log')}`)
  const topic = sliceTopic(name, soroswap.id)
  const partitions = Array.from({ length: soroswap.defaultPartitions }, async (_, partition) => {
    const end = await log.end({ topic, partition })
    const slices: Slice[] = []
    const assembler = new SliceAssembler()
    for await (const values of log.read({ topic, partition }, 0n, AbortSignal.timeout(60_000))) {
      for (const { value, offset } of values) {
        const slice = assembler.push(value, offset)
        if (slice !== null) slices.push(slice)
      }
      if ((values.at(-1)?.offset ?? 0n) + 1n >= end) break
    }
    return slices
  })
  return await Promise.all(partitions) // the log closes when this function has returned
}

function foldOnly(network: Network, partitions: readonly Slice[][]): void {
  const adapter = soroswap.adapter(network)
  const records = partitions.flat().reduce((sum, { records }) => sum + records.length, 0)
  printLine(`\nFold alone: ${partitions.flat().length} slices with ${records} records in ${partitions.length} partitions, from memory`)
  for (let round = 1; round <= ROUNDS; round++) {
    const before = process.cpuUsage()
    let rows = 0
    for (const slices of partitions) {
      const state = adapter.load([], slices[0]?.after ?? 0)
      for (const slice of slices) {
        const made = adapter.fold(state, slice)
        for (const table of ROW_TABLES) rows += made[table].length
      }
    }
    const { user, system } = process.cpuUsage(before)
    const seconds = (user + system) / 1e6
    figure(
      `round ${round}`,
      records / seconds,
      'records/s',
      `${(rows / seconds).toFixed(0)} rows/s, ${seconds.toFixed(2)} s of CPU (goal 50,000 records/s)`,
    )
  }
}

printMachine()
const data = mkdtempSync(join(tmpdir(), 'orrery-bench-index-'))
try {
  await indexEverything(data)
  const network = await loadNetwork('demo')
  foldOnly(network, await slicesOf(data, network))
} finally {
  rmSync(data, { recursive: true })
}
