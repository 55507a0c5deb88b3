// Two mainnet ledgers whose Soroban events and contract-data changes were decoded by another program.
// They are in a folder beside the repository; without it the tests are skipped.

import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import {
  address,
  type EntryRecord,
  type EventRecord,
  event,
  extractLedger,
  i128,
  type LedgerExtract,
  readEvent,
  readScVals,
  string,
  struct,
  symbol,
  TrackedSet,
  topicText,
  writeScVal,
} from '../src/index.ts'
import { ledgersIn, PUBNET, sharedLedgers } from './ledgers.ts'

interface KnownEvents {
  readonly events: readonly {
    readonly id: string
    readonly contractId?: string
    readonly topic: readonly string[]
    readonly value: string
    readonly txHash: string
  }[]
}
interface KnownChanges {
  readonly changes: readonly {
    readonly txIndex: number
    readonly op: number
    readonly index: number
    readonly change: string
    readonly entry: string
    readonly contractId?: string
    readonly xdr: string
  }[]
}

describe.skipIf(sharedLedgers === null)('mainnet ledgers that another program has decoded', () => {
  it.each([63_092_990, 63_092_996])('mainnet ledger %i has the events and changes of the other program', async (sequence) => {
    const { events, changes } = await written(sequence)
    const extract = await read(sequence)
    const found = extract.records.filter((record): record is EventRecord => record.kind === 'event')
    // The other program has the events of Soroban transactions: those with calls.
    const soroban = new Set(extract.records.flatMap((record) => (record.kind === 'call' ? [record.tx] : [])))
    expect(found.filter(({ tx }) => soroban.has(tx)).map((record) => eventText(record, extract))).toEqual(
      events.map(({ id, contractId, topic, value, txHash }) => [id, contractId, topic.join(' '), value, txHash].join(' | ')),
    )

    const entries = extract.records.filter((record): record is EntryRecord => record.kind === 'entry')
    // Without a contract: the nonce of an account.
    const newEntries = changes.filter(
      ({ change, entry, contractId }) => entry === 'contractData' && contractId !== undefined && change !== 'ledgerEntryState',
    )
    expect(entries.map((record) => entryText(record, extract))).toEqual(
      newEntries.map(({ txIndex, op, index, contractId }) => [txIndex, op, index, contractId].join(' ')),
    )
    for (const [n, { change, xdr }] of newEntries.entries()) {
      const { key, value, before, durability, change: kind } = entries[n] as EntryRecord
      expect(change).toBe(kind === 'created' ? 'ledgerEntryCreated' : 'ledgerEntryUpdated')
      // Change, lastModified, type, ext, address, key, durability, value, ext.
      expect(base64(key, Uint8Array.of(0, 0, 0, durability === 'persistent' ? 1 : 0), value as Uint8Array, new Uint8Array(4))).toBe(
        Buffer.from(xdr, 'base64').subarray(52).toString('base64'),
      )
      const state = changes.find((other) => other.txIndex === newEntries[n]?.txIndex && other.index === (newEntries[n]?.index ?? 0) - 1)
      if (before !== null) expect(Buffer.from(state?.xdr ?? '', 'base64').includes(Buffer.from(before))).toBe(true)
    }
  })

  it('a mainnet ledger has a swap of a Soroswap pair, and the router call around it', async () => {
    const extract = await read(63_092_990)
    const swaps = extract.records.filter(
      (record): record is EventRecord => record.kind === 'event' && topicText(record, 1)?.text === 'swap',
    )
    const shape = event(
      [string, symbol],
      struct({ to: address, amount_0_in: i128, amount_0_out: i128, amount_1_in: i128, amount_1_out: i128 }),
    )
    const pairs = swaps.filter((record) => topicText(record, 0)?.type === 'string')
    expect(pairs).toHaveLength(1)
    const { topics, data } = readEvent(shape, pairs[0] as EventRecord, { contract: (pairs[0] as EventRecord).contract, what: 'event swap' })
    expect(topics).toEqual(['SoroswapPair', 'swap'])
    expect([data.amount_0_in > 0n, data.amount_1_in > 0n].filter(Boolean)).toHaveLength(1)
  })
})

async function read(sequence: number): Promise<LedgerExtract> {
  const [ledger] = await ledgersIn(join(sharedLedgers ?? '', 'mainnet', `ledger-${sequence}.xdr.gz`))
  return extractLedger(ledger as Uint8Array, TrackedSet.everything(PUBNET))
}

async function written(sequence: number): Promise<KnownEvents & KnownChanges> {
  const json = async (name: string) =>
    JSON.parse(await readFile(join(sharedLedgers ?? '', 'events', `ledger-${sequence}.${name}.json`), 'utf8'))
  return { ...(await json('soroban-events')), ...(await json('contractdata-changes')) }
}

/** With the id that RPC gives the event. */
function eventText(record: EventRecord, { header, transactions }: LedgerExtract): string {
  const { txOrder, hash } = transactions[record.tx] as { txOrder: number; hash: string }
  const place = (BigInt(header.sequence) << 32n) | (BigInt(txOrder) << 12n) | BigInt(record.opIndex)
  const id = `${String(place).padStart(19, '0')}-${String(record.index).padStart(10, '0')}`
  const topics = readScVals(record.topics).map((topic) => base64(writeScVal(topic)))
  return [id, record.contract, topics.join(' '), base64(record.data), hash].join(' | ')
}

function entryText(record: EntryRecord, { transactions }: LedgerExtract): string {
  return [transactions[record.tx]?.txOrder, record.opIndex, record.index, record.contract].join(' ')
}

function base64(...parts: Uint8Array[]): string {
  return Buffer.concat(parts).toString('base64')
}
