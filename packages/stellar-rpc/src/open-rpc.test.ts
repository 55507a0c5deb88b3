import { readFileSync } from 'node:fs'
import { readLedgerHeader, readScVal } from '@orrery/ledger'
import { type FakeRpc, recording, startFakeRpc, type UpstreamFault } from '@orrery/testkit'
import { Contract } from '@stellar/stellar-sdk'
import { afterEach, describe, expect, it } from 'vitest'
import { contractDataKey, contractDataValue } from './contract-data.ts'
import { openRpc } from './open-rpc.ts'
import type { RpcTime } from './rpc.ts'

const { lakeDir, registryFile } = recording()
const PASSPHRASE = 'Orrery Forge Network ; September 2026'
const OTHER = 'Another Network ; October 2026'

const started: FakeRpc[] = []
async function aNode(options: { latest?: number; retention?: number } = {}): Promise<FakeRpc> {
  const node = await startFakeRpc({ ledgers: lakeDir, latest: 1_000_500, ...options })
  started.push(node)
  return node
}
afterEach(async () => {
  await Promise.all(started.splice(0).map((node) => node[Symbol.asyncDispose]()))
})

/** A clock that only `sleep` advances, and random pauses that are always the longest. */
class StillTime implements RpcTime {
  #nowMs = 1_000_000
  readonly sleptMs: number[] = []
  nowMs = (): number => this.#nowMs
  random = (): number => 1
  sleep = async (ms: number, signal: AbortSignal | undefined): Promise<void> => {
    signal?.throwIfAborted()
    this.sleptMs.push(ms)
    this.#nowMs += ms
  }
}

const methodsOf = ({ requests }: FakeRpc): string[] => requests.map(({ method }) => method)

describe('the answers of a node', () => {
  it('the answer of every method is read', async () => {
    const node = await aNode({ retention: 100 })
    const rpc = openRpc({ urls: [node.url] })
    expect(await rpc.getHealth()).toEqual({ latestLedger: 1_000_500, oldestLedger: 1_000_401, latestCloseTimeSeconds: expect.any(Number) })
    expect(await rpc.getNetwork()).toEqual({ passphrase: PASSPHRASE, protocolVersion: 27 })
    expect(await rpc.getLatestLedger()).toMatchObject({ sequence: 1_000_500, protocolVersion: 27 })
    expect(await rpc.getVersionInfo()).toEqual({ version: '30.0.0', protocolVersion: 30 })
    expect(await rpc.survey()).toMatchObject({ passphrase: PASSPHRASE, oldestLedger: 1_000_401, latestLedger: 1_000_500 })
  })

  it('ledgers are the recorded bytes', async () => {
    const node = await aNode()
    const { ledgers, latestLedger } = await openRpc({ urls: [node.url] }).getLedgers(1_000_498, 10)
    expect(latestLedger).toBe(1_000_500)
    expect(ledgers.map(({ sequence }) => sequence)).toEqual([1_000_498, 1_000_499, 1_000_500])
    for (const { sequence, hash, closeTimeSeconds, bytes } of ledgers) {
      expect(readLedgerHeader(bytes)).toMatchObject({ sequence, hash, closeTimeSeconds })
    }
  })

  it('entries have their values as of the newest ledger, and missing entries are left out', async () => {
    const { protocols } = JSON.parse(readFileSync(registryFile, 'utf8'))
    const factory: string = protocols.soroswap.deployments[0].factory
    const key = contractDataKey(factory, { type: 'instance_key' })
    expect(Buffer.from(key)).toEqual(Buffer.from(new Contract(factory).getFootprint().toXdr())) // as the SDK writes it
    const node = await aNode()
    const nowhere = contractDataKey(factory, { type: 'symbol', value: 'nothing' })
    const { entries, latestLedger } = await openRpc({ urls: [node.url] }).getLedgerEntries([nowhere, key, key])
    expect(latestLedger).toBe(1_000_500)
    expect(entries).toHaveLength(1)
    const [entry] = entries
    if (entry === undefined) return expect.unreachable()
    expect(entry).toMatchObject({ asOfLedger: 1_000_500 })
    expect(entry.lastModifiedLedger).toBeLessThanOrEqual(1_000_500)
    expect(readScVal(contractDataValue(entry)).type).toBe('instance')
    expect(() => contractDataValue({ ...entry, key: nowhere })).toThrow(expect.objectContaining({ code: 'rpc_answer_broken' }))
  })
})

