import { contractBytes, readLedgerHeader, sc, writeScVal, XdrWriter } from '@orrery/ledger'
import { afterEach, describe, expect, it } from 'vitest'
import { ledgerBuilder } from '../ledger-builder.ts'
import type { ChangeSpec } from '../ledger-spec.ts'
import { testContract } from '../test-names.ts'
import { type FakeRpc, startFakeRpc } from './fake-rpc.ts'

const contract = testContract('pool')
let node: FakeRpc
afterEach(() => node[Symbol.asyncDispose]())

/** A node with one ledger for each list of changes. */
async function nodeOf(...ledgers: readonly ChangeSpec[][]): Promise<{ readonly first: number }> {
  const { ledger, passphrase } = ledgerBuilder({ protocolVersion: 27 })
  const bytes = ledgers.map((changes) => ledger({ transactions: [{ operations: [{ call: { contract, function: 'touch' }, changes }] }] }))
  node = await startFakeRpc({ ledgers: bytes, passphrase })
  return { first: readLedgerHeader(bytes[0] ?? new Uint8Array()).sequence }
}

async function request(
  method: string,
  params: object = {},
): Promise<{ result?: Record<string, never>; error?: { code: number; message: string } }> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 7, method, params })
  const response = await fetch(node.url, { method: 'POST', body, headers: { connection: 'close' } })
  return (await response.json()) as Awaited<ReturnType<typeof request>>
}

const keyOf = (name: string, durability: 0 | 1): string =>
  Buffer.from(
    new XdrWriter()
      .u32(6)
      .u32(1)
      .raw(contractBytes(contract))
      .raw(writeScVal(sc.symbol(name)))
      .u32(durability)
      .done(),
  ).toString('base64')

describe('entries', () => {
  it('entries have their values at the end of the newest served ledger', async () => {
    const value = (amount: bigint, change: 'created' | 'updated') =>
      ({
        contract,
        key: sc.symbol('reserve'),
        change,
        value: sc.i128(amount),
        ...(change === 'updated' && { before: sc.i128(1n) }),
        liveUntil: 9_000_000,
      }) as ChangeSpec
    const { first } = await nodeOf([value(1n, 'created')], [], [value(5n, 'updated')])
    const { result } = await request('getLedgerEntries', { keys: [keyOf('reserve', 1)] })
    expect(result).toMatchObject({
      latestLedger: first + 2,
      entries: [{ lastModifiedLedgerSeq: first + 2, liveUntilLedgerSeq: 9_000_000 }],
    })
    const [{ xdr }] = (result as unknown as { entries: [{ xdr: string }] }).entries
    expect(Buffer.from(xdr, 'base64').subarray(-20)).toEqual(Buffer.from(writeScVal(sc.i128(5n)))) // an i128 has 4 + 16 bytes
  })

  it('expired entries are archived, or deleted when they are temporary', async () => {
    const change = (name: string, durability: 'temporary' | 'persistent') =>
      ({ contract, key: sc.symbol(name), durability, change: 'created', value: sc.u32(1), liveUntil: 2 }) as ChangeSpec
    await nodeOf([change('kept', 'persistent'), change('short', 'temporary')], [])
    const { result } = await request('getLedgerEntries', { keys: [keyOf('short', 0), keyOf('kept', 1), keyOf('never', 1)] })
    expect(result).toMatchObject({ entries: [{ key: keyOf('kept', 1), liveUntilLedgerSeq: 0 }] })
  })

  it('repeated keys, keys of TTLs and too many keys are refused as by core', async () => {
    await nodeOf([])
    const refusal = async (keys: string[]) => (await request('getLedgerEntries', { keys })).error
    const ttl = Buffer.from(new XdrWriter().u32(9).raw(new Uint8Array(32)).done()).toString('base64')
    expect(await refusal([keyOf('a', 1), keyOf('a', 1)])).toMatchObject({
      code: -32603,
      message: expect.stringContaining('Duplicate keys'),
    })
    expect(await refusal([ttl])).toMatchObject({ code: -32602 })
    expect(await refusal(Array.from({ length: 201 }, (_, n) => keyOf(`k${n}`, 1)))).toMatchObject({ code: -32602 })
  })
})

describe('ledgers', () => {
  it('ledgers are read by number or after a cursor, and a ledger beyond the tip is an error', async () => {
    const { first } = await nodeOf([], [], [])
    const page = await request('getLedgers', { pagination: { cursor: String(first), limit: 1 } })
    expect(page.result).toMatchObject({ cursor: String(first + 1), ledgers: [{ sequence: first + 1 }] })
    expect((await request('getLedgers', { startLedger: first + 3 })).error).toMatchObject({
      code: -32600,
      message: expect.stringMatching(/must be between/),
    })
    expect((await request('getLedgers', { pagination: { cursor: String(first + 2) } })).error).toMatchObject({ code: -32602 })
    expect((await request('getLedgers', { startLedger: first, pagination: { limit: 201 } })).error).toMatchObject({ code: -32600 })
  })

  it('ledgers close at a given interval', async () => {
    const { ledger, passphrase } = ledgerBuilder({ protocolVersion: 27 })
    const bytes = Array.from({ length: 5 }, () => ledger({ transactions: [] }))
    const begin = readLedgerHeader(bytes[0] ?? new Uint8Array()).sequence
    node = await startFakeRpc({ ledgers: bytes, passphrase, latest: begin, retention: 2 })
    node.closeEvery(5)
    while (node.latest < begin + 4) await new Promise((resolve) => setTimeout(resolve, 5))
    expect(node.oldest).toBe(begin + 3)
    expect([...node.servedAtMs.keys()]).toEqual([begin + 1, begin + 2, begin + 3, begin + 4])
  })
})
