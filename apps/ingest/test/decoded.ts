// Contract events and changes of contract data that another decoder made of real ledgers. Compared as base64 of XDR.

import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { type ContractId, contractBytes, type EntryRecord, type EventRecord, type TtlRecord, XdrWriter } from '@orrery/ledger'
import { xdr } from '@stellar/stellar-sdk'

export interface DecodedEvent {
  readonly contractId: ContractId
  readonly txHash: string
  /** The topics, one after the other. */
  readonly topics: string
  readonly data: string
}

/** The net change of an entry by an operation. */
export interface DecodedChange {
  readonly contract: ContractId
  readonly key: string
  readonly before: string | null
  readonly after: string | null
}

interface RawChange {
  readonly txIndex: number
  readonly op: number
  readonly entry: string
  readonly contractId?: ContractId
  /** Base64 of the LedgerEntryChange. */
  readonly xdr: string
}

export function decodedEvents(file: string): readonly DecodedEvent[] {
  const { events } = JSON.parse(readFileSync(file, 'utf8')) as {
    events: readonly { contractId: string; txHash: string; topic: readonly string[]; value: string }[]
  }
  return events.map(({ contractId, txHash, topic, value }) => ({
    contractId,
    txHash,
    topics: base64(Buffer.concat(topic.map((text) => Buffer.from(text, 'base64')))),
    data: value,
  }))
}

export function eventAsDecoded(record: EventRecord, txHash: string): DecodedEvent {
  return { contractId: record.contract ?? '', txHash, topics: base64(record.topics.subarray(4)), data: base64(record.data) }
}

export function decodedChanges(file: string): readonly DecodedChange[] {
  const changes = new Map<string, DecodedChange>()
  for (const { txIndex, op, entry, contractId, xdr: encoded } of rawChanges(file)) {
    if (entry !== 'contractData' || contractId === undefined) continue
    const { type, key, value } = contractDataOf(encoded)
    const name = `${txIndex} ${op} ${contractId} ${key}`
    const known = changes.get(name) ?? { contract: contractId, key, before: null, after: null }
    changes.set(name, type === 'ledgerEntryState' ? { ...known, before: known.before ?? value } : { ...known, after: value })
  }
  return [...changes.values()]
}

export function entryAsDecoded({ contract, key, before, value }: EntryRecord): DecodedChange {
  return { contract, key: base64(key), before: before && base64(before), after: value && base64(value) }
}

/** Hex of an entry's hash -> the live-until ledger that the ledger set. */
export function decodedLiveUntil(file: string): ReadonlyMap<string, number> {
  const lives = new Map<string, number>()
  for (const { entry, xdr: encoded } of rawChanges(file)) {
    const change = xdr.LedgerEntryChange.fromXdr(Buffer.from(encoded, 'base64'))
    if (entry !== 'ttl' || change.type === 'ledgerEntryState' || change.type === 'ledgerEntryRemoved') continue
    const { data } = change.value as xdr.LedgerEntry
    if (data.type !== 'ttl') continue
    const hash = Buffer.from(data.ttl.keyHash.value).toString('hex')
    lives.set(hash, Math.max(data.ttl.liveUntilLedgerSeq, lives.get(hash) ?? 0))
  }
  return lives
}

/** Hex of the hash by which a TTL entry names its entry: that of the LedgerKey. */
export function entryHash({ contract, key, durability }: TtlRecord): string {
  const writer = new XdrWriter().u32(6).u32(1).raw(contractBytes(contract)).raw(key)
  return createHash('sha256')
    .update(writer.u32(durability === 'persistent' ? 1 : 0).done())
    .digest('hex')
}

function contractDataOf(encoded: string): { readonly type: string; readonly key: string; readonly value: string | null } {
  const change = xdr.LedgerEntryChange.fromXdr(Buffer.from(encoded, 'base64'))
  if (change.type === 'ledgerEntryRemoved') {
    const key = change.value as xdr.LedgerKey
    if (key.type !== 'contractData') throw new Error('not contract data')
    return { type: change.type, key: base64(key.contractData.key.toXdr()), value: null }
  }
  const { data } = change.value as xdr.LedgerEntry
  if (data.type !== 'contractData') throw new Error('not contract data')
  return { type: change.type, key: base64(data.contractData.key.toXdr()), value: base64(data.contractData.val.toXdr()) }
}

function rawChanges(file: string): readonly RawChange[] {
  return JSON.parse(readFileSync(file, 'utf8')).changes
}

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64')
}
