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
  it('an RPC may return fewer ledgers in one answer than others do', async () => {
    const node = await aNode()
    // The answer of a provider with a limit of 10 to the two largest requests.
    for (let n = 0; n < 3; n++)
      node.misbehave({ kind: 'error', code: -32600, message: 'limit must not exceed 10' }, { method: 'getLedgers' })
    expect(await readTo([node], 1_000_000, 1_000_050)).toEqual(numbers(1_000_000, 1_000_050))
  })
})

describe('a temporary fault of a node', () => {
  it('reading waits for the only RPC that keeps old ledgers when it does not answer right after it refused one', async () => {
    const [short, archive] = [await aNode({ retention: 100 }), await aNode()]
    archive.lose(1_000_005)
    archive.misbehave({ kind: 'status', status: 500 }, { method: 'getHealth' }) // in the survey of all endpoints
    setTimeout(() => archive.find(1_000_005), 500)
    expect(await readTo([short, archive], 1_000_000, 1_000_010)).toEqual(numbers(1_000_000, 1_000_010))
  })
})

describe('a preferred node that has stopped', () => {
  it('a preferred RPC that has stopped hides no ledger that another RPC has, neither at the start nor at the tip', async () => {
    const [still, ahead] = [await aNode({ latest: 1_000_298 }), await aNode()]
    const read = await readTo([still, ahead], 1_000_290, 1_000_304, (ledger) => {
      if (ledger === 1_000_298) ahead.advance(3)
      if (ledger === 1_000_303) ahead.advance()
    })
    expect(read).toEqual(numbers(1_000_290, 1_000_304))
  })
})

describe('a permanent fault of a node', () => {
  it('ledgers that an RPC lacks inside its window end reading with an error that names their range', async () => {
    const node = await aNode()
    for (const ledger of [1_000_005, 1_000_006]) node.lose(ledger)
    await expect(readTo([node], 1_000_000, 1_000_010)).rejects.toMatchObject({
      kind: 'corrupt',
      code: 'ledgers_missing',
      context: { first: 1_000_005, last: 1_000_006 },
    })
  })
})
