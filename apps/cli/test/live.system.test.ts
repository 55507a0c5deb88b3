import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type FakeLake, type FakeRpc, recording, startFakeLake, startFakeRpc } from '@orrery/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { contentsAfter, Orrery, orrery, type Ready } from './orrery.ts'
import { shortLake } from './short-lake.ts'
import { viewContents } from './view-contents.ts'

/** Ledgers of the first five files of the recording. */
const [FIRST, HALF, LAST] = [1_000_000, 1_000_191, 1_000_319]

const folder = mkdtempSync(join(tmpdir(), 'orrery-live-'))
const { lakeDir, registryFile } = recording()
const stack = new AsyncDisposableStack()
let whole: Record<string, string>

const aNode = async (latest: number, retention?: number): Promise<FakeRpc> =>
  stack.use(await startFakeRpc({ ledgers: lakeDir, latest, ...(retention !== undefined && { retention }) }))
const aLake = async (latest: number): Promise<FakeLake> => stack.use(await startFakeLake({ ledgers: lakeDir, latest }))

beforeAll(async () => {
  whole = await contentsAfter(up('whole', '--lake', shortLake(join(folder, 'lake'), 5).directory))
})
afterAll(async () => {
  await stack.disposeAsync()
  rmSync(folder, { recursive: true, force: true })
})

const up = (data: string, ...source: string[]): string[] => [
  ...['up', '--json', '--port', '0', '--internal-port', '0', '--network', registryFile, '--data', join(folder, data)],
  ...source,
]

async function health({
  url,
  apiKey,
}: Ready): Promise<{ meta: { last_indexed_ledger: number }; data: { adapters: { adapter_id: string; status: string }[] } }> {
  const response = await fetch(`${url}/v1/health`, { headers: { connection: 'close', 'x-service-api-key': apiKey } })
  return (await response.json()) as Awaited<ReturnType<typeof health>>
}

/** Waits until /v1 answers as of a ledger. */
async function readable(ready: Ready, ledger: number): Promise<void> {
  while ((await health(ready)).meta.last_indexed_ledger < ledger) await sleep(50)
}

describe('orrery up', () => {
  it.each([
    ['an RPC', async () => ({ rpc: await aNode(HALF), lake: null })],
    ['a lake behind http', async () => ({ rpc: null, lake: await aLake(HALF) })],
    ['a lake that an RPC goes on from', async () => ({ rpc: await aNode(HALF, 100), lake: await aLake(HALF - 64) })],
  ])('orrery up on %s reports when it has caught up, and follows later ledgers into equal tables', async (_, upstream) => {
    const { rpc, lake } = await upstream()
    const source = [...(rpc ? ['--rpc', rpc.url] : []), ...(lake ? ['--lake', lake.url] : [])]
    const data = `follows ${source.join(' ').replaceAll(/\W+/g, '-')}`
    await using run = new Orrery(up(data, ...source))
    const ready = await run.result<Ready>()
    expect(await run.result()).toMatchObject({ event: 'caught_up', ledger: HALF, firstLedger: FIRST })
    const { meta, data: body } = await health(ready)
    expect(meta.last_indexed_ledger).toBe(HALF)
    expect(body.adapters.find(({ adapter_id }) => adapter_id === 'soroswap')).toMatchObject({ status: 'healthy' })
    expect((await fetch(`${ready.internalUrl}/readyz`, { headers: { connection: 'close' } })).status).toBe(200)

    for (let ledger = HALF; ledger < LAST; ledger += 32) for (const one of [rpc, lake]) one?.advance(32)
    await readable(ready, LAST)
    expect(await viewContents(ready.clickhouseUrl)).toEqual(whole)
    run.signal('SIGTERM')
    expect(await run.exited, run.stderr).toBe(0)
  })

  it('orrery up stops with --exit-when-caught-up when it has caught up, and continues from there with another source', async () => {
    const [node, lake] = [await aNode(HALF), await aLake(LAST)]
    const first = await orrery(up('stops', '--rpc', node.url, '--exit-when-caught-up'))
    expect(first).toMatchObject({ code: 0 })
    expect(JSON.parse(first.stdout.at(-1) ?? '')).toMatchObject({ event: 'caught_up', ledger: HALF })
    const second = await orrery(up('stops', '--lake', lake.url, '--exit-when-caught-up'))
    expect(JSON.parse(second.stdout.at(-1) ?? '')).toMatchObject({ event: 'caught_up', ledger: LAST })
    expect(await contentsAfter(up('stops', '--lake', lake.url))).toEqual(whole)
  })

  it('orrery up refuses to leave a gap when the window of a node has moved past it, names the range, and continues with a lake', async () => {
    const [before, now, lake] = [await aNode(HALF), await aNode(LAST, 50), await aLake(LAST)]
    expect(await orrery(up('away', '--rpc', before.url, '--exit-when-caught-up'))).toMatchObject({ code: 0 })
    const refused = await orrery(up('away', '--rpc', now.url))
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringMatching(/ledgers 1000192 to 1000269 would be missing.*--lake/) })
    expect(await contentsAfter(up('away', '--lake', lake.url, '--rpc', now.url))).toEqual(whole)
  })

  it('orrery up warns first about the ledgers that an index from the window of a node does not cover', async () => {
    const node = await aNode(LAST, 100)
    const { code, stdout, stderr } = await orrery(up('late', '--rpc', node.url, '--exit-when-caught-up', '--log-level', 'warn'))
    expect(code, stderr).toBe(0)
    expect(JSON.parse(stdout.at(-1) ?? '')).toMatchObject({ event: 'caught_up', ledger: LAST, firstLedger: LAST - 99 })
    const [line] = stderr.split('\n').filter((text) => text.startsWith('{'))
    expect(JSON.parse(line ?? '').msg).toMatch(
      /^The index begins at ledger 1000220, .* It does not cover ledgers 1000000 to 1000219\. .*--lake/,
    )
  })

  it('orrery up ends with an exit code and one message with the next step when it cannot work', async () => {
    const [node, lake] = [await aNode(LAST, 100), await aLake(HALF)]
    const gap = await orrery(up('gap', '--lake', lake.url, '--rpc', node.url))
    expect(gap).toMatchObject({ code: 2, stderr: expect.stringMatching(/not ledgers 1000192 to 1000219.*--from-ledger 1000220/) })

    const other = await aNode(LAST)
    other.passphrase = 'Another Network ; October 2026'
    const wrong = await orrery(up('wrong', '--rpc', `${node.url},${other.url}`))
    expect(wrong).toMatchObject({ code: 2, stderr: expect.stringContaining('"Another Network ; October 2026"') })

    const forked = await aNode(LAST)
    forked.forkFrom(HALF)
    const broken = await orrery(up('forked', '--rpc', forked.url))
    expect(broken).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/[0-9a-f]{64}.*[0-9a-f]{64}.*Everything up to ledger 1000190 is complete/),
    })

    const nowhere = await orrery(up('nowhere', '--network', 'testnet'))
    expect(nowhere).toMatchObject({ code: 2, stderr: expect.stringMatching(/--lake.*--rpc/) })
  })
})
