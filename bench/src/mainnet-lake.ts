// A SEP-54 lake as of mainnet: ledgers of about 1 MB with 250 transactions, one in each file, chained by their hashes.
// Two ledgers are repeated with other numbers, times and hashes. They are recorded ones of mainnet if those are in the folder beside the
// repository, else built.

import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { gunzipSync, zstdCompressSync } from 'node:zlib'
import { readLedgerHeader, sc, XdrWriter } from '@orrery/ledger'
import { type LedgerSpec, ledgerBuilder, sharedDir, testContract } from '@orrery/testkit'

export const MAINNET = 'Public Global Stellar Network ; September 2015'
const RECORDED = ['63092990', '63092996']
const BATCHES_PER_PARTITION = 64_000

export interface MainnetLake {
  readonly folder: string
  /** Names of its ledger files, in order. */
  readonly files: readonly string[]
  readonly firstLedger: number
  /** Bytes of all ledgers, unpacked. */
  readonly bytes: number
  /** What its ledgers are made of. */
  readonly origin: string
}

/** Writes a lake of `ledgers` files into `folder`. */
export function makeMainnetLake(folder: string, ledgers: number, firstLedger = 63_100_000): MainnetLake {
  const recorded = recordedLedgers()
  const templates = (recorded ?? builtLedgers()).map((bytes) => new Template(bytes))
  mkdirSync(folder, { recursive: true })
  const manifest = {
    networkPassphrase: MAINNET,
    version: 'v1',
    compression: 'zstd',
    ledgersPerBatch: 1,
    batchesPerPartition: BATCHES_PER_PARTITION,
  }
  writeFileSync(join(folder, '.config.json'), JSON.stringify(manifest))
  const files: string[] = []
  let previousHash: Uint8Array = new Uint8Array(32)
  let bytes = 0
  for (let n = 0; n < ledgers; n++) {
    const template = templates[n % templates.length] as Template
    const ledger = firstLedger + n
    previousHash = template.becomes(ledger, 1_781_828_497 + n * 6, previousHash)
    bytes += template.bytes.length
    const file = join(folder, pathOf(ledger))
    if (n === 0 || ledger % BATCHES_PER_PARTITION === 0) mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, zstdCompressSync(new XdrWriter().u32(ledger).u32(ledger).u32(1).raw(template.bytes).done()))
    files.push(file)
  }
  return { folder, files, firstLedger, bytes, origin: recorded ? 'recorded mainnet ledgers' : 'built ledgers' }
}

function pathOf(ledger: number): string {
  const reversed = (value: number): string => (0xffff_ffff - value).toString(16).toUpperCase().padStart(8, '0')
  const start = ledger - (ledger % BATCHES_PER_PARTITION)
  return `${reversed(start)}--${start}-${start + BATCHES_PER_PARTITION - 1}/${reversed(ledger)}--${ledger}.xdr.zst`
}

/** A ledger whose header is rewritten in place. */
class Template {
  readonly bytes: Buffer
  readonly #hashAt: number
  readonly #previousAt: number
  readonly #sequenceAt: number
  readonly #headerEnd: number

  constructor(ledger: Uint8Array) {
    this.bytes = Buffer.from(ledger)
    const { hash, previousHash, sequence } = readLedgerHeader(ledger)
    this.#hashAt = this.bytes.indexOf(hash, 0, 'hex')
    this.#previousAt = this.bytes.indexOf(previousHash, this.#hashAt + 32, 'hex')
    const number = Buffer.alloc(4)
    number.writeUInt32BE(sequence)
    this.#sequenceAt = this.bytes.indexOf(number, this.#previousAt + 32)
    // After the sequence: coins, fees, ids, limits, four hashes of earlier ledgers, and an extension.
    this.#headerEnd = this.#sequenceAt + 4 + 8 + 8 + 4 + 8 + 4 + 4 + 4 + 4 * 32 + 4
  }

  /** Writes number, time and hashes, and returns its own hash. */
  becomes(sequence: number, closeTimeSeconds: number, previousHash: Uint8Array): Uint8Array {
    this.bytes.set(previousHash, this.#previousAt)
    // Between the previous hash and the close time stands the hash of the transaction set.
    this.bytes.writeBigUInt64BE(BigInt(closeTimeSeconds), this.#previousAt + 64)
    this.bytes.writeUInt32BE(sequence, this.#sequenceAt)
    const hash = createHash('sha256')
      .update(this.bytes.subarray(this.#previousAt - 4, this.#headerEnd))
      .digest()
    this.bytes.set(hash, this.#hashAt)
    const header = readLedgerHeader(this.bytes)
    if (header.sequence !== sequence || header.closeTimeSeconds !== closeTimeSeconds) throw new Error('The header was not rewritten.')
    return hash
  }
}

function recordedLedgers(): Uint8Array[] | null {
  const shared = sharedDir()
  if (shared === null) return null
  return RECORDED.map((sequence) => gunzipSync(readFileSync(join(shared, 'ledgers', 'mainnet', `ledger-${sequence}.xdr.gz`))))
}

/** Two ledgers of 250 transactions with five entries each, which pack about as well as those of mainnet. */
function builtLedgers(): Uint8Array[] {
  const builder = ledgerBuilder({ passphrase: MAINNET, protocolVersion: 26 })
  return [0, 1].map((seed) => builder.ledger(mainnetLike(seed)))
}

function mainnetLike(seed: number): LedgerSpec {
  const bytes = (n: number, length: number): Uint8Array => {
    const own = createHash('sha512').update(`${seed} ${n}`).digest()
    return Buffer.concat([own, Buffer.alloc(length - own.length, n)])
  }
  const value = (n: number) => ({ type: 'bytes', value: bytes(n, 250) }) as const
  const transactions = Array.from({ length: 250 }, (_, n) => {
    const contract = testContract(`contract ${n % 40}`)
    return {
      operations: [
        {
          call: { contract, function: 'swap', args: [value(n)] },
          events: [{ contract, topics: [sc.symbol('swap')], data: value(n + 1) }],
          changes: [1, 2, 3, 4, 5].map((part) => {
            return { contract, key: value(n * 8 + part), change: 'updated' as const, before: value(n), value: value(n + part) }
          }),
        },
      ],
    }
  })
  return { transactions }
}
