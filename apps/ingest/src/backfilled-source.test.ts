import { openRpc } from '@orrery/stellar-rpc'
import { type FakeRpc, type FakeRpcOptions, recording, startFakeLake, startFakeRpc } from '@orrery/testkit'
import { afterEach, describe, expect, it } from 'vitest'
import { backfilledSource } from './backfilled-source.ts'
import { checkRange } from './check-source.ts'
import { lakeHttp } from './lake-http.ts'
import { lakeSource } from './lake-source.ts'
import type { LedgerSource } from './ledger-source.ts'
import { rpcSource } from './rpc-source.ts'

const { lakeDir } = recording()
const started: AsyncDisposable[] = []
afterEach(async () => {
  for (const one of started.splice(0)) await one[Symbol.asyncDispose]()
})

async function aLake(latest: number, first?: number) {
  const lake = await startFakeLake({ ledgers: lakeDir, latest, ...(first !== undefined && { first }) })
  started.push(lake)
  return lake
}

async function aNode(options: Partial<FakeRpcOptions>): Promise<FakeRpc> {
  const node = await startFakeRpc({ ledgers: lakeDir, ...options })
  started.push(node)
  return node
}

const both = (lake: { readonly url: string }, node: FakeRpc): LedgerSource =>
  backfilledSource(lakeSource(lakeHttp(lake.url, { near: 1_000_000 })), rpcSource(openRpc({ urls: [node.url] })))

async function readTo(source: LedgerSource, from: number, last: number, onLedger: (ledger: number) => void = () => {}): Promise<number[]> {
  const sequences: number[] = []
  for await (const { sequence } of source.read(from, new AbortController().signal)) {
    sequences.push(sequence)
    onLedger(sequence)
    if (sequence === last) break
  }
  return sequences
}

const numbers = (from: number, to: number): number[] => Array.from({ length: to - from + 1 }, (_, n) => from + n)

describe('a lake, then an RPC', () => {
  it('a lake and an RPC that overlap return every ledger once, in order', async () => {
    // The lake's files end with 1,000,319, inside of the node's window.
    const [lake, node] = [await aLake(1_000_330), await aNode({ latest: 1_000_400, retention: 150 })]
    const source = both(lake, node)
    expect(await source.range()).toMatchObject({ first: 1_000_000, last: 1_000_400, gap: null })
    const read = await readTo(source, 1_000_000, 1_000_403, (ledger) => {
      if (ledger === 1_000_400) node.advance(3)
    })
    expect(read).toEqual(numbers(1_000_000, 1_000_403))
  })

  // The lake ends with 1,000,319.
  it.each([1_000_318, 1_000_319, 1_000_320])(
    'a lake that ends with 1,000,319 is continued by an RPC that begins with %d',
    async (oldest) => {
      const [lake, node] = [await aLake(1_000_319), await aNode({ latest: 1_000_400 })]
      node.forgetBefore(oldest)
      const source = both(lake, node)
      const range = await source.range()
      expect(range).toMatchObject({ first: 1_000_000, last: 1_000_400, gap: null })
      checkRange(source, range, 1_000_300, true)
      expect(await readTo(source, 1_000_300, 1_000_400)).toEqual(numbers(1_000_300, 1_000_400))
    },
  )

  it('an RPC that begins one ledger after the end of the lake is refused, and the error names the missing ledger', async () => {
    const [lake, node] = [await aLake(1_000_319), await aNode({ latest: 1_000_400 })]
    node.forgetBefore(1_000_321)
    const source = both(lake, node)
    const range = await source.range()
    expect(range.gap).toEqual({ first: 1_000_320, last: 1_000_320 })
    expect(() => checkRange(source, range, 1_000_300, true)).toThrow(/not ledger 1000320: .*--from-ledger 1000321/)
    expect(() => checkRange(source, range, 1_000_320, false)).toThrow(/not ledger 1000320/) // a log that the lake filled to its end
    checkRange(source, range, 1_000_321, false)
  })

  it('a log that is past the end of the lake continues from the RPC alone', async () => {
    const [lake, node] = [await aLake(1_000_319), await aNode({ latest: 1_000_400, retention: 50 })]
    const source = both(lake, node)
    checkRange(source, await source.range(), 1_000_380, false)
    expect(await readTo(source, 1_000_380, 1_000_400)).toEqual(numbers(1_000_380, 1_000_400))
  })

  it('a range that neither the lake nor the RPC has is refused and named', async () => {
    const [lake, node] = [await aLake(1_000_319), await aNode({ latest: 1_000_400, retention: 50 })]
    const source = both(lake, node)
    const range = await source.range()
    expect(range.gap).toEqual({ first: 1_000_320, last: 1_000_350 })
    expect(() => checkRange(source, range, 1_000_000, true)).toThrow(/not ledgers 1000320 to 1000350/)
    await expect(readTo(source, 1_000_300, 1_000_400)).rejects.toThrow(/ledgers 1000320 to 1000350 would be missing/)
  })

  it('ledgers that the RPC no longer keeps are read from the lake when it has grown', async () => {
    const [lake, node] = [await aLake(1_000_127), await aNode({ latest: 1_000_200, retention: 100 })]
    const read = await readTo(both(lake, node), 1_000_100, 1_000_900, (ledger) => {
      if (ledger !== 1_000_140) return
      lake.advance(800)
      node.advance(700)
    })
    expect(read).toEqual(numbers(1_000_100, 1_000_900))
  })

  it('a lake and an RPC of two networks are refused', async () => {
    const [lake, node] = [await aLake(1_000_319), await aNode({ latest: 1_000_400 })]
    lake.passphrase = 'Another Network ; October 2026'
    await expect(both(lake, node).passphrase()).rejects.toMatchObject({ kind: 'invalid', code: 'wrong_network' })
  })
})
