// Makes small valid ledgers from plain descriptions, of any protocol from 20 to 30, chained by their hashes.
// It writes XDR itself: the SDK cannot write protocol 30, and code shared with the reader would prove nothing.

import { XdrWriter } from '@orrery/ledger'
import { buildEnvelope } from './envelope-writer.ts'
import type { LedgerSpec } from './ledger-spec.ts'
import { putTail, putTransactionSet, sha256, writeHeader } from './ledger-writer.ts'
import { putTransactionMeta } from './meta-writer.ts'

export interface LedgerBuilderOptions {
  /** Default: `Orrery Test Network`. */
  readonly passphrase?: string
  /** Default: 27. */
  readonly protocolVersion?: number
  /** Sequence of the first ledger. Default: 1000. */
  readonly firstLedger?: number
  /** Close time of the first ledger, unix seconds. Default: 1,700,000,000. */
  readonly closeTimeSeconds?: number
  /** Seconds from one ledger to the next. Default: 5. */
  readonly intervalSeconds?: number
}

export interface LedgerBuilder {
  readonly passphrase: string
  /** The next ledger, as LedgerCloseMeta. */
  ledger(spec?: LedgerSpec): Uint8Array
  /** The next ledgers as one LedgerCloseMetaBatch. */
  batch(specs: readonly LedgerSpec[]): Uint8Array
}

export function ledgerBuilder(options: LedgerBuilderOptions = {}): LedgerBuilder {
  const { passphrase = 'Orrery Test Network', intervalSeconds = 5 } = options
  const networkId = sha256(new TextEncoder().encode(passphrase))
  let protocol = options.protocolVersion ?? 27
  let sequence = options.firstLedger ?? 1000
  let closeTime = options.closeTimeSeconds ?? 1_700_000_000
  let previousHash: Uint8Array = sha256(networkId)

  const ledger = (spec: LedgerSpec = {}): Uint8Array => {
    protocol = spec.protocolVersion ?? protocol
    sequence = spec.sequence ?? sequence
    closeTime = spec.closeTimeSeconds ?? closeTime
    const built = buildLedger(spec, { networkId, protocol, sequence, closeTime, previousHash })
    protocol = spec.upgradeTo ?? protocol
    sequence += 1
    closeTime += intervalSeconds
    previousHash = built.hash
    return built.bytes
  }
  return {
    passphrase,
    ledger,
    batch(specs) {
      const first = specs[0]?.sequence ?? sequence
      const ledgers = specs.map(ledger)
      const writer = new XdrWriter().u32(first).u32(first + ledgers.length - 1)
      return writer.array(ledgers, (bytes) => writer.raw(bytes)).done()
    },
  }
}

interface Place {
  readonly networkId: Uint8Array
  readonly protocol: number
  readonly sequence: number
  readonly closeTime: number
  readonly previousHash: Uint8Array
}

function buildLedger(spec: LedgerSpec, place: Place): { bytes: Uint8Array; hash: Uint8Array } {
  const { protocol, sequence, previousHash } = place
  const version = spec.version ?? (protocol < 23 ? 1 : 2)
  const metaVersion = spec.metaVersion ?? (protocol < 23 ? 3 : 4)
  const transactions = (spec.transactions ?? []).map((transaction, n) => ({
    transaction,
    built: buildEnvelope(transaction, place.networkId, sequence, n),
  }))
  const header = writeHeader({
    sequence,
    closeTimeSeconds: place.closeTime,
    closeTimeMillis: spec.closeTimeMillis ?? 0,
    protocolVersion: protocol,
    previousHash,
    upgradeTo: spec.upgradeTo ?? null,
    emptyTxSet: spec.emptyTxSet ?? false,
  })
  const writer = new XdrWriter().u32(version)
  if (version > 0) writer.u32(0)
  writer.raw(header.bytes)
  putTransactionSet(
    writer,
    previousHash,
    transactions.map(({ built }) => built),
    version,
    protocol,
  )
  writer.array(transactions, ({ transaction, built }) => putTransactionMeta(writer, transaction, built, version, metaVersion, sequence))
  putTail(writer, version, spec.upgradeTo ?? null, spec.evicted ?? [])
  return { bytes: writer.done(), hash: header.hash }
}
