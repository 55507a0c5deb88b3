// Token transfers of the recorded ledgers, decoded with the SDK: nothing of the project reads a byte of them.

import { groundTruthRecording, readBatchFile } from '@orrery/testkit'
import { StrKey, scValToNative, xdr } from '@stellar/stellar-sdk'

/** One `transfer`, `mint`, `burn` or `clawback` event of a token. */
export interface RecordedTransfer {
  readonly token: string
  /** Null for a mint. */
  readonly from: string | null
  /** Null for a burn and a clawback. */
  readonly to: string | null
  /** In the token's smallest unit. */
  readonly amount: bigint
}

export interface RecordedTransaction {
  readonly ledger: number
  /** In order. */
  readonly transfers: readonly RecordedTransfer[]
  /** What each pair of Soroswap held above its reserves before the transaction: by `pair token`, where that is not zero. */
  readonly surplus: ReadonlyMap<string, bigint>
}

type Meta = xdr.LedgerCloseMetaV1 | xdr.LedgerCloseMetaV2

/** Every successful transaction of the recording that transfers tokens, by its hash. `pairs` are those of Soroswap. */
export async function recordedTransfers(pairs: ReadonlySet<string>): Promise<Map<string, RecordedTransaction>> {
  const transactions = new Map<string, RecordedTransaction>()
  const surplus = new Map<string, bigint>()
  const add = (pair: string | null, token: string, change: bigint) => {
    if (pair === null || !pairs.has(pair)) return
    const sum = (surplus.get(`${pair} ${token}`) ?? 0n) + change
    if (sum === 0n) surplus.delete(`${pair} ${token}`)
    else surplus.set(`${pair} ${token}`, sum)
  }
  for (const file of groundTruthRecording().batchFiles()) {
    for (const bytes of await readBatchFile(file)) {
      const meta = xdr.LedgerCloseMeta.fromXdr(bytes).value as Meta
      for (const { result, txApplyProcessing } of meta.txProcessing) {
        const { type } = result.result.result
        if (type !== 'txSuccess' && type !== 'txFeeBumpInnerSuccess') continue
        const before = new Map(surplus)
        const transfers: RecordedTransfer[] = []
        for (const event of eventsOf(txApplyProcessing)) {
          const synced = syncedPair(event)
          // The pair's reserves are now what it holds.
          if (synced !== null) for (const name of [...surplus.keys()]) if (name.startsWith(`${synced} `)) surplus.delete(name)
          const transfer = transferOf(event)
          if (transfer === null) continue
          transfers.push(transfer)
          add(transfer.to, transfer.token, transfer.amount)
          add(transfer.from, transfer.token, -transfer.amount)
        }
        if (transfers.length === 0) continue
        const hash = Buffer.from(result.transactionHash.value).toString('hex')
        transactions.set(hash, { ledger: meta.ledgerHeader.header.ledgerSeq, transfers, surplus: before })
      }
    }
  }
  return transactions
}

/** The pair of Soroswap whose event `sync` this is: deposit, withdraw and swap emit one when they end. */
function syncedPair({ contractId, body }: xdr.ContractEvent): string | null {
  const [label, name] = body.v0.topics
  const isSync = label?.type === 'scvString' && name?.type === 'scvSymbol' && scValToNative(name) === 'sync'
  return isSync && contractId !== null && scValToNative(label) === 'SoroswapPair'
    ? StrKey.encodeContract(Buffer.from(contractId.value))
    : null
}

/** Events of the operations. A fee has an event of the transaction, which is none of them. */
function eventsOf(meta: xdr.TransactionMeta): readonly xdr.ContractEvent[] {
  if (meta.type === 'v3') return meta.v3.sorobanMeta?.events ?? []
  return meta.type === 'v4' ? meta.v4.operations.flatMap(({ events }) => events) : []
}

/** Topics are the name, an admin in older events, one or two holders, and the asset's name for classic assets. */
function transferOf({ contractId, type, body }: xdr.ContractEvent): RecordedTransfer | null {
  if (contractId === null || type.name !== 'contract') return null
  const [name, ...others] = body.v0.topics
  const holders = others.flatMap((topic) => (topic.type === 'scvAddress' ? [String(scValToNative(topic))] : []))
  const asset = others.at(-1)?.type === 'scvString' ? 1 : 0
  const amount = amountOf(body.v0.data)
  const last = holders.at(-1)
  if (name?.type !== 'scvSymbol' || amount === null || last === undefined || holders.length + asset !== others.length) return null
  const move = { token: StrKey.encodeContract(Buffer.from(contractId.value)), amount }
  switch (scValToNative(name)) {
    case 'transfer':
      return holders.length === 2 ? { ...move, from: holders[0] ?? null, to: last } : null
    case 'mint':
      return { ...move, from: null, to: last }
    case 'burn':
    case 'clawback':
      return { ...move, from: last, to: null }
    default:
      return null
  }
}

/** The amount alone, or in a map with the id of a multiplexed receiver (CAP-67). */
function amountOf(data: xdr.ScVal): bigint | null {
  if (data.type === 'scvI128') return scValToNative(data) as bigint
  if (data.type !== 'scvMap') return null
  const { amount } = scValToNative(data) as { readonly amount?: unknown }
  return typeof amount === 'bigint' ? amount : null
}