describe('a transient failure', () => {
  const faults: UpstreamFault[] = [
    { kind: 'busy' },
    { kind: 'status', status: 500 },
    { kind: 'status', status: 503 },
    { kind: 'cut' },
    { kind: 'reset' },
    { kind: 'garbage' },
    { kind: 'error', code: -32603, message: 'DB is empty' },
    { kind: 'error', code: -32001, message: 'request exceeded processing limit threshold' },
    { kind: 'error', code: -4711, message: 'rpc queue for getLedgers surpassed queue limit of 1000 requests' },
  ]
  it.each(faults)('a transient failure is retried: $kind $status $code', async (fault) => {
    const node = await aNode()
    const time = new StillTime()
    const problems: string[] = []
    const rpc = openRpc({ urls: [node.url], time, onRetry: ({ problem, failures }) => problems.push(`${failures} ${problem}`) })
    node.misbehave(fault, { method: 'getLedgers', times: 3 })
    const { ledgers } = await rpc.getLedgers(1_000_000, 2)
    expect(ledgers).toHaveLength(2)
    expect(problems).toHaveLength(3)
    expect(time.sleptMs).toEqual([200, 400, 800]) // the longest that full jitter may choose
  })

  it('a request that times out is retried', async () => {
    const node = await aNode()
    const rpc = openRpc({ urls: [node.url], timeoutMs: 2_000, time: new StillTime() })
    node.misbehave({ kind: 'slow', ms: 600_000 }, { method: 'getHealth' })
    expect(await rpc.getHealth()).toMatchObject({ latestLedger: 1_000_500 })
    expect(methodsOf(node)).toEqual(['getNetwork', 'getHealth', 'getHealth'])
  })

  it('the client waits for the time in Retry-After', async () => {
    const node = await aNode()
    const time = new StillTime()
    node.misbehave({ kind: 'busy', retryAfterSeconds: 7 }, { method: 'getHealth' })
    await openRpc({ urls: [node.url], time }).getHealth()
    expect(time.sleptMs).toEqual([7_000])
  })

  it('retries end after their time with an error that names the failure and what is safe', async () => {
    const node = await aNode()
    node.misbehave({ kind: 'status', status: 502 }, { times: 1_000 })
    const time = new StillTime()
    const asking = openRpc({ urls: [node.url], time, retryForMs: 30_000 }).getHealth()
    await expect(asking).rejects.toMatchObject({ kind: 'unavailable', code: 'rpc_unreachable' })
    await expect(asking).rejects.toThrow(/tried for 30 s.*HTTP status 502.*Nothing is lost/)
    expect(time.sleptMs.reduce((sum, ms) => sum + ms, 0)).toBeLessThanOrEqual(30_000)
  })

  it('the client does not wait for a Retry-After that is longer than its time for retries', async () => {
    const node = await aNode()
    const time = new StillTime()
    node.misbehave({ kind: 'busy', retryAfterSeconds: 3_600 })
    const rpc = openRpc({ urls: [node.url], time })
    await expect(rpc.getHealth()).rejects.toThrow(/requested a pause of 3600 s/)
    await expect(rpc.getHealth()).rejects.toThrow(/requested a pause of 3600 s/) // nor in the next call
    expect(time.sleptMs).toEqual([])
  })

  it('an aborted call ends at once, also in a pause', async () => {
    const node = await aNode()
    node.misbehave({ kind: 'busy', retryAfterSeconds: 50 })
    const stop = new AbortController()
    const rpc = openRpc({ urls: [node.url], onRetry: () => stop.abort(new Error('enough')) })
    await expect(rpc.getHealth({ signal: stop.signal })).rejects.toThrow('enough')
    node.misbehave({ kind: 'slow', ms: 60_000 })
    const soon = new AbortController()
    const asking = openRpc({ urls: [node.url] }).getHealth({ signal: soon.signal })
    soon.abort(new Error('now'))
    await expect(asking).rejects.toThrow('now')
  })
})

