// What it costs that ClickHouse syncs inserts to the disk before it acknowledges them: the demo is indexed with and without, in turn.
// `node bench/durability.ts [rounds]`. The ratio says nothing about other disks: a disk whose sync is slow makes it larger.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startOrrery } from './src/orrery.ts'
import { figure, printMachine } from './src/print.ts'

const ROUNDS = Number(process.argv[2] ?? 3)

async function index(args: readonly string[]): Promise<number> {
  const data = mkdtempSync(join(tmpdir(), 'orrery-bench-durability-'))
  try {
    await using orrery = await startOrrery(data, args)
    return (await orrery.caughtUp()).durationSeconds
  } finally {
    rmSync(data, { recursive: true, force: true })
  }
}

printMachine()
const synced: number[] = []
const unsynced: number[] = []
for (let round = 0; round < ROUNDS; round++) {
  unsynced.push(await index(['--skip-sync']))
  synced.push(await index([]))
}
const [without, with_] = [Math.min(...unsynced), Math.min(...synced)]
figure('indexing the demo without sync', without, 's', `best of ${ROUNDS}`)
figure('with sync', with_, 's', `best of ${ROUNDS}`)
figure('ratio', with_ / without, 'times')
