// The same extract with the SDK: everything is decoded into objects, compared as text, and written again.
// Slow and simple on purpose: it is the reference for `extractLedger`, and shares only the types of records with it.

import { Address, hash, StrKey, TransactionBuilder, xdr } from '@stellar/stellar-sdk'
import type {
  CallRecord,
  EntryRecord,
  EventRecord,
  EvictionRecord,
  LedgerExtract,
  LedgerRecord,
  TransactionFacts,
  TtlRecord,
} from '../src/index.ts'

export interface Filter {
  contract(id: string): boolean
  /** Called for entries of any contract, except nonces. */
  entry(contract: string, key: Uint8Array): boolean
}

export const everything: Filter = { contract: () => true, entry: () => true }

type Meta = xdr.LedgerCloseMetaV1 | xdr.LedgerCloseMetaV2
type Inner = { tx: xdr.Transaction | xdr.TransactionV0; fee: xdr.MuxedAccount | null }

const plain = (value: { toXdr(): Uint8Array }): Uint8Array => Uint8Array.from(value.toXdr())
const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')
const list = (values: readonly { toXdr(): Uint8Array }[]): Uint8Array => {
  const count = Buffer.alloc(4)
  count.writeUInt32BE(values.length)
  return Uint8Array.from(Buffer.concat([count, ...values.map((value) => value.toXdr())]))
}

export function sdkExtract(bytes: Uint8Array, passphrase: string, filter: Filter): LedgerExtract {
  const meta = xdr.LedgerCloseMeta.fromXdr(bytes).value as Meta
  const { hash: ledgerHash, header } = meta.ledgerHeader
  const envelopes = envelopesByHash(meta, passphrase)
  const transactions: TransactionFacts[] = []
  const records: LedgerRecord[] = []
  for (const [n, item] of meta.txProcessing.entries()) {
    const { type } = item.result.result.result
    if (type !== 'txSuccess' && type !== 'txFeeBumpInnerSuccess') continue
    const txHash = hex(item.result.transactionHash.value)
    const inner = envelopes.get(txHash)
    const found = operationsOf(item.txApplyProcessing).flatMap(({ changes, events }, opIndex) =>
      takeOperation(changes, events, inner?.tx, filter, transactions.length, opIndex),
    )
    if (found.length === 0) continue
    if (inner === undefined) throw new Error(`no envelope for ${txHash}`)
    records.push(...found)
    const { feeCharged, result } = item.result.result
    const memo = inner.tx.memo.type === 'memoNone' ? null : plain(inner.tx.memo)
    transactions.push({
      hash: txHash,
      txOrder: n + 1,
      ...sources(inner),
      innerHash: innerHash(result),
      feeCharged: BigInt(feeCharged),
      memo,
    })
  }
  records.push(...evictions(meta, filter))
  return {
    header: {
      sequence: header.ledgerSeq,
      closeTimeSeconds: Number(header.scpValue.closeTime),
      hash: hex(ledgerHash.value),
      previousHash: hex(header.previousLedgerHash.value),
      protocolVersion: header.ledgerVersion,
    },
    transactions,
    records,
  }
}

function envelopesByHash(meta: Meta, passphrase: string): Map<string, Inner> {
  const envelopes = meta.txSet.value.phases.flatMap((phase): xdr.TransactionEnvelope[] =>
    phase.type === 'v0Components'
      ? phase.v0Components.flatMap((component) => component.txsMaybeDiscountedFee.txs)
      : phase.parallelTxsComponent.executionStages.flat(2),
  )
  return new Map(
    envelopes.map((envelope): [string, Inner] => {
      const txHash = hex(TransactionBuilder.fromXDR(envelope, passphrase).hash())
      if (envelope.type === 'envelopeTypeTxFeeBump')
        return [txHash, { tx: envelope.feeBump.tx.innerTx.v1.tx, fee: envelope.feeBump.tx.feeSource }]
      return [txHash, { tx: envelope.value.tx, fee: null }]
    }),
  )
}

function sources({ tx, fee }: Inner): { source: string; feeSource: string | null } {
  const source =
    'sourceAccountEd25519' in tx ? StrKey.encodeEd25519PublicKey(Buffer.from(tx.sourceAccountEd25519.value)) : account(tx.sourceAccount)
  return { source, feeSource: fee === null ? null : account(fee) }
}

