// The package as another program gets it: built, packed, and installed in an empty folder.

import { readUnzipped, recording } from '@orrery/testkit'
import { diagnosticsOf, NODE_24, PackedPackages, TYPESCRIPT_VERSIONS } from '@orrery/testkit/packed'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readBatch } from '../src/index.ts'
import { FORGE } from './ledgers.ts'
import { everything, sdkExtract } from './sdk-extract.ts'

const PROGRAM = `
import { readFileSync } from 'node:fs'
import { extractLedger, readBatch, TrackedSet } from '@orrery/ledger'

const tracked = TrackedSet.everything(${JSON.stringify(FORGE)})
const { ledgers } = readBatch(new Uint8Array(readFileSync('batch.xdr')))
const asText = (_, value) => (typeof value === 'bigint' ? String(value) : value instanceof Uint8Array ? Buffer.from(value).toString('hex') : value)
console.log(JSON.stringify(ledgers.slice(0, 5).map((ledger) => extractLedger(ledger, tracked)), asText))
`
const asText = (_: string, value: unknown): unknown => {
  if (typeof value === 'bigint') return String(value)
  return value instanceof Uint8Array ? Buffer.from(value).toString('hex') : value
}

/** Its last line is wrong. */
const CONSUMER = `
import { decode, extractLedger, i128, type LedgerRecord, type Of, readBatch, struct, TrackedSet } from '@orrery/ledger'

const reserve = struct({ d_rate: i128, b_rate: i128 })
const value: Of<typeof reserve> = decode(reserve, new Uint8Array(), { contract: 'C', what: 'reserve data' })
export const rate: bigint = value.d_rate
export const records: readonly LedgerRecord[] = extractLedger(readBatch(new Uint8Array()).ledgers[0]!, new TrackedSet('')).records
export const wrong: string = value.b_rate`

const packed = new PackedPackages()
beforeAll(() => packed.install('ledger'))
afterAll(() => packed[Symbol.dispose]())

describe('the packed tarball of @orrery/ledger', () => {
  it('extracts from ledgers of the recording what the SDK reads from them', async () => {
    const bytes = await readUnzipped(recording().batchFiles().at(-1) ?? '')
    packed.write('batch.xdr', bytes)
    const extracts = JSON.parse(await packed.run(NODE_24, packed.write('program.mjs', PROGRAM)))
    const ledgers = readBatch(bytes).ledgers.slice(0, 5)
    expect(extracts).toHaveLength(5)
    expect(extracts).toEqual(
      JSON.parse(
        JSON.stringify(
          ledgers.map((ledger) => sdkExtract(ledger, FORGE, everything)),
          asText,
        ),
      ),
    )
  })

  it.each(TYPESCRIPT_VERSIONS)('has declarations that TypeScript %i accepts, and refuses wrong uses of', async (version) => {
    packed.write('consumer.mts', CONSUMER)
    expect(await diagnosticsOf(version, packed.folder, ['consumer.mts'])).toEqual(['consumer.mts(8): TS2322'])
  })
})