describe('several endpoints', () => {
  it('endpoints are used in their order, and the next one at once when one fails', async () => {
    const [one, two] = [await aNode(), await aNode()]
    const time = new StillTime()
    const rpc = openRpc({ urls: [one.url, two.url], time })
    await rpc.getHealth()
    expect(methodsOf(two)).toEqual([])
    await one.goAway()
    await rpc.getHealth()
    expect(time.sleptMs).toEqual([])
    expect(methodsOf(two)).toEqual(['getNetwork', 'getHealth'])
  })

  it('an endpoint that failed is avoided for a while, and then used again', async () => {
    const [one, two] = [await aNode(), await aNode()]
    const time = new StillTime()
    const rpc = openRpc({ urls: [one.url, two.url], time })
    one.misbehave({ kind: 'busy' })
    await rpc.getHealth()
    await rpc.getHealth()
    expect(methodsOf(one)).toEqual(['getNetwork'])
    await time.sleep(5_000, undefined)
    await rpc.getHealth()
    expect(methodsOf(one)).toEqual(['getNetwork', 'getNetwork', 'getHealth'])
  })

  it('a ledger that one endpoint lacks comes from another one', async () => {
    const [one, two] = [await aNode({ retention: 100 }), await aNode()]
    const rpc = openRpc({ urls: [one.url, two.url] })
    expect(await rpc.survey()).toMatchObject({ oldestLedger: 1_000_000, latestLedger: 1_000_500 })
    expect((await rpc.getLedgers(1_000_010, 1)).ledgers[0]?.sequence).toBe(1_000_010)
    one.lose(1_000_450)
    expect((await rpc.getLedgers(1_000_450, 1)).ledgers[0]?.sequence).toBe(1_000_450)
  })

  it('a survey skips an endpoint that asked for a pause, and reports that it is incomplete', async () => {
    const [one, two] = [await aNode({ retention: 100 }), await aNode()]
    const time = new StillTime()
    const rpc = openRpc({ urls: [one.url, two.url], time })
    expect(await rpc.survey()).toMatchObject({ oldestLedger: 1_000_000, isComplete: true })
    two.misbehave({ kind: 'busy', retryAfterSeconds: 60 }, { method: 'getHealth' })
    expect(await rpc.survey()).toMatchObject({ oldestLedger: 1_000_401, isComplete: false })
    const asked = two.requests.length
    expect(await rpc.survey()).toMatchObject({ oldestLedger: 1_000_401, isComplete: false })
    expect(two.requests).toHaveLength(asked)
    await time.sleep(60_000, undefined)
    expect(await rpc.survey()).toMatchObject({ oldestLedger: 1_000_000, isComplete: true })
  })

  it('a survey with a timeout does not wait for an endpoint that hangs', async () => {
    const [hanging, ahead] = [await aNode(), await aNode({ latest: 1_000_503 })]
    const rpc = openRpc({ urls: [hanging.url, ahead.url], timeoutMs: 2_000_000_000 })
    expect(await rpc.survey()).toMatchObject({ latestLedger: 1_000_503 })
    hanging.misbehave({ kind: 'slow', ms: 600_000 }, { method: 'getHealth' })
    expect(await rpc.survey({ skipAfterMs: 1_000 })).toMatchObject({ latestLedger: 1_000_503 })
  })

  it('an endpoint that was down at the start is checked for its network before it is used', async () => {
    const [one, two] = [await aNode(), await aNode()]
    two.passphrase = OTHER
    await two.goAway()
    const rpc = openRpc({ urls: [one.url, two.url], passphrase: PASSPHRASE, time: new StillTime() })
    await rpc.survey()
    await two.comeBack()
    await one.goAway()
    await expect(rpc.getHealth()).rejects.toMatchObject({ kind: 'invalid', code: 'wrong_network' })
    expect(methodsOf(two)).toEqual(['getNetwork'])
  })

  it('endpoints of two networks are refused', async () => {
    const [one, two] = [await aNode(), await aNode()]
    two.passphrase = OTHER
    await expect(openRpc({ urls: [one.url, two.url] }).survey()).rejects.toThrow(new RegExp(`"${OTHER}".*"${PASSPHRASE}" was expected`))
  })
})

describe('a permanent failure', () => {
  it('a request that every node refuses ends with their answers', async () => {
    const node = await aNode()
    const asking = openRpc({ urls: [node.url] }).getLedgers(999, 1)
    await expect(asking).rejects.toMatchObject({ kind: 'invalid', code: 'rpc_refused', context: { status: -32600 } })
    await expect(asking).rejects.toThrow(/start ledger \(999\) must be between the oldest ledger: 1000000 and the latest ledger: 1000500/)
    expect(methodsOf(node)).toEqual(['getNetwork', 'getLedgers'])
  })

  it('a refused address or key ends the call', async () => {
    const node = await aNode()
    node.misbehave({ kind: 'status', status: 401 })
    await expect(openRpc({ urls: [node.url] }).getHealth()).rejects.toMatchObject({ code: 'rpc_refused', context: { status: 401 } })
  })

  it('a gap that all endpoints have ends the call with its range', async () => {
    const node = await aNode()
    for (const ledger of [1_000_003, 1_000_004]) node.lose(ledger)
    const rpc = openRpc({ urls: [node.url] })
    const { ledgers } = await rpc.getLedgers(1_000_001, 5)
    expect(ledgers.map(({ sequence }) => sequence)).toEqual([1_000_001, 1_000_002])
    const asking = rpc.getLedgers(1_000_003, 5)
    await expect(asking).rejects.toMatchObject({ kind: 'corrupt', code: 'ledgers_missing', context: { first: 1_000_003, last: 1_000_004 } })
  })

  it('an invalid address is refused and not shown', () => {
    expect(() => openRpc({ urls: ['key-of-mine'] })).toThrow(expect.objectContaining({ code: 'rpc_address_invalid' }))
    expect(() => openRpc({ urls: ['key-of-mine'] })).not.toThrow(/key-of-mine/)
    expect(() => openRpc({ urls: [] })).toThrow(expect.objectContaining({ code: 'rpc_address_invalid' }))
  })
})

describe('an address', () => {
  it('an address is shown by its host alone, and its user becomes an authorization header', async () => {
    const node = await aNode()
    const { host } = new URL(node.url)
    const rpc = openRpc({ urls: [`http://me:secret@${host}/v1/key?token=t`] })
    expect(rpc.describe).toBe(`the Stellar RPC at ${host}`)
    await rpc.getHealth()
    expect(node.requests.at(-1)).toMatchObject({ path: '/v1/key?token=t', authorization: `Basic ${btoa('me:secret')}` })
  })
})
