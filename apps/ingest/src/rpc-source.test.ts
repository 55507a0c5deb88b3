import { openRpc } from '@orrery/stellar-rpc'
import type { FakeRpc } from '@orrery/testkit'
import { describe, expect, it } from 'vitest'
import { fakeNodes, numbers, readSequences } from '../test/fake-sources.ts'
import { rpcSource } from './rpc-source.ts'

const aNode = fakeNodes()

/** Reads up to `last`, and calls `onLedger` with each. */
const readTo = (nodes: readonly FakeRpc[], from: number, last: number, onLedger?: (ledger: number) => void): Promise<number[]> =>
  readSequences(rpcSource(openRpc({ urls: nodes.map(({ url }) => url) })), from, last, onLedger)

describe('a node', () => {
  it('a node reports its network and its range', async () => {
    const source = rpcSource(openRpc({ urls: [(await aNode({ retention: 100 })).url] }))
    expect(await source.passphrase()).toBe('Orrery Forge Network ; September 2026')
    expect(await source.range()).toMatchObject({ first: 1_000_201, last: 1_000_300, lastCloseTimeSeconds: expect.any(Number) })
    expect(source.ends).toBe(false)
  })

  it('a node returns every ledger in order, in batches that grow, without a pause while there is more', async () => {
    const node = await aNode()
    expect(await readTo([node], 1_000_000, 1_000_300)).toEqual(numbers(1_000_000, 1_000_300))
    const requests = node.requests.filter(({ method }) => method === 'getLedgers')
    expect(requests.length).toBeLessThan(10)
    expect(node.requests.filter(({ method }) => method === 'getHealth')).toHaveLength(1)
  })

  it('a node is followed as it closes ledgers', async () => {
    const node = await aNode()
    const read = await readTo([node], 1_000_295, 1_000_304, (ledger) => {
      if (ledger >= 1_000_300) node.advance()
    })
    expect(read).toEqual(numbers(1_000_295, 1_000_304))
  })

  it('an aborted read ends without an error while it waits', async () => {
    const node = await aNode()
    const stop = new AbortController()
    const source = rpcSource(openRpc({ urls: [node.url] }))
    const seen: number[] = []
    for await (const { sequence } of source.read(1_000_299, stop.signal)) {
      seen.push(sequence)
      if (sequence === 1_000_300) setTimeout(() => stop.abort(), 50)
    }
    expect(seen).toEqual([1_000_299, 1_000_300])
  })

  it('a new index begins with the oldest ledgers of the window even if the window moves before they are read', async () => {
    const node = await aNode({ retention: 10 })
    const source = rpcSource(openRpc({ urls: [node.url] }))
    const { first } = await source.range()
    node.advance(2)
    for await (const { sequence } of source.read(first, new AbortController().signal)) {
      if (sequence === first + 5) break
      expect(sequence).toBeGreaterThanOrEqual(1_000_291)
    }
  })
})

describe('a temporary fault of a node', () => {
  it('reading continues after a node was down for a while', async () => {
    const node = await aNode()
    const read = readTo([node], 1_000_000, 1_000_305, (ledger) => {
      if (ledger === 1_000_300) void node.goAway().then(() => setTimeout(() => node.comeBack().then(() => node.advance(5)), 300))
    })
    expect(await read).toEqual(numbers(1_000_000, 1_000_305))
  })

  it('reading continues after ledgers were missing for a while', async () => {
    const node = await aNode()
    node.lose(1_000_005)
    setTimeout(() => node.find(1_000_005), 500)
    expect(await readTo([node], 1_000_000, 1_000_010)).toEqual(numbers(1_000_000, 1_000_010))
  })

  it('reading continues when a node behind a load balancer is behind the one that answered before', async () => {
    const [ahead, behind] = [await aNode(), await aNode({ latest: 1_000_298 })]
    const read = await readTo([ahead, behind], 1_000_290, 1_000_301, (ledger) => {
      if (ledger !== 1_000_299) return
      void ahead.goAway()
      setTimeout(() => behind.advance(5), 300)
    })
    expect(read).toEqual(numbers(1_000_290, 1_000_301))
  })
})

describe('a permanent fault of a node', () => {
  it('a window that no longer has the next ledger ends reading with the range and the way out', async () => {
    const node = await aNode({ retention: 100 })
    const reading = readTo([node], 1_000_201, 1_000_400, (ledger) => {
      if (ledger === 1_000_205) node.advance(400)
    })
    await expect(reading).rejects.toMatchObject({ kind: 'invalid', code: 'ledgers_out_of_range' })
    await expect(reading).rejects.toThrow(/ledgers \d+ to 1000600 would be missing.*--lake.*--from-ledger 1000601/)
  })
})

describe('a node with a datastore behind it', () => {
  /** It names 100 ledgers of its own database, and serves all of the recording. */
  const archived = () => aNode({ retention: 100, datastoreFrom: 1_000_000 })
  const sourceOf = (node: FakeRpc) => rpcSource(openRpc({ urls: [node.url] }))

  it('the range of a node with a datastore begins with a requested ledger before the oldest that it names', async () => {
    const node = await archived()
    expect(await sourceOf(node).range()).toMatchObject({ first: 1_000_201, last: 1_000_300 })
    expect(await sourceOf(node).range(1_000_050)).toEqual({ first: 1_000_050, last: 1_000_300, lastCloseTimeSeconds: expect.any(Number) })
    // A ledger inside of its window needs no request.
    expect(await sourceOf(node).range(1_000_250)).toMatchObject({ first: 1_000_201 })
  })

  it('a node with a datastore returns every ledger from there to the tip, and follows it', async () => {
    const node = await archived()
    const read = await readTo([node], 1_000_050, 1_000_303, (ledger) => {
      if (ledger === 1_000_300) node.advance(3)
    })
    expect(read).toEqual(numbers(1_000_050, 1_000_303))
  })

  it('an older ledger comes from the one of several nodes that has it', async () => {
    const nodes = [await aNode({ retention: 100 }), await archived()]
    const source = rpcSource(openRpc({ urls: nodes.map(({ url }) => url) }))
    expect(await source.range(1_000_050)).toMatchObject({ first: 1_000_050, last: 1_000_300 })
    expect(await readTo(nodes, 1_000_050, 1_000_060)).toEqual(numbers(1_000_050, 1_000_060))
  })

  it('a ledger that the datastore lacks as well is refused with the answer of the node', async () => {
    const node = await aNode({ retention: 100, datastoreFrom: 1_000_100 })
    const { first, refusal } = await sourceOf(node).range(1_000_050)
    expect(first).toBe(1_000_201)
    expect(refusal).toMatch(/^127\.0\.0\.1:\d+ answered "start ledger \(1000050\) must be between the oldest ledger/)
  })
})
