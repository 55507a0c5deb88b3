// The body of a slice: a table of texts, the transactions, the records. Canonical: equal slices give equal bytes,
// because the rolling hash is computed over them. XDR stays XDR; addresses and function names are in the table once.

import type { CallRecord, EntryRecord, EventRecord, EvictionRecord, LedgerRecord, TransactionFacts, TtlRecord } from '@orrery/ledger'
import type { RecordClass, SliceRecord } from '@orrery/protocol-kit'
import { ByteReader } from './byte-reader.ts'
import { ByteWriter } from './byte-writer.ts'

const CLASSES = ['owned', 'shared', 'context'] as const satisfies readonly RecordClass[]
const KINDS = ['event', 'entry', 'ttl', 'evicted', 'call'] as const satisfies readonly LedgerRecord['kind'][]
const EVENT_TYPES = ['contract', 'system'] as const satisfies readonly EventRecord['type'][]
const CHANGES = ['created', 'updated', 'removed', 'restored', 'bootstrap'] as const satisfies readonly EntryRecord['change'][]
const DURABILITIES = ['temporary', 'persistent'] as const satisfies readonly EntryRecord['durability'][]

const HAS_FEE_SOURCE = 1
const HAS_INNER_HASH = 2
/** Slices of older builds have neither the fee nor the memo. */
const HAS_FEE_CHARGED = 4
const HAS_MEMO = 8
const TRANSACTION_FLAGS = HAS_FEE_SOURCE | HAS_INNER_HASH | HAS_FEE_CHARGED | HAS_MEMO
const HAS_VALUE = 1
const HAS_BEFORE = 2
const HAS_LIVE_UNTIL = 4

/** Enough for nearly every slice. */
const SCRATCH_BYTES = 256 * 1024
/** The buffer for everything after the texts. Shared by all slices: a new one for each would be most of the memory of ingest. */
const scratch = new ByteWriter(SCRATCH_BYTES)

export interface SliceBody {
  readonly transactions: readonly TransactionFacts[]
  readonly records: readonly SliceRecord[]
}

export function writeSliceBody({ transactions, records }: SliceBody): Uint8Array {
  const texts = new TextTable()
  const rest = scratch
  rest.clear(SCRATCH_BYTES)
  rest.varint(transactions.length)
  for (const transaction of transactions) writeTransaction(rest, texts, transaction)
  rest.varint(records.length)
  for (const { class: recordClass, record } of records) {
    rest.u8(CLASSES.indexOf(recordClass))
    writeRecord(rest, texts, record)
  }
  const out = new ByteWriter(texts.bytes + rest.length + 16)
  texts.write(out)
  out.raw(rest.finish())
  return out.finish()
}

/** @throws OrreryError `corrupt`/`slice_broken`. */
export function readSliceBody(bytes: Uint8Array): SliceBody {
  const reader = new ByteReader(bytes, 'slice_broken', 'slice')
  const texts = Array.from({ length: reader.count(1) }, () => reader.text())
  const text = (): string => {
    const n = reader.varint()
    const found = texts[n]
    if (found === undefined) throw reader.broken(`text ${n} of a table of ${texts.length}`)
    return found
  }
  const transactions = Array.from({ length: reader.count(35) }, () => readTransaction(reader, text))
  const records = Array.from({ length: reader.count(6) }, () => {
    const recordClass = reader.choice(CLASSES, 'record class')
    const record = readRecord(reader, text)
    if (record.tx >= transactions.length) throw reader.broken(`transaction ${record.tx} of ${transactions.length}`)
    return { class: recordClass, record }
  })
  reader.end()
  return { transactions, records }
}

/** Texts in the order of their first use. */
class TextTable {
  readonly #numbers = new Map<string, number>()
  bytes = 0

  number(text: string): number {
    const known = this.#numbers.get(text)
    if (known !== undefined) return known
    const next = this.#numbers.size
    this.#numbers.set(text, next)
    this.bytes += text.length + 2
    return next
  }

