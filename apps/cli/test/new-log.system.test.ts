import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { withClickHouse } from '@orrery/read-model/testing'
import { afterAll, expect, it } from 'vitest'
import { Orrery, orrery } from './orrery.ts'
import { type ShortLake, shortLake, withOnly } from './short-lake.ts'
import { viewContents } from './view-contents.ts'

const folder = mkdtempSync(join(tmpdir(), 'orrery-new-log-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const clickhouse = withClickHouse()

const half = withOnly('soroswap', shortLake(join(folder, 'half'), 2))
const whole = withOnly('soroswap', shortLake(join(folder, 'whole'), 3))
type Variables = Readonly<Record<string, string>>

/** The variables of one installation: a log and a database. */
function installation(log: string, database: string, more: Variables = {}): (user: 'admin' | 'writer') => Variables {
  return (user) => {
    const { url, password } = clickhouse.host.address(user)
    return {
      ...{ ORRERY_NETWORK: half.registry, ORRERY_LOG: `lmdb:${join(folder, log)}`, ORRERY_INTERNAL_PORT: '0', ORRERY_CLICKHOUSE_URL: url },
      ...{ ORRERY_CLICKHOUSE_USER: user, ORRERY_CLICKHOUSE_PASSWORD: password, ORRERY_CLICKHOUSE_DATABASE: database, ...more },
    }
  }
}

/** Without a ClickHouse it looks for no gaps, and ends with the lake. */
const ingest = (lake: ShortLake, variables: Variables) =>
  orrery(
    ['ingest', '--lake', lake.directory],
    Object.fromEntries(Object.entries(variables).filter(([name]) => !name.includes('CLICKHOUSE'))),
  )

/** Folds what the log has, and stops. */
async function fold(variables: Variables): Promise<void> {
  await using adapter = new Orrery(['adapter', 'soroswap'], variables)
  const probes = await adapter.waitForStderr(/"internalUrl":"([^"]+)"/)
  while ((await fetch(`${probes}/readyz`, { headers: { connection: 'close' } })).status !== 200) await sleep(50)
  adapter.signal('SIGTERM')
  expect(await adapter.exited, adapter.stderr).toBe(0)
}

function contents(database: string, without: readonly string[] = []): Promise<Record<string, string>> {
  const { url, user, password } = clickhouse.host.address('analyst')
  return viewContents(url.replace('//', `//${user}:${password}@`), database, { without })
}

it('more partitions are a new log and a new database beside the served ones, whose rows are the same; the number of an existing log is not changed', async () => {
  const [old, wider] = [installation('four', 'orrery_four'), installation('eight', 'orrery_eight', { ORRERY_PARTITIONS_SOROSWAP: '8' })]
  await orrery(['migrate'], old('admin'))
  expect(await ingest(half, old('writer'))).toMatchObject({ code: 0 })
  const raised = await ingest(whole, { ...old('writer'), ORRERY_PARTITIONS_SOROSWAP: '8' })
  expect(raised).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('This log has 4 partitions of soroswap, and the options set 8. Nothing was changed.'),
  })
  // Nothing was changed: the log is continued with its own number.
  expect(await ingest(whole, old('writer'))).toMatchObject({ code: 0 })
  await fold(old('writer'))

  await orrery(['migrate'], wider('admin'))
  expect(await ingest(whole, wider('writer'))).toMatchObject({ code: 0 })
  await fold(wider('writer'))
  // State rows name the partition that folds them; active versions have the number of partitions.
  const numbers = ['scope', 'partition', 'partitions']
  const [four, eight] = [await contents('orrery_four', numbers), await contents('orrery_eight', numbers)]
  expect([four, eight].map(({ checkpoints = '' }) => checkpoints.trim().split('\n').length)).toEqual([4, 8])
  expect(four.activities).not.toBe('')
  const compared = Object.keys(four).filter((view) => !['active_versions', 'index_versions', 'checkpoints'].includes(view))
  expect(compared.filter((view) => four[view] !== eight[view])).toEqual([])
})

it('slices beyond the retention are gone for a replay, which says so and changes nothing; it reads a new log that ingest wrote from the source', async () => {
  const [kept, rewritten] = [installation('kept', 'orrery_kept'), installation('rewritten', 'orrery_kept')]
  await orrery(['migrate'], kept('admin'))
  expect(await ingest(half, kept('writer'))).toMatchObject({ code: 0 })
  await fold(kept('writer'))
  const before = await contents('orrery_kept', ['adapter_version'])
  // The retention is applied as ingest appends: slices go that no adapter has read, which is less than a sensible retention keeps.
  expect(await ingest(whole, { ...kept('writer'), ORRERY_LOG_RETENTION_BYTES: '1' })).toMatchObject({ code: 0 })
  const replay = (variables: Variables, ...flags: readonly string[]) => orrery(['replay', 'soroswap', ...flags, '--json'], variables)
  const refused = await replay(kept('admin'))
  expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('log_incomplete') })
  // Close times of ledgers are of no protocol: the replay has stored those that it read.
  const about = { index_versions: expect.any(String), checkpoints: expect.any(String), ledgers: expect.any(String) }
  expect(await contents('orrery_kept', ['adapter_version'])).toEqual({ ...before, ...about })

  // The read model stays; only the log is new. The adapter skips what its checkpoints have.
  expect(await ingest(whole, rewritten('writer'))).toMatchObject({ code: 0 })
  await fold(rewritten('writer'))
  const replayed = await replay(rewritten('admin'), '--activate')
  expect(JSON.parse(replayed.stdout.at(-1) ?? '{}'), replayed.stderr).toMatchObject({ outcome: 'activated', ledger: whole.lastLedger })
  const same = await orrery(['diff', 'soroswap', '1', '2', '--json'], rewritten('admin'))
  expect(JSON.parse(same.stdout[0] ?? '{}'), same.stderr).toMatchObject({ isEqual: true })
})
