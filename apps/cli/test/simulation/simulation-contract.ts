// Orrery under faults that a seed chooses: every system, both logs, all four protocols. Each run ends with the views of an undisturbed one.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { withClickHouse } from '@orrery/read-model/testing'
import { startFakeLake, startFakeRpc } from '@orrery/testkit'
import { withKafka } from '@orrery/testkit/kafka'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { contentsAfter, upArguments } from '../orrery.ts'
import { type ShortLake, shortLake } from '../short-lake.ts'
import { describePlan, faultPlan } from './fault-plan.ts'
import { registryOf, SimulatedSystem, UNDISTURBED } from './simulated-system.ts'
import { SmallDisk } from './small-disk.ts'

/** It only ends what hangs. */
const TIMEOUT_MS = 300_000
/** Files of the recording: its first 128 ledgers have actions of all four protocols. */
const FILES = 2
/** Ledgers in one file of the served lake: several files become readable between two faults. */
const LEDGERS_PER_FILE = 8

/** Seeds, each with this number of faults. */
export interface SimulatedRuns {
  readonly seeds: readonly number[]
  readonly faultCount: number
}

/** Registers a test for each seed, over one broker, one engine and one undisturbed run. */
export function simulationContract(...runs: readonly SimulatedRuns[]): void {
  const folder = mkdtempSync(join(tmpdir(), 'orrery-simulation-'))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  const clickhouse = withClickHouse()
  const kafka = withKafka()

  let lake: ShortLake
  let undisturbed: Record<string, string>
  beforeAll(async () => {
    lake = shortLake(join(folder, 'lake'), FILES)
    const registry = registryOf(lake.registry, join(folder, 'registry.json'), UNDISTURBED)
    undisturbed = await contentsAfter([...upArguments({ ...lake, registry }, join(folder, 'up')), '--log-level', 'silent'])
    for (const protocol of ['blend', 'aquarius', 'soroswap', 'fxdao']) expect(undisturbed.activities).toContain(`"${protocol}"`)
  })

  for (const { seed, faultCount } of runs.flatMap(({ seeds, faultCount }) => seeds.map((seed) => ({ seed, faultCount })))) {
    const plan = faultPlan(seed, faultCount)
    const needsRoot = plan.faults.some(({ name }) => name === 'full disk')
    it.runIf(SmallDisk.isPossible || !needsRoot)(
      `seed ${seed} of ${faultCount} faults, ${describePlan(plan)}`,
      { timeout: TIMEOUT_MS },
      async () => {
        // Grows at each fault, so that every fault comes while there is work.
        const ledgers = FILES * 64
        const share = Math.floor(ledgers / (faultCount + 1))
        const served = { ledgers: lake.directory, latest: lake.lastLedger - ledgers + share }
        const isLake = plan.source === 'lake'
        await using source = isLake ? await startFakeLake({ ...served, ledgersPerBatch: LEDGERS_PER_FILE }) : await startFakeRpc(served)
        const parts = {
          folder: join(folder, `seed-${seed}-${faultCount}`),
          registry: lake.registry,
          source,
          clickhouse,
          broker: kafka.broker,
        }
        await using system = await SimulatedSystem.start(parts, plan, seed)
        for (const fault of plan.faults) {
          await delay(fault.afterMs) // the moment is what is tested
          source.advance(share)
          await system.suffer(fault)
        }
        source.advance(ledgers)
        await system.indexed(undisturbed.checkpoints ?? '')
        const views = await system.views()
        expect(Object.keys(views)).toEqual(Object.keys(undisturbed))
        for (const [view, rows] of Object.entries(undisturbed)) expect(views[view] === rows, `${view} differs\n${system.logs}`).toBe(true)
        await system.stop()
      },
    )
  }
}
