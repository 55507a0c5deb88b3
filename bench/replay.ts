// The rates of an operator's commands over the demo: `orrery replay` of each protocol beside the rows that readers see, and `orrery verify` of the
// whole index with its source, both through a running `orrery up`. `node bench/replay.ts`. Indexing first takes a minute.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { PROTOCOLS } from '@orrery/protocols'
import { FOUR_PARTITIONS, startOrrery } from './src/orrery.ts'
import { figure, printLine, printMachine } from './src/print.ts'

const PROGRAM = fileURLToPath(new URL('../apps/cli/bin/orrery.mjs', import.meta.url))

/** Seconds of a command that must succeed, the start of its process included. */
async function seconds(...args: readonly string[]): Promise<number> {
  const beganMs = performance.now()
  const child = spawn(process.execPath, [PROGRAM, ...args], { stdio: ['ignore', 'ignore', 'inherit'] })
  const [code] = await once(child, 'close')
  if (code !== 0) throw new Error(`orrery ${args[0]} ended with ${code}.`)
  return (performance.now() - beganMs) / 1000
}

printMachine()
const data = mkdtempSync(join(tmpdir(), 'orrery-bench-replay-'))
try {
  await using orrery = await startOrrery(data, FOUR_PARTITIONS)
  const { ledger, firstLedger, durationSeconds } = await orrery.caughtUp()
  const ledgers = ledger - firstLedger + 1
  const metrics = await orrery.metrics()
  const recordsOf = (protocol: string): number => metrics.get(`orrery_fold_records_total{protocol="${protocol}"}`) ?? 0
  const all = PROTOCOLS.reduce((sum, { id }) => sum + recordsOf(id), 0)
  printLine(
    `${ledgers.toLocaleString('en-US')} ledgers, ${all.toLocaleString('en-US')} records, indexed in ${durationSeconds.toFixed(1)} s`,
  )
  let replayed = 0
  for (const { id } of PROTOCOLS) {
    const took = await seconds('replay', id, '--data', data, '--json')
    replayed += took
    figure(`replay ${id}`, recordsOf(id) / took, 'records/s', `${recordsOf(id).toLocaleString('en-US')} records in ${took.toFixed(1)} s`)
  }
  figure('replay, all protocols one after the other', all / replayed, 'records/s', `${(ledgers / replayed).toFixed(0)} ledgers/s`)
  const verified = await seconds('verify', '--data', data, '--json')
  figure(
    'verify, with the source',
    ledgers / verified,
    'ledgers/s',
    `${verified.toFixed(1)} s, ${(verified / durationSeconds).toFixed(2)} times the time of indexing`,
  )
} finally {
  rmSync(data, { recursive: true, force: true })
}
