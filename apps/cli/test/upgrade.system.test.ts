import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { withClickHouse } from '@orrery/read-model/testing'
import { afterAll, expect, it } from 'vitest'
import { earlierBuild, hasCommit } from './earlier-build.ts'
import { MixedBuilds, ready } from './mixed-builds.ts'
import { contentsAfter, orrery, upArguments } from './orrery.ts'
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

  await using builds = new MixedBuilds(clickhouse.host, first.registry, folder)

  // Everything of the earlier build.
  expect(await orrery(['migrate'], builds.as('admin'), '', earlier)).toMatchObject({ code: 0 })
  await builds.addOrganization('acme', earlier)
  await builds.ingest(first, earlier)
  const oldAdapter = builds.start(['adapter', 'fxdao'], builds.as('writer'), earlier)
  await ready(oldAdapter)
  const oldApi = builds.startApi(earlier)
  await builds.shows(oldApi, first.lastLedger)

  // 1. Tables: the earlier processes go on reading and writing them.
  const migrated = await orrery(['migrate', '--json'], builds.as('admin'))
  expect(JSON.parse(migrated.stdout[0] ?? '').applied).toContain('0043_sums_of_priced_parts.sql')
  await builds.ingest(second, earlier)
  await builds.shows(oldApi, second.lastLedger)
  // From here the earlier build is refused where it would change tables.
  expect(await orrery(['migrate'], builds.as('admin'), '', earlier)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('newer Orrery'),
  })

  // 2. API: the new one reads the rows of the earlier adapters, and the earlier one goes on answering beside it.
  const answered = await builds.answerOf(oldApi)
  const newApi = builds.startApi()
  await builds.shows(newApi, second.lastLedger)
  expect(await builds.answerOf(oldApi)).toEqual(answered)
  // Not an answer that it has kept.
  expect((await builds.answerOf(oldApi, '/v1/pools')).ledger).toBe(second.lastLedger)
  await builds.stop(oldApi)

  // 3. Adapters: the new ones fold the log from its beginning beside the served rows, which the earlier ones keep up to date.
  const newAdapter = builds.start(['adapter', 'fxdao'], builds.as('writer'))
  await ready(newAdapter)
  await builds.ingest(third, earlier)
  await builds.shows(newApi, third.lastLedger)
  for (;;) {
    const activated = await orrery(['activate', 'fxdao', '2', '--json'], builds.as('admin'))
    if (activated.code === 0) break
    expect(activated, activated.stderr).toMatchObject({ code: 75 }) // still behind
  }
  expect((await builds.answerOf(newApi)).ledger).toBe(third.lastLedger)
  await builds.stop(oldAdapter)

  // 4. Ingest, last: the new one goes on with the log of the earlier one.
  await builds.ingest(last)
  await builds.shows(newApi, last.lastLedger)
  await builds.stop(newApi)
  await builds.stop(newAdapter)
  const { url, user, password } = clickhouse.host.address('analyst')
  const contents = await viewContents(url.replace('//', `//${user}:${password}@`), 'orrery', { without: ['adapter_version'] })
  expect(contents.index_versions).toMatch(/"fxdao", 2, .*"upgrade"/)
  for (const [view, rows] of Object.entries(expected)) if (!ABOUT_VERSIONS.includes(view)) expect(contents[view], view).toBe(rows)
})