  write(out: ByteWriter): void {
    out.varint(this.#numbers.size)
    for (const text of this.#numbers.keys()) out.text(text)
  }
}

function writeTransaction(out: ByteWriter, texts: TextTable, transaction: TransactionFacts): void {
  out.hex(transaction.hash, 32)
  out.varint(transaction.txOrder)
  const { feeSource, innerHash, feeCharged, memo } = transaction
  out.u8(
    (feeSource === null ? 0 : HAS_FEE_SOURCE) |
      (innerHash === null ? 0 : HAS_INNER_HASH) |
      (feeCharged === null ? 0 : HAS_FEE_CHARGED) |
      (memo === null ? 0 : HAS_MEMO),
  )
  out.varint(texts.number(transaction.source))
  if (feeSource !== null) out.varint(texts.number(feeSource))
  if (innerHash !== null) out.hex(innerHash, 32)
  if (feeCharged !== null) out.u64(feeCharged)
  if (memo !== null) out.bytes(memo)
}

function readTransaction(reader: ByteReader, text: () => string): TransactionFacts {
  const hash = reader.hex(32)
  const txOrder = reader.varint()
  const has = reader.u8()
  if (has > TRANSACTION_FLAGS) throw reader.broken(`unknown transaction flags ${has}`)
  return {
    hash,
    txOrder,
    source: text(),
    feeSource: has & HAS_FEE_SOURCE ? text() : null,
    innerHash: has & HAS_INNER_HASH ? reader.hex(32) : null,
    feeCharged: has & HAS_FEE_CHARGED ? reader.u64() : null,
    memo: has & HAS_MEMO ? reader.bytes() : null,
  }
}

/** Kind, then `tx` + 1 (0: no transaction), operation, and the fields of the kind. */
function writeRecord(out: ByteWriter, texts: TextTable, record: LedgerRecord): void {
  out.u8(KINDS.indexOf(record.kind))
  out.varint(record.tx + 1)
  out.varint(record.opIndex)
  switch (record.kind) {
    case 'event':
      out.varint(record.index)
      out.u8(EVENT_TYPES.indexOf(record.type))
      writeOptionalText(out, texts, record.contract)
      out.bytes(record.topics)
      out.bytes(record.data)
      return
    case 'entry':
      writeEntry(out, texts, record)
      return
    case 'ttl':
    case 'evicted':
      out.varint(texts.number(record.contract))
      out.bytes(record.key)
      out.u8(DURABILITIES.indexOf(record.durability))
      if (record.kind === 'ttl') out.u32(record.liveUntil)
      return
    case 'call':
      out.varint(record.index)
      out.varint(record.parent + 1)
      writeOptionalText(out, texts, record.authorizer)
      out.varint(texts.number(record.contract))
      out.varint(texts.number(record.function))
      out.bytes(record.args)
  }
}

function writeEntry(out: ByteWriter, texts: TextTable, record: EntryRecord): void {
  out.varint(record.index)
  out.u8(CHANGES.indexOf(record.change))
  out.varint(texts.number(record.contract))
  out.bytes(record.key)
  out.u8(DURABILITIES.indexOf(record.durability))
  out.u8((record.value ? HAS_VALUE : 0) | (record.before ? HAS_BEFORE : 0) | (record.liveUntil === null ? 0 : HAS_LIVE_UNTIL))
  if (record.value) out.bytes(record.value)
  if (record.before) out.bytes(record.before)
  if (record.liveUntil !== null) out.u32(record.liveUntil)
}

function readRecord(reader: ByteReader, text: () => string): LedgerRecord {
  const kind = reader.choice(KINDS, 'record kind')
  const place = { tx: reader.varint() - 1, opIndex: reader.varint() }
  switch (kind) {
    case 'event':
      return readEvent(reader, text, place)
    case 'entry':
      return readEntry(reader, text, place)
    case 'ttl':
      return { kind, ...place, ...readKey(reader, text), liveUntil: reader.u32() } satisfies TtlRecord
    case 'evicted':
      return { kind, ...place, ...readKey(reader, text) } satisfies EvictionRecord
    case 'call':
      return readCall(reader, text, place)
  }
}

type Place = Pick<LedgerRecord, 'tx' | 'opIndex'>

function readEvent(reader: ByteReader, text: () => string, place: Place): EventRecord {
  const index = reader.varint()
  const type = reader.choice(EVENT_TYPES, 'event type')
  return { kind: 'event', ...place, index, contract: optionalText(reader, text), type, topics: reader.bytes(), data: reader.bytes() }
}

function readEntry(reader: ByteReader, text: () => string, place: Place): EntryRecord {
  const index = reader.varint()
  const change = reader.choice(CHANGES, 'change')
  const key = readKey(reader, text)
  const has = reader.u8()
  if (has > (HAS_VALUE | HAS_BEFORE | HAS_LIVE_UNTIL)) throw reader.broken(`unknown entry flags ${has}`)
  return {
    kind: 'entry',
    ...place,
    index,
    change,
    ...key,
    value: has & HAS_VALUE ? reader.bytes() : null,
    before: has & HAS_BEFORE ? reader.bytes() : null,
    liveUntil: has & HAS_LIVE_UNTIL ? reader.u32() : null,
  }
}

function readCall(reader: ByteReader, text: () => string, place: Place): CallRecord {
  const index = reader.varint()
  const parent = reader.varint() - 1
  const authorizer = optionalText(reader, text)
  return { kind: 'call', ...place, index, parent, authorizer, contract: text(), function: text(), args: reader.bytes() }
}

function readKey(reader: ByteReader, text: () => string): Pick<TtlRecord, 'contract' | 'key' | 'durability'> {
  return { contract: text(), key: reader.bytes(), durability: reader.choice(DURABILITIES, 'durability') }
}

/** 0 for null, else 1 and the number of the text. */
function writeOptionalText(out: ByteWriter, texts: TextTable, text: string | null): void {
  out.u8(text === null ? 0 : 1)
  if (text !== null) out.varint(texts.number(text))
}

function optionalText(reader: ByteReader, text: () => string): string | null {
  return reader.choice([false, true], 'presence') ? text() : null
}
