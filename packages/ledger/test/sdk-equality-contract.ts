// Everything that the SDK can read must be read the same: header facts, success, events, changes, TTLs, calls, evictions.
// Checked on the shipped recording, and on more ledgers if ../shared exists.

import { readBatchFile, recording } from '@orrery/testkit'
import { describe, expect, it } from 'vitest'
import { extractLedger, type LedgerExtract, readLedgerHeader, readScVal, TrackedSet } from '../src/index.ts'
import { CORE_TESTS, FORGE, filesIn, LOAD_TEST, ledgersIn, PUBNET } from './ledgers.ts'
import { everything, type Filter, sdkExtract } from './sdk-extract.ts'

export interface SdkEqualityOptions {
  /** Every n-th file of the shipped recording. The SDK decodes 20 MB/s. */
  readonly fileStep: number
  /** Number of the 30 ledgers of the load test. */
  readonly loadTestLedgers: number
}

/** Registers the suite. */
export function sdkEqualityContract({ fileStep, loadTestLedgers }: SdkEqualityOptions): void {
  const files = recording()
    .batchFiles()
    .filter((_, n) => n % fileStep === 0)

  describe('the shipped recording', () => {
    it.each(files.map((file) => [file.slice(-28, -8), file] as const))(
      'the extract of %s equals that of the SDK, with all and with some contracts tracked',
      async (_, file) => {
        for (const ledger of await readBatchFile(file)) compare(ledger, FORGE)
      },
    )
  })

  describe.skipIf(filesIn('mainnet').length === 0)('ledgers of mainnet beside the repository', () => {
    it.each(filesIn('mainnet'))('the extract of the mainnet ledgers in %s equals that of the SDK', async (file) => {
      for (const ledger of await ledgersIn(file)) compare(ledger, PUBNET)
    })

    it('a ledger of protocol 30, which the SDK cannot read, equals what the SDK reads without the milliseconds', async () => {
      const ledger = await onlyLedger('p30')
      const extract = extractLedger(ledger, TrackedSet.everything(PUBNET))
      expect(extract.header).toMatchObject({ protocolVersion: 30, sequence: 63_092_988, closeTimeSeconds: 1_781_828_486 })
      expect(() => sdkExtract(ledger, PUBNET, everything)).toThrow()
      expect(extract).toEqual(sdkExtract(withoutMilliseconds(ledger), PUBNET, everything))
    })

    it('the extract of ledgers of the load test equals that of the SDK', async () => {
      const ledgers = await ledgersIn(synthetic('load-test'))
      expect(ledgers).toHaveLength(30)
      for (const ledger of ledgers.slice(0, loadTestLedgers)) compare(ledger, LOAD_TEST)
    })
  })

  describe.skipIf(filesIn('core-tests').length === 0)('ledgers of the unit tests of stellar-core beside the repository', () => {
    it.each(filesIn('core-tests'))('the extract of the ledgers of stellar-core in %s equals that of the SDK', async (file) => {
      for (const ledger of await ledgersIn(file)) compare(ledger, CORE_TESTS)
    })
  })
}

function compare(ledger: Uint8Array, passphrase: string): void {
  const all = extractLedger(ledger, TrackedSet.everything(passphrase))
  expect(readLedgerHeader(ledger)).toEqual(all.header)
  expect(readable(all)).toEqual(readable(sdkExtract(ledger, passphrase, everything)))
  const { tracked, filter } = aFewOf(all, passphrase)
  expect(readable(extractLedger(ledger, tracked))).toEqual(readable(sdkExtract(ledger, passphrase, filter)))
}

/** Bytes as hex, so that a difference can be read. */
function readable({ records, transactions, ...rest }: LedgerExtract): object {
  const text = (value: unknown): unknown => (value instanceof Uint8Array ? Buffer.from(value).toString('hex') : value)
  const asText = (fields: object): object => Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, text(value)]))
  return {
    ...rest,
    transactions: transactions.map(asText),
    records: records.map(asText),
  }
}

/** Every third contract of the ledger, and every second balance that a contract holds. */
function aFewOf(all: LedgerExtract, passphrase: string): { tracked: TrackedSet; filter: Filter } {
  const tracked = new TrackedSet(passphrase)
  const seen = all.records.flatMap((record) => (record.contract === null ? [] : [record.contract]))
  const contracts = new Set([...new Set(seen)].filter((_, n) => n % 3 === 0))
  const balances = new Set(
    all.records
      .flatMap((record) => {
        const holder = record.kind === 'entry' ? holderOf(record.key) : null
        return holder === null ? [] : [`${record.contract} ${holder}`]
      })
      .filter((_, n) => n % 2 === 0),
  )
  for (const contract of contracts) tracked.addContract(contract)
  for (const balance of balances) tracked.addBalance(...(balance.split(' ') as [string, string]))
  return {
    tracked,
    filter: {
      contract: (id) => contracts.has(id),
      entry: (id, key) => contracts.has(id) || balances.has(`${id} ${holderOf(key)}`),
    },
  }
}

/** The contract whose `Balance` the key names, or null. */
function holderOf(key: Uint8Array): string | null {
  const value = readScVal(key)
  if (value.type !== 'vec' || value.value?.length !== 2) return null
  const [name, holder] = value.value
  return name?.type === 'symbol' && name.value === 'Balance' && holder?.type === 'address' && holder.value.startsWith('C')
    ? holder.value
    : null
}

function synthetic(name: string): string {
  return filesIn('synthetic').find((file) => file.includes(name)) as string
}

async function onlyLedger(name: string): Promise<Uint8Array> {
  return (await ledgersIn(synthetic(name)))[0] as Uint8Array
}

/** Turns the header's StellarValue ext 3 (signed, with milliseconds) into 1 (signed). */
function withoutMilliseconds(ledger: Uint8Array): Uint8Array {
  const view = new DataView(ledger.buffer, ledger.byteOffset, ledger.byteLength)
  const hashAt = view.getUint32(4) === 0 ? 8 : 20
  // hash, ledgerVersion, previousLedgerHash; txSetHash, closeTime; no upgrades in this ledger.
  const upgradesAt = hashAt + 68 + 40
  expect([view.getUint32(upgradesAt), view.getUint32(upgradesAt + 4)]).toEqual([0, 3])
  return Uint8Array.from([...ledger.subarray(0, upgradesAt + 4), 0, 0, 0, 1, ...ledger.subarray(upgradesAt + 16)])
}