function account(muxed: xdr.MuxedAccount): string {
  const key = muxed.type === 'keyTypeEd25519' ? muxed.ed25519.value : muxed.med25519.ed25519.value
  return StrKey.encodeEd25519PublicKey(Buffer.from(key))
}

function innerHash(result: xdr.TransactionResultResult): string | null {
  return result.type === 'txFeeBumpInnerSuccess' ? hex(result.innerResultPair.transactionHash.value) : null
}

interface Operation {
  readonly changes: readonly xdr.LedgerEntryChange[]
  readonly events: readonly xdr.ContractEvent[]
}

function operationsOf(meta: xdr.TransactionMeta): Operation[] {
  if (meta.type === 'v3') {
    const events = meta.v3.sorobanMeta?.events ?? []
    return meta.v3.operations.map(({ changes }, n) => ({ changes, events: n === 0 ? events : [] }))
  }
  return meta.type === 'v4' ? meta.v4.operations.map(({ changes, events }) => ({ changes, events })) : []
}

function takeOperation(
  changes: Operation['changes'],
  events: Operation['events'],
  transaction: Inner['tx'] | undefined,
  filter: Filter,
  tx: number,
  opIndex: number,
): LedgerRecord[] {
  const entries = netChanges(changes, filter, tx, opIndex)
  const touchedByChange = changes.some((change) => dataOf(change, filter) !== null)
  const touched = touchedByChange || events.some((event) => event.contractId !== null && filter.contract(contract(event.contractId.value)))
  const ttls = resolveTtls(changes, entries, transaction, filter, tx, opIndex)
  if (!touched) return ttls
  const operation = transaction?.operations[opIndex]
  return [
    ...entries,
    ...ttls,
    ...events.map((event, index) => eventRecord(event, tx, opIndex, index)),
    ...(operation ? calls(operation, tx, opIndex) : []),
  ]
}

interface Data {
  readonly ledgerKey: string
  readonly identity: Pick<EntryRecord, 'contract' | 'key' | 'durability'>
  readonly value: Uint8Array | null
}

function keyData(key: xdr.LedgerKey, filter: Filter): Omit<Data, 'value'> | null {
  if (key.type !== 'contractData') return null
  const { contract: address, key: scKey, durability } = key.contractData
  if (address.type !== 'scAddressTypeContract' || scKey.type === 'scvLedgerKeyNonce') return null
  const id = contract(address.contractId.value)
  const bytes = plain(scKey)
  if (!filter.entry(id, bytes)) return null
  return { ledgerKey: hex(key.toXdr()), identity: { contract: id, key: bytes, durability: durability.name as 'temporary' | 'persistent' } }
}

/** Contract data of the change, if the filter accepts it. */
function dataOf(change: xdr.LedgerEntryChange, filter: Filter): Data | null {
  if (change.type === 'ledgerEntryRemoved') {
    const data = keyData(change.removed, filter)
    return data && { ...data, value: null }
  }
  const { data: entry } = change.value as xdr.LedgerEntry
  if (entry.type !== 'contractData') return null
  const { contract: address, key, durability, val } = entry.contractData
  const data = keyData(xdr.LedgerKey.contractData(new xdr.LedgerKeyContractData({ contract: address, key, durability })), filter)
  return data && { ...data, value: plain(val) }
}

function netChanges(changes: Operation['changes'], filter: Filter, tx: number, opIndex: number): EntryRecord[] {
  const byKey = Map.groupBy(
    changes.flatMap((change, index) => {
      const data = dataOf(change, filter)
      return data === null ? [] : [{ ...data, type: change.type, index }]
    }),
    (data) => data.ledgerKey,
  )
  const records = [...byKey.values()].flatMap((steps): EntryRecord[] => {
    const last = steps.findLast((step) => step.type !== 'ledgerEntryState')
    const first = steps[0]?.type
    const before = first === 'ledgerEntryState' || first === 'ledgerEntryRestored' ? (steps[0]?.value ?? null) : null
    if (last === undefined || (last.value === null && first === 'ledgerEntryCreated')) return []
    const change =
      last.value === null
        ? 'removed'
        : first === 'ledgerEntryRestored'
          ? 'restored'
          : first === 'ledgerEntryCreated'
            ? 'created'
            : 'updated'
    return [{ kind: 'entry', tx, opIndex, index: last.index, change, ...last.identity, value: last.value, before, liveUntil: null }]
  })
  return records.sort((a, b) => a.index - b.index)
}

