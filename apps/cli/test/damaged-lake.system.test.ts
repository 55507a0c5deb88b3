// Copies of ledgers that are damaged: a file in the middle of a lake, its newest file, and a ledger of an RPC, under `orrery up`.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { zstdCompressSync } from 'node:zlib'
import { startFakeRpc } from '@orrery/testkit'
import { afterAll, expect, it, vi } from 'vitest'
import { contentsAfter, Orrery, orrery, type Ready, upArguments } from './orrery.ts'
import { shortLake } from './short-lake.ts'
import { viewContents } from './view-contents.ts'

const folder = mkdtempSync(join(tmpdir(), 'orrery-damaged-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

// 64 ledgers in a file, by the manifest: 1,000,000 to 1,000,063, 1,000,064 to 1,000,127, and so on.
const SECOND = { first: 1_000_064, last: 1_000_127 }

/** Of the internal /status. */
interface Status {
  readonly adapters: readonly { readonly last_sync_ledger: number }[]
  readonly parts: readonly { readonly part: string; readonly state: string; readonly error: string | null; readonly failures: number }[]
}

const statusOf = async ({ internalUrl }: Ready): Promise<Status> =>
  (await (await fetch(`${internalUrl}/status`, { headers: { connection: 'close' } })).json()) as Status

const ingestOf = async (ready: Ready): Promise<Status['parts'][number] | undefined> =>
  (await statusOf(ready)).parts?.find(({ part }) => part === 'ingest')

async function answerOf({ url, apiKey }: Ready): Promise<number> {
  return (await fetch(`${url}/v1/protocols`, { headers: { 'x-service-api-key': apiKey, connection: 'close' } })).status
}

const DAMAGES: readonly { readonly name: string; readonly damage: (bytes: Uint8Array) => Uint8Array }[] = [
  { name: 'cut off', damage: (bytes) => bytes.subarray(0, 5_000) },
  { name: 'no zstd', damage: (bytes) => Uint8Array.from(bytes, (byte, n) => (n < 4 ? 0 : byte)) },
  { name: 'zstd of other bytes', damage: () => zstdCompressSync(new Uint8Array(10_000).fill(0xee)) },
]

it.each(DAMAGES)(
  'a lake file that is $name stops no answer, status names its ledgers, and indexing continues when it is repaired',
  async ({ name, damage }) => {
    const lake = shortLake(join(folder, name, 'lake'), 3)
    const expected = await contentsAfter(upArguments(lake, join(folder, name, 'whole')))
    const file = join(lake.directory, lake.fileOf(1))
    const whole = readFileSync(file)
    writeFileSync(file, damage(whole))

    await using run = new Orrery(upArguments(lake, join(folder, name, 'data')))
    const ready = await run.result<Ready>()
    // The state and the error of one answer: the next attempt starts the part, which runs without an error until it reads the file.
    const waiting = await vi.waitUntil(async () => [await ingestOf(ready)].find((part) => part?.state === 'waiting'), { timeout: 60_000 })
    expect(waiting.failures).toBeGreaterThan(0)
    expect(waiting.error).toContain(`Ledgers ${SECOND.first} to ${SECOND.last} cannot be read`)
    expect(waiting.error).toContain(file)
    expect(waiting.error).toContain('Fetch the file again, or name another source with --lake or --rpc.')
    await expect
      .poll(async () => (await statusOf(ready)).adapters.map(({ last_sync_ledger: ledger }) => ledger), { timeout: 60_000 })
      .toEqual([SECOND.first - 1, SECOND.first - 1, SECOND.first - 1, SECOND.first - 1])
    expect(await answerOf(ready)).toBe(200)

    writeFileSync(file, whole)
    expect(await run.result()).toMatchObject({ event: 'caught_up', ledger: lake.lastLedger })
    await expect.poll(() => ingestOf(ready)).toMatchObject({ state: 'running', error: null })
    expect(await viewContents(ready.clickhouseUrl)).toEqual(expected)
    run.signal('SIGTERM')
    expect(await run.exited, run.stderr).toBe(0)
  },
)

it('a folder whose lake has a damaged newest file is served at the next start, and a run that shall end by itself ends with the ledgers', async () => {
  const lake = shortLake(join(folder, 'newest', 'lake'), 2)
  const data = join(folder, 'newest', 'data')
  expect(await orrery([...upArguments(lake, data), '--exit-when-caught-up'])).toMatchObject({ code: 0 })
  const file = join(lake.directory, lake.fileOf(1))
  writeFileSync(file, readFileSync(file).subarray(0, 5_000))
  {
    await using run = new Orrery(upArguments(lake, data))
    const ready = await run.result<Ready>()
    expect(await answerOf(ready)).toBe(200)
    expect(run.stderr).toContain('The newest ledgers of the source cannot be read')
    await expect
      .poll(() => ingestOf(ready), { timeout: 60_000 })
      .toMatchObject({ error: expect.stringContaining(`Ledgers ${SECOND.first}`) })
    run.signal('SIGTERM')
    expect(await run.exited, run.stderr).toBe(0)
  }
  const ended = await orrery([...upArguments(lake, data), '--exit-when-caught-up'])
  expect(ended.code).toBe(1)
  expect(ended.stderr).toContain(`Ledgers ${SECOND.first} to ${SECOND.last} cannot be read`)
})

it('a ledger of an RPC that cannot be decoded is named with the host of the RPC and without its key', async () => {
  const lake = shortLake(join(folder, 'node', 'lake'), 2)
  const damaged = 1_000_070
  await using node = await startFakeRpc({ ledgers: lake.directory, latest: lake.lastLedger })
  let isDamaged = true
  node.alter(damaged, (bytes) => (isDamaged ? bytes.subarray(0, bytes.length - 8) : bytes))
  const { host } = new URL(node.url)
  const rpc = `http://operator:s3cret@${host}/?apikey=hidden-key`
  const args = upArguments(lake, join(folder, 'node', 'data')).filter((word) => word !== '--lake' && word !== lake.directory)
  await using run = new Orrery([...args, '--rpc', rpc])
  const ready = await run.result<Ready>()
  await expect
    .poll(async () => (await ingestOf(ready))?.error ?? '', { timeout: 60_000 })
    .toContain(`Ledger ${damaged} of the Stellar RPC at ${host} cannot be read`)
  expect(await answerOf(ready)).toBe(200)
  isDamaged = false
  expect(await run.result()).toMatchObject({ event: 'caught_up', ledger: lake.lastLedger })
  run.signal('SIGTERM')
  expect(await run.exited, run.stderr).toBe(0)
  expect(run.stderr).not.toMatch(/s3cret|hidden-key/)
})
