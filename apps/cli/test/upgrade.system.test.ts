import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { withClickHouse } from '@orrery/read-model/testing'
import { afterAll, expect, it } from 'vitest'
import { earlierBuild, hasCommit } from './earlier-build.ts'
import { contentsAfter, Orrery, orrery, upArguments } from './orrery.ts'
import { type ShortLake, shortLake, withOnly } from './short-lake.ts'
import { viewContents } from './view-contents.ts'

/** It has index versions, but a lower adapter version of FxDAO, one migration less, and no snapshots of the control topic. */
const EARLIER = '28c65cebb7e04b861a2a0b2a33ebbedc4d22adb1'

const folder = mkdtempSync(join(tmpdir(), 'orrery-upgrade-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const clickhouse = withClickHouse()

/** Rows of these name index versions, which differ: the upgraded index has two of them. */
const ABOUT_VERSIONS = ['active_versions', 'index_versions', 'checkpoints']

const NAME =
  'processes of an earlier build (needs the history of the repository) go on beside those of this one in the order of the page, readers see no older ledger, and the rows end equal'
it.runIf(hasCommit(EARLIER))(NAME, async () => {
  const earlier = earlierBuild(EARLIER, join(folder, 'earlier'))
  // One protocol: what is tested are processes, not folds.
  const lakes = [2, 3, 4, 5].map((files) => withOnly('fxdao', shortLake(join(folder, `lake-${files}`), files)))
  const [first, second, third, last] = lakes as [ShortLake, ShortLake, ShortLake, ShortLake]
  const expected = await contentsAfter(upArguments(last, join(folder, 'never-upgraded')), { without: ['adapter_version'] })
  expect(expected.activities).not.toBe('')

  const common = { ORRERY_NETWORK: first.registry, ORRERY_LOG: `lmdb:${join(folder, 'log')}`, ORRERY_INTERNAL_PORT: '0' }
  const identity = { ORRERY_IDENTITY: `sqlite:${join(folder, 'identity.sqlite')}` }
  const as = (user: 'admin' | 'writer' | 'api') => {
    const { url, password } = clickhouse.host.address(user)
    return { ...common, ORRERY_CLICKHOUSE_URL: url, ORRERY_CLICKHOUSE_USER: user, ORRERY_CLICKHOUSE_PASSWORD: password }
  }
  const ingest = async (lake: ShortLake, bin?: string): Promise<void> => {
    const run = await orrery(['ingest', '--lake', lake.directory], common, '', bin)
    expect(run.code, run.stderr).toBe(0)
  }
  const ready = async (run: Orrery): Promise<void> => {
    const probes = await run.waitForStderr(/"internalUrl":"([^"]+)"/)
    while ((await fetch(`${probes}/readyz`, { headers: { connection: 'close' } })).status !== 200) await sleep(50)
  }
  await using stack = new AsyncDisposableStack()
  const start = (args: readonly string[], env: Readonly<Record<string, string>>, bin?: string): Orrery =>
    stack.use(new Orrery(args, env, '', bin))
  const stop = async (run: Orrery): Promise<void> => {
    run.signal('SIGTERM')
    expect(await run.exited, run.stderr).toBe(0)
  }

  // Everything of the earlier build.
  expect(await orrery(['migrate'], as('admin'), '', earlier)).toMatchObject({ code: 0 })
  expect(await orrery(['org', 'create', '--org', 'acme', '--name', 'Acme'], identity, '', earlier)).toMatchObject({ code: 0 })
  const [key = ''] = (await orrery(['org', 'key', 'create', '--org', 'acme', '--name', 'test'], identity, '', earlier)).stdout
  const apiEnv = { ...as('api'), ...identity, ORRERY_PORT: '0', ORRERY_CURSOR_KEY: 'ab'.repeat(32) }
  const ledgerOf = async (api: Orrery): Promise<number> => {
    const url = await api.waitForStderr(/"url":"([^"]+)"/)
    const response = await fetch(`${url}/v1/protocols/fxdao/reserves`, { headers: { connection: 'close', 'x-service-api-key': key } })
    const body = (await response.json()) as { readonly meta: { readonly last_indexed_ledger: number | null } }
    expect(response.status, `${JSON.stringify(body)}\n${api.stderr}`).toBe(200)
    return body.meta.last_indexed_ledger ?? 0
  }
  const shows = async (api: Orrery, ledger: number): Promise<void> => {
    while ((await ledgerOf(api)) !== ledger) await sleep(50)
  }
  await ingest(first, earlier)
  const oldAdapter = start(['adapter', 'fxdao'], as('writer'), earlier)
  await ready(oldAdapter)
  const oldApi = start(['api'], apiEnv, earlier)
  await shows(oldApi, first.lastLedger)

  // 1. Tables: the earlier processes go on reading and writing them.
  const migrated = await orrery(['migrate', '--json'], as('admin'))
  expect(JSON.parse(migrated.stdout[0] ?? '').applied).toContain('0043_sums_of_priced_parts.sql')
  await ingest(second, earlier)
  await shows(oldApi, second.lastLedger)
  // From here the earlier build is refused where it would change tables.
  expect(await orrery(['migrate'], as('admin'), '', earlier)).toMatchObject({ code: 2, stderr: expect.stringContaining('newer Orrery') })

  // 2. API: the new one reads the rows of the earlier adapters.
  const newApi = start(['api'], apiEnv)
  await shows(newApi, second.lastLedger)
  await stop(oldApi)

  // 3. Adapters: the new ones fold the log from its beginning beside the served rows, which the earlier ones keep up to date.
  const newAdapter = start(['adapter', 'fxdao'], as('writer'))
  await ready(newAdapter)
  await ingest(third, earlier)
  await shows(newApi, third.lastLedger)
  for (;;) {
    const activated = await orrery(['activate', 'fxdao', '2', '--json'], as('admin'))
    if (activated.code === 0) break
    expect(activated, activated.stderr).toMatchObject({ code: 75 }) // still behind
  }
  expect(await ledgerOf(newApi)).toBe(third.lastLedger)
  await stop(oldAdapter)

  // 4. Ingest, last: the new one goes on with the log of the earlier one.
  await ingest(last)
  await shows(newApi, last.lastLedger)
  await stop(newApi)
  await stop(newAdapter)
  const { url, user, password } = clickhouse.host.address('analyst')
  const contents = await viewContents(url.replace('//', `//${user}:${password}@`), 'orrery', { without: ['adapter_version'] })
  expect(contents.index_versions).toMatch(/"fxdao", 2, .*"upgrade"/)
  for (const [view, rows] of Object.entries(expected)) if (!ABOUT_VERSIONS.includes(view)) expect(contents[view], view).toBe(rows)
})