/** Sets `liveUntil` of changed entries and returns the other TTL changes. */
function resolveTtls(
  changes: Operation['changes'],
  entries: EntryRecord[],
  transaction: Inner['tx'] | undefined,
  filter: Filter,
  tx: number,
  opIndex: number,
): TtlRecord[] {
  const ttls = new Map<string, { until: number | null; before: number | null }>()
  for (const change of changes) {
    if (change.type === 'ledgerEntryRemoved') {
      if (change.removed.type === 'ttl') ttls.set(hex(change.removed.ttl.keyHash.value), { until: null, before: null })
      continue
    }
    const { data } = change.value as xdr.LedgerEntry
    if (data.type !== 'ttl') continue
    const key = hex(data.ttl.keyHash.value)
    const until = data.ttl.liveUntilLedgerSeq
    ttls.set(key, { until, before: ttls.get(key)?.before ?? (change.type === 'ledgerEntryState' ? until : null) })
  }
  const footprint = transaction?.ext.type === 'sorobanData' ? transaction.ext.sorobanData.resources.footprint : null
  const keys = footprint === null ? [] : [...footprint.readOnly, ...footprint.readWrite]
  return keys.flatMap((key): TtlRecord[] => {
    const data = keyData(key, filter)
    const ttl = ttls.get(hex(hash(Buffer.from(key.toXdr()))))
    if (data === null || ttl === undefined || ttl.until === null) return []
    const { contract: id, key: bytes, durability } = data.identity
    const changed = entries.findIndex((entry) => entry.contract === id && hex(entry.key) === hex(bytes) && entry.durability === durability)
    const entry = entries[changed]
    if (entry !== undefined) {
      if (entry.value !== null) entries[changed] = { ...entry, liveUntil: ttl.until }
      return []
    }
    return ttl.until === ttl.before ? [] : [{ kind: 'ttl', tx, opIndex, ...data.identity, liveUntil: ttl.until }]
  })
}

function eventRecord(event: xdr.ContractEvent, tx: number, opIndex: number, index: number): EventRecord {
  const { topics, data } = event.body.v0
  const id = event.contractId === null ? null : contract(event.contractId.value)
  return {
    kind: 'event',
    tx,
    opIndex,
    index,
    contract: id,
    type: event.type.name as 'contract' | 'system',
    topics: list(topics),
    data: plain(data),
  }
}

function calls(operation: xdr.Operation, tx: number, opIndex: number): CallRecord[] {
  if (operation.body.type !== 'invokeHostFunction') return []
  const { hostFunction, auth } = operation.body.invokeHostFunctionOp
  const found: CallRecord[] = []
  const add = (args: xdr.InvokeContractArgs, parent: number, authorizer: string | null): number => {
    // The load test pads its authorisations with an account, which cannot have been called.
    if (args.contractAddress.type !== 'scAddressTypeContract') return parent
    const called = contract(args.contractAddress.contractId.value)
    found.push({
      kind: 'call',
      tx,
      opIndex,
      index: found.length,
      parent,
      authorizer,
      contract: called,
      function: args.functionName.toString(),
      args: list(args.args),
    })
    return found.length - 1
  }
  const walk = (node: xdr.SorobanAuthorizedInvocation, parent: number, authorizer: string | null): void => {
    const own =
      node.function.type === 'sorobanAuthorizedFunctionTypeContractFn' ? add(node.function.contractFn, parent, authorizer) : parent
    for (const child of node.subInvocations) walk(child, own, authorizer)
  }
  if (hostFunction.type === 'hostFunctionTypeInvokeContract') add(hostFunction.invokeContract, -1, null)
  for (const { credentials, rootInvocation } of auth) walk(rootInvocation, -1, authorizer(credentials))
  return found
}

function authorizer(credentials: xdr.SorobanCredentials): string | null {
  if (credentials.type === 'sorobanCredentialsSourceAccount') return null
  const { value } = credentials
  const address = 'addressCredentials' in value ? value.addressCredentials.address : value.address
  return Address.fromScAddress(address).toString()
}

function evictions(meta: Meta, filter: Filter): EvictionRecord[] {
  return meta.evictedKeys.flatMap((key): EvictionRecord[] => {
    const data = keyData(key, filter)
    return data === null ? [] : [{ kind: 'evicted', tx: -1, opIndex: 0, ...data.identity }]
  })
}

function contract(id: Uint8Array): string {
  return StrKey.encodeContract(Buffer.from(id))
}
