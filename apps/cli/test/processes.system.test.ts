import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PROTOCOLS } from '@orrery/protocols'
import { withClickHouse } from '@orrery/read-model/testing'
import { afterAll, expect, it } from 'vitest'
import { contentsAfter, Orrery, orrery, type Ready, upArguments } from './orrery.ts'
import { shortLake } from './short-lake.ts'
import { viewContents } from './view-contents.ts'

const folder = mkdtempSync(join(tmpdir(), 'orrery-processes-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const clickhouse = withClickHouse()

it('separate processes fill the same tables as `orrery up`, also from a log that was cut', async () => {
  const lake = shortLake(join(folder, 'lake'), 5)
  const common = { ORRERY_NETWORK: lake.registry, ORRERY_LOG: `lmdb:${join(folder, 'log')}`, ORRERY_INTERNAL_PORT: '0' }
  const as = (user: 'admin' | 'writer' | 'api') => {
    const { url, password } = clickhouse.host.address(user)
    return { ...common, ORRERY_CLICKHOUSE_URL: url, ORRERY_CLICKHOUSE_USER: user, ORRERY_CLICKHOUSE_PASSWORD: password }
  }

  const migrated = await orrery(['migrate', '--json'], as('admin'))
  expect(JSON.parse(migrated.stdout[0] ?? '')).toMatchObject({ event: 'migrated', applied: expect.arrayContaining(['0001_state.sql']) })
  expect(JSON.parse((await orrery(['migrate', '--json'], as('admin'))).stdout[0] ?? '')).toMatchObject({ applied: [] })

  // The adapters first: they wait for the first message of ingest.
  await using stack = new AsyncDisposableStack()
  const adapters = PROTOCOLS.map(({ id }) => stack.use(new Orrery(['adapter', id], as('writer'))))
  await using ingest = new Orrery(['ingest', '--lake', lake.directory], common)
  expect(await ingest.exited, ingest.stderr).toBe(0)

  for (const adapter of adapters) {
    const probes = await adapter.waitForStderr(/"internalUrl":"([^"]+)"/)
    for (;;) {
      const { status } = await fetch(`${probes}/readyz`, { headers: { connection: 'close' } })
      if (status === 200) break
    }
  }
  const analyst = clickhouse.host.address('analyst')
  const separate = await viewContents(analyst.url.replace('//', `//${analyst.user}:${analyst.password}@`))
  const status = await orrery(['status'], as('api'))
  expect(status).toMatchObject({ code: 0, stderr: '' })
  expect(status.stdout.join('\n')).toMatch(/Everything up to ledger 1,000,319 is readable/)
  for (const adapter of adapters) adapter.signal('SIGTERM')
  for (const adapter of adapters) expect(await adapter.exited, adapter.stderr).toBe(0)

  const upOn = (data: string) => upArguments(lake, join(folder, data))
  expect(await contentsAfter(upOn('up'))).toEqual(separate)

  // A log that has lost its beginning: the adapters report it, and ingest resends it.
  const lost = { ...common, ORRERY_LOG: `lmdb:${join(folder, 'cut', 'log')}`, ORRERY_LOG_RETENTION_BYTES: '1' }
  expect(await orrery(['ingest', '--lake', lake.directory], lost)).toMatchObject({ code: 0 })
  await using cut = new Orrery(upOn('cut'))
  const afterCut = await cut.result<Ready>()
  await cut.result()
  expect(cut.stderr).toContain('Ledgers are missing in the log')
  expect(await viewContents(afterCut.clickhouseUrl)).toEqual(separate)
})

it('an adapter that still waits for the first message of ingest reports it, and stops with 0', async () => {
  await using adapter = new Orrery(['adapter', 'soroswap'], {
    ORRERY_NETWORK: 'demo',
    ORRERY_LOG: `lmdb:${join(folder, 'silent')}`,
    ORRERY_INTERNAL_PORT: '0',
    ORRERY_CLICKHOUSE_URL: 'http://127.0.0.1:9', // nothing is asked of it yet
    ORRERY_CLICKHOUSE_PASSWORD: 'none',
  })
  await adapter.waitForStderr(/(waiting for ingest if it is empty)/)
  adapter.signal('SIGTERM')
  expect(await adapter.exited, adapter.stderr).toBe(0)
  expect(adapter.stderr).not.toContain('Failed to stop')
})
