// The decoder of slices as another program gets it: built, packed, and installed in an empty folder.

import type { Slice } from '@orrery/protocol-kit'
import '@orrery/testkit/test-protocols'
import { diagnosticsOf, NODE_24, PackedPackages, TYPESCRIPT_VERSIONS } from '@orrery/testkit/packed'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { encodeSlice } from './slice-codec.ts'

const EVENT = { kind: 'event', tx: -1, opIndex: 0, index: 7, contract: 'CAAA', type: 'contract' } as const
const SLICE: Slice = {
  network: 'mainnet',
  protocol: 'soroswap',
  partition: 2,
  after: 99,
  ledger: 100,
  closeTimeSeconds: 1_700_000_000,
  ledgerHash: 'ab'.repeat(32),
  rollingHash: '0123456789abcdef',
  hourStart: false,
  dayStart: false,
  transactions: [],
  records: [1, 2].map((n) => ({ class: 'owned', record: { ...EVENT, topics: new Uint8Array([n]), data: new Uint8Array(300).fill(n) } })),
}

/** Reads values as they stand in a topic; one of them is a part of a large slice. */
const PROGRAM = `
import { readFileSync } from 'node:fs'
import { describeSlice, readSliceHeader, SliceAssembler } from '@orrery/event-log/slices'

const values = JSON.parse(readFileSync('values.json', 'utf8')).map((value) => new Uint8Array(Buffer.from(value, 'base64')))
const assembler = new SliceAssembler()
const read = values.map((value, n) => assembler.push(value, BigInt(n))?.records.map(({ record }) => record.data.length) ?? null)
const broken = values[0].with(90, values[0][90] ^ 1)
let refusal
try {
  describeSlice(broken)
} catch (error) {
  refusal = { kind: error.kind, code: error.code }
}
const { part, parts } = readSliceHeader(values[0])
console.log(JSON.stringify({ read, resumeOffset: String(assembler.resumeOffset), part, parts, described: describeSlice(...values), refusal }))
`

/** Its last line is wrong. */
const CONSUMER = `
import { decodeSlice, describeSlice, type Slice, SliceAssembler, sliceTopic } from '@orrery/event-log/slices'

export const slice: Slice | null = new SliceAssembler().push(new Uint8Array(), 5n)
export const ledger: number = decodeSlice([new Uint8Array()]).ledger
export const topic: string = sliceTopic('mainnet', 'soroswap')
export const wrong: number = describeSlice(new Uint8Array())`

const packed = new PackedPackages()
beforeAll(() => packed.install('event-log'))
afterAll(() => packed[Symbol.dispose]())

describe('the packed tarball of @orrery/event-log', () => {
  it('joins the parts of a slice, describes it, and refuses a broken one', async () => {
    const values = encodeSlice(SLICE, { maxPartBytes: 40 })
    expect(values.length).toBeGreaterThan(1)
    packed.write('values.json', JSON.stringify(values.map((value) => Buffer.from(value).toString('base64'))))
    const result = JSON.parse(await packed.run(NODE_24, packed.write('program.mjs', PROGRAM)))
    expect(result).toEqual({
      read: [...Array(values.length - 1).fill(null), [300, 300]],
      resumeOffset: String(values.length),
      part: 1,
      parts: values.length,
      described: expect.objectContaining({
        protocol: 'soroswap',
        partition: 2,
        ledger: 100,
        recordCount: 2,
        records: [1, 2].map((n) => ({
          ...{ class: 'owned', ...EVENT },
          topics: Buffer.from([n]).toString('base64'),
          data: Buffer.alloc(300, n).toString('base64'),
        })),
      }),
      refusal: { kind: 'corrupt', code: 'slice_broken' },
    })
  })

  it.each(TYPESCRIPT_VERSIONS)('has declarations that TypeScript %i accepts, and refuses wrong uses of', async (version) => {
    packed.write('consumer.mts', CONSUMER)
    expect(await diagnosticsOf(version, packed.folder, ['consumer.mts'])).toEqual(['consumer.mts(7): TS2322'])
  })
})
