// The answers of a Stellar RPC node, method by method, from recorded ledgers. Names, types, codes and texts are those of stellar-rpc.

import { readLedgerHeader } from '@orrery/ledger'
import { forked } from './forked.ts'
import type { AlterLedger, LedgerShelf } from './ledger-shelf.ts'
import type { RecordedState } from './recorded-state.ts'

const LEDGERS_AT_MOST = 200
const LEDGERS_BY_DEFAULT = 50
const KEYS_AT_MOST = 200
const INVALID_REQUEST = -32600
const METHOD_NOT_FOUND = -32601
const INVALID_PARAMS = -32602
const INTERNAL = -32603
/** First word of a LedgerKey of a TTL entry. */
const TTL = 9

/** The present data of the node. */
export interface NodeView {
  readonly shelf: LedgerShelf
  readonly state: RecordedState
  readonly passphrase: string
  readonly oldest: number
  readonly latest: number
  readonly retention: number
  /** Oldest ledger of the datastore, for `getLedgers`; after the newest one when there is no datastore. */
  readonly datastoreFrom: number
  /** Ledgers that it lost. */
  readonly lost: ReadonlySet<number>
  /** From here on it is on another chain. */
  readonly forkedFrom: number
  /** Ledgers that `getLedgers` returns with other bytes. */
  readonly altered: ReadonlyMap<number, AlterLedger>
}

/** The error of a JSON-RPC answer. */
export class RpcError extends Error {
  readonly code: number

  constructor(code: number, message: string) {
    super(message)
    this.code = code
  }
}

type Params = Readonly<Record<string, unknown>>

export async function answerMethod(method: string, params: Params, node: NodeView): Promise<object> {
  switch (method) {
    case 'getHealth':
      return { status: 'healthy', ledgerRetentionWindow: node.retention, ...(await rangeOf(node)) }
    case 'getNetwork':
      return { passphrase: node.passphrase, protocolVersion: readLedgerHeader(await ledgerOf(node, node.latest)).protocolVersion }
    case 'getVersionInfo':
      return { version: '30.0.0', commitHash: '', buildTimestamp: '', captiveCoreVersion: 'recorded', protocolVersion: 30 }
    case 'getLatestLedger':
      return latestLedger(node)
    case 'getLedgers':
      return getLedgers(params, node)
    case 'getLedgerEntries':
      return getLedgerEntries(params, node)
    default:
      throw new RpcError(METHOD_NOT_FOUND, 'method not found')
  }
}

async function ledgerOf({ shelf, forkedFrom }: NodeView, sequence: number): Promise<Uint8Array> {
  const bytes = await shelf.ledger(sequence)
  return sequence >= forkedFrom ? forked(bytes) : bytes
}

async function rangeOf(node: NodeView): Promise<object> {
  const closeTime = async (sequence: number) => readLedgerHeader(await ledgerOf(node, sequence)).closeTimeSeconds
  return {
    latestLedger: node.latest,
    latestLedgerCloseTime: await closeTime(node.latest),
    oldestLedger: node.oldest,
    oldestLedgerCloseTime: await closeTime(node.oldest),
  }
}

async function latestLedger(node: NodeView): Promise<object> {
  const bytes = await ledgerOf(node, node.latest)
  const { hash, sequence, protocolVersion, closeTimeSeconds } = readLedgerHeader(bytes)
  return { id: hash, sequence, protocolVersion, closeTime: String(closeTimeSeconds), metadataXdr: Buffer.from(bytes).toString('base64') }
}

async function getLedgers(params: Params, node: NodeView): Promise<object> {
  const { cursor, limit = LEDGERS_BY_DEFAULT } = (params.pagination ?? {}) as { cursor?: string; limit?: number }
  const startLedger = params.startLedger as number | undefined
  if (startLedger !== undefined && cursor !== undefined)
    throw new RpcError(INVALID_REQUEST, `startLedger (${startLedger}) and cursor (${cursor}) cannot both be set`)
  if (limit > LEDGERS_AT_MOST) throw new RpcError(INVALID_REQUEST, `limit must not exceed ${LEDGERS_AT_MOST}`)
  const start = startLedger ?? Number(cursor) + 1
  if (!(start >= Math.min(node.oldest, node.datastoreFrom) && start <= node.latest)) {
    const range = `must be between the oldest ledger: ${node.oldest} and the latest ledger: ${node.latest} for this rpc instance`
    throw cursor === undefined
      ? new RpcError(INVALID_REQUEST, `start ledger (${start}) ${range}`)
      : new RpcError(INVALID_PARAMS, `cursor ('${cursor}') ${range}`)
  }
  const ledgers = []
  for (let sequence = start; sequence <= node.latest && ledgers.length < limit; sequence++) {
    if (node.lost.has(sequence)) continue
    const bytes = await ledgerOf(node, sequence)
    const { hash, closeTimeSeconds } = readLedgerHeader(bytes)
    const given = node.altered.get(sequence)?.(bytes) ?? bytes
    ledgers.push({ hash, sequence, ledgerCloseTime: String(closeTimeSeconds), metadataXdr: Buffer.from(given).toString('base64') })
  }
  return { ledgers, ...(await rangeOf(node)), cursor: String(ledgers.at(-1)?.sequence ?? start - 1) }
}

async function getLedgerEntries(params: Params, node: NodeView): Promise<object> {
  const keys = params.keys as readonly string[]
  if (keys.length > KEYS_AT_MOST)
    throw new RpcError(INVALID_PARAMS, `key count (${keys.length}) exceeds maximum supported (${KEYS_AT_MOST})`)
  for (const [n, key] of keys.entries()) {
    if (!/^[A-Za-z0-9+/]{8,}=*$/.test(key)) throw new RpcError(INVALID_PARAMS, `cannot unmarshal key value ${key} at index ${n}`)
    if (Buffer.from(key, 'base64').readUInt32BE(0) === TTL)
      throw new RpcError(INVALID_PARAMS, 'ledger ttl entries cannot be queried directly')
  }
  if (new Set(keys).size < keys.length) throw new RpcError(INTERNAL, 'could not query captive core: Duplicate keys')
  const { latest } = node
  const state = await node.state.at(latest)
  const entries = keys.flatMap((key) => {
    const entry = state.get(key)
    const isArchived = entry !== undefined && entry.liveUntilLedger < latest
    if (entry === undefined || (isArchived && entry.durability === 'temporary')) return []
    // LedgerKey: type, address, key, durability. LedgerEntryData: type, ext, address, key, durability, value.
    const bytes = Buffer.from(key, 'base64')
    const data = Buffer.concat([bytes.subarray(0, 4), Buffer.alloc(4), bytes.subarray(4), entry.value])
    return {
      key,
      xdr: data.toString('base64'),
      lastModifiedLedgerSeq: entry.lastModifiedLedger,
      liveUntilLedgerSeq: isArchived ? 0 : entry.liveUntilLedger,
    }
  })
  return { entries, latestLedger: latest }
}
