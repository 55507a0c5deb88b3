// What `orrery up` costs: the time and memory from its start until the demo is caught up, and then the CPU of its process and of its engine while
// nothing is requested and no ledger closes. Compared with Orrery's goals: 15 s, 350 MB, 2 % of a core in sum.
// `node bench/idle.ts [seconds of a sample]`. Needs Linux. The first sample begins ten seconds after the last ledger, the second a minute later, when the
// engine has merged what was written.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { type Orrery, startOrrery } from './src/orrery.ts'
import { printLine, printMachine } from './src/print.ts'
import { cpuSeconds, watchMemory } from './src/process-usage.ts'

const SECONDS = Number(process.argv[2] ?? 30)
const SETTLING_SECONDS = 60

const figure = (value: number): string => value.toFixed(1)

async function printIdle({ pid, enginePid }: Orrery, when: string): Promise<void> {
  const before = [pid, enginePid].map(cpuSeconds)
  await delay(SECONDS * 1_000)
  const percent = [pid, enginePid].map((one, n) => (100 * (cpuSeconds(one) - (before[n] ?? 0))) / SECONDS)
  const [ours = 0, engine = 0] = percent
  printLine(`${when}: ${figure(ours + engine)} % of a core in sum, ${figure(ours)} in Orrery's process, ${figure(engine)} in the engine`)
}

printMachine()
const data = mkdtempSync(join(tmpdir(), 'orrery-bench-idle-'))
try {
  const startedMs = performance.now()
  await using orrery = await startOrrery(data)
  const memory = watchMemory(orrery.pid)
  const { ledger } = await orrery.caughtUp()
  const { residentMB, ownMB } = memory.stop()
  const seconds = (performance.now() - startedMs) / 1_000
  printLine(
    `Caught up with ledger ${ledger} after ${figure(seconds)} s (goal 15); Orrery's process has ${figure(ownMB)} MB of its own (goal 350)`,
  )
  printLine(
    `and ${figure(residentMB)} MB with mapped files; CPU ${figure(cpuSeconds(orrery.pid))} s, of the engine ${figure(cpuSeconds(orrery.enginePid))} s`,
  )
  await delay(10_000)
  await printIdle(orrery, 'Idle, after ten seconds')
  await delay(SETTLING_SECONDS * 1_000)
  await printIdle(orrery, 'Idle, a minute later')
} finally {
  rmSync(data, { recursive: true })
}
