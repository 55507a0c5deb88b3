// What it costs that every acknowledged insert survives a power loss: `orrery up` indexes the demo network into new folders, in turns with the
// engine's syncs and without them (`--unsynced-clickhouse`), and the medians are compared. Compared with Orrery's goal.
// `node bench/durability.ts [rounds]`. Needs Linux: CPU comes from /proc. The ratio depends on the disk: measure on the one that will be used.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { FOUR_PARTITIONS, startOrrery, total } from './src/orrery.ts'
import { figure, printLine, printMachine } from './src/print.ts'
import { cpuSeconds } from './src/process-usage.ts'
import { percentile } from './src/statistics.ts'

const ROUNDS = Number(process.argv[2] ?? 3)

interface Run {
  readonly seconds: number
  readonly writeSeconds: number
  readonly engineCpuSeconds: number
}

async function indexOnce(args: readonly string[]): Promise<Run> {
  const data = mkdtempSync(join(tmpdir(), 'orrery-bench-durability-'))
  try {
    await using orrery = await startOrrery(data, [...FOUR_PARTITIONS, ...args])
    const { durationSeconds } = await orrery.caughtUp()
    const writeSeconds = total(await orrery.metrics(), 'orrery_write_duration_seconds_sum')
    const engineCpuSeconds = cpuSeconds(orrery.enginePid)
    figure(`a run, ${args.length === 0 ? 'synced' : 'unsynced'}`, durationSeconds, 's', `${writeSeconds.toFixed(1)} s of writes`)
    return { seconds: durationSeconds, writeSeconds, engineCpuSeconds }
  } finally {
    rmSync(data, { recursive: true, force: true })
  }
}

printMachine()
const synced: Run[] = []
const unsynced: Run[] = []
for (let round = 0; round < ROUNDS; round++) {
  synced.push(await indexOnce([]))
  unsynced.push(await indexOnce(['--unsynced-clickhouse']))
}

const MEASURES = { seconds: 'end to end', writeSeconds: 'writes, summed over partitions', engineCpuSeconds: 'CPU of the engine' } as const
printLine(`\nMedians of ${ROUNDS} rounds`)
for (const [measure, name] of Object.entries(MEASURES) as [keyof Run, string][]) {
  const median = (runs: readonly Run[]): number =>
    percentile(
      runs.map((run) => run[measure]).sort((a, b) => a - b),
      0.5,
    )
  const [own, other] = [median(synced), median(unsynced)]
  figure(`${name}, synced`, own, 's', `${other.toFixed(1)} s unsynced; ratio ${(own / other).toFixed(2)}`)
}
