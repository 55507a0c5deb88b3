// Adapters as processes on three shards, of which one after the other is away while they write.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, expect, it } from 'vitest'
import { indexOnShards, urlOf } from './cluster/sharded-index.ts'
import { Orrery, type Ready, upArguments } from './orrery.ts'
import { shortLake } from './short-lake.ts'
import { viewContents } from './view-contents.ts'

const folder = mkdtempSync(join(tmpdir(), 'orrery-outage-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const FILES = 20
/**
 * Shards that are killed one after the other, and for how long each is away. An adapter repeats a write for 30 s, then ends with 75, and its
 * service manager starts it again.
 */
const OUTAGES = [
  { shard: 1, forMs: 3_000 },
  { shard: 2, forMs: 40_000 },
] as const

it('adapters that lose a shard in the middle of their writes end with a clear error, and have the rows of one engine after it has returned', async () => {
  const lake = shortLake(join(folder, 'lake'), FILES)
  const data = join(folder, 'data')
  await using stack = new AsyncDisposableStack()
  const up = stack.use(new Orrery(upArguments(lake, data)))
  const { clickhouseUrl } = await up.result<Ready>()
  await up.result()
  const expected = await viewContents(clickhouseUrl)

  const sharded = await indexOnShards(stack, { registry: lake.registry, log: `lmdb:${join(data, 'log')}` })
  const { cluster, readModel, logs, indexed } = sharded
  /** Whether something is stored, and not everything. */
  const isInTheMiddle = async (): Promise<boolean> => {
    const { adapters } = await readModel.tip()
    const stored = adapters.flatMap(({ checkpoints }) => checkpoints.map((at) => at?.ledger ?? 0))
    return stored.some((ledger) => ledger > 0) && stored.some((ledger) => ledger < lake.lastLedger)
  }
  while (!(await isInTheMiddle())) await delay(20)
  for (const { shard, forMs } of OUTAGES) {
    expect(await isInTheMiddle()).toBe(true)
    await cluster.stop(shard)
    await delay(forMs)
    await cluster.start(shard)
  }
  await indexed(lake.lastLedger)
  const all = [...logs.values()].map((log) => log()).join('')
  expect(all).toMatch(/cannot reach another server that the statement needs: \w+ \(\d+\)\. What was written is safe/)
  expect(all).not.toContain('read_model_statement_failed')
  expect(sharded.ends.length, all).toBeGreaterThan(0)
  expect(new Set(sharded.ends), all).toEqual(new Set([75]))
  const found = await viewContents(urlOf(cluster.address('analyst', 0)))
  for (const [view, rows] of Object.entries(expected)) expect(found[view], view).toBe(rows)
  expect(Object.keys(found)).toEqual(Object.keys(expected))
})
