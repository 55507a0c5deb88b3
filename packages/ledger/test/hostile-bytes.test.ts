// Broken and hostile bytes give an error with an offset, or the same result as with the SDK.

import { OrreryError } from '@orrery/errors'
import { ledgerBuilder, readBatchFile, recording, testAccount, testContract } from '@orrery/testkit'
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import {
  extractLedger,
  type LedgerExtract,
  readBatch,
  readLedgerHeader,
  readScVal,
  readScVals,
  type ScVal,
  sc,
  TrackedSet,
} from '../src/index.ts'
import { FORGE } from './ledgers.ts'
import { everything, sdkExtract } from './sdk-extract.ts'

const pair = testContract('pair')
const operation = {
  call: { contract: pair, function: 'swap', args: [sc.i128(5n)] },
  auth: [
    {
      authorizer: testAccount('signer'),
      root: { call: { contract: pair, function: 'swap' }, under: [{ contract: pair, function: 'sync' }] },
    },
  ],
  events: [
    { contract: pair, topics: [sc.symbol('sync'), sc.string('né')], data: sc.map([sc.symbol('a'), sc.vec(sc.u256(1n), sc.bool(true))]) },
  ],
  changes: [
    { contract: pair, key: sc.symbol('x'), change: 'updated', before: sc.i128(1n), value: sc.i128(2n), liveUntil: 9000 },
    { contract: pair, key: sc.instanceKey(), change: 'ttl', from: 10, liveUntil: 9000 },
  ],
} as const
const spec = {
  transactions: [
    { operations: [operation] },
    { operations: [operation], feeSource: testAccount('payer') },
    { operations: [{ kind: 'payment' }] },
  ],
  evicted: [{ contract: pair, key: sc.symbol('y') }],
} as const

interface Case {
  readonly name: string
  readonly passphrase: string
  readonly bytes: Uint8Array
}

const cases: Case[] = [22, 27].map((protocolVersion) => {
  const { ledger, passphrase } = ledgerBuilder({ protocolVersion })
  return { name: `built, protocol ${protocolVersion}`, passphrase, bytes: ledger(spec) }
})
beforeAll(async () => {
  const ledgers = await readBatchFile(recording().batchFiles()[20] as string)
  const bytes = ledgers.toSorted((a, b) => a.length - b.length)[40] as Uint8Array
  cases.push({ name: 'recorded', passphrase: FORGE, bytes: bytes.slice() })
})

/** The extract, or null after an expected error. Any other error fails the test. */
function attempt({ bytes, passphrase }: Case): LedgerExtract | null {
  try {
    return extractLedger(bytes, TrackedSet.everything(passphrase))
  } catch (error) {
    if (!(error instanceof OrreryError)) throw error
    // A flipped bit can give an arm that could be the next one of its union: the message then has both explanations.
    if (error.code === 'ledger_newer_than_build') {
      expect(error).toMatchObject({ kind: 'invalid', cause: { code: 'ledger_unreadable' } })
    } else if (error.code !== 'ledger_version_unsupported') {
      expect(['ledger_unreadable', 'envelope_missing']).toContain(error.code)
      expect(error.kind).toBe('corrupt')
      expect(error.context.offset).toBeGreaterThanOrEqual(0)
      expect(error.context.offset).toBeLessThanOrEqual(bytes.length)
    }
    return null
  }
}

/** Changed bytes are read as by the SDK. */
function check(n: number, change: (bytes: Uint8Array, view: DataView) => void): void {
  const from = cases[n] as Case
  const bytes = from.bytes.slice()
  change(bytes, new DataView(bytes.buffer))
  const found = attempt({ ...from, bytes })
  if (found !== null) expect(found).toEqual(sdkExtract(bytes, from.passphrase, everything))
}

/** By number, so that a failure does not print thousands of bytes. */
const anyCase = fc.nat({ max: 2 })
const place = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true })

describe('a ledger', () => {
  it('a ledger that is truncated at any byte is refused', () => {
    for (const found of cases.slice(0, 2)) {
      for (let length = 0; length < found.bytes.length; length++)
        expect(attempt({ ...found, bytes: found.bytes.slice(0, length) })).toBeNull()
    }
  })

  it('a ledger with bytes after its end is refused', () => {
    for (const found of cases) expect(attempt({ ...found, bytes: Uint8Array.from([...found.bytes, 0, 0, 0, 0]) })).toBeNull()
  })

  it('a ledger with a flipped bit is refused, or read as by the SDK', () => {
    fc.assert(
      fc.property(anyCase, place, fc.nat({ max: 7 }), (found, where, bit) => {
        check(found, (bytes) => {
          const at = Math.floor(where * bytes.length)
          bytes[at] = (bytes[at] as number) ^ (1 << bit)
        })
      }),
      { numRuns: 600 },
    )
  })

  it('a ledger with an absurd word at any offset is refused, or read as by the SDK', () => {
    const absurd = fc.constantFrom(0xffffffff, 0x7fffffff, 0x80000000, 0x00ffffff, 0x10000, 1501, 1, 0)
    fc.assert(
      fc.property(anyCase, place, absurd, (found, where, word) => {
        check(found, (_, view) => view.setUint32(Math.floor((where * view.byteLength) / 4) * 4, word))
      }),
      { numRuns: 600 },
    )
  })

  it('a ledger of random bytes is refused', () => {
    fc.assert(
      fc.property(fc.constantFrom(1, 2), fc.uint8Array({ maxLength: 4000 }), (version, noise) => {
        expect(attempt({ name: 'noise', passphrase: FORGE, bytes: Uint8Array.from([0, 0, 0, version, ...noise]) })).toBeNull()
      }),
    )
  })

  it('authorised calls and values may be nested 1,500 deep, and no deeper', () => {
    const { ledger, passphrase } = ledgerBuilder()
    const deep = (levels: number): Uint8Array => {
      let value: ScVal = sc.void()
      for (let n = 0; n < levels; n++) value = sc.vec(value)
      return ledger({ transactions: [{ operations: [{ events: [{ contract: pair, topics: [], data: value }] }] }] })
    }
    expect(attempt({ name: '', passphrase, bytes: deep(1500) })?.records).toHaveLength(2)
    expect(attempt({ name: '', passphrase, bytes: deep(1501) })).toBeNull()

    type Node = { call: { contract: string; function: string }; under: Node[] }
    const tree = (levels: number): Uint8Array => {
      let root: Node = { call: { contract: pair, function: 'leaf' }, under: [] }
      for (let n = 1; n < levels; n++) root = { call: { contract: pair, function: 'node' }, under: [root] }
      return ledger({ transactions: [{ operations: [{ ...operation, auth: [{ root }] }] }] })
    }
    const calls = attempt({ name: '', passphrase, bytes: tree(1501) })?.records.filter(({ kind }) => kind === 'call')
    expect(calls).toHaveLength(1502)
    expect(attempt({ name: '', passphrase, bytes: tree(1502) })).toBeNull()
  })

  it('a batch that announces other ledgers than it has is refused', () => {
    const batch = ledgerBuilder({ firstLedger: 64 }).batch([spec, {}])
    const edits: ((view: DataView) => void)[] = [
      (view) => view.setUint32(0, 63),
      (view) => view.setUint32(4, 66),
      (view) => view.setUint32(8, 0xffffffff),
    ]
    for (const edit of edits) {
      const bytes = batch.slice()
      edit(new DataView(bytes.buffer))
      expect(() => readBatch(bytes)).toThrow(expect.objectContaining({ code: 'ledger_unreadable' }))
    }
    for (const length of [0, 11, 12, 400, batch.length - 1]) expect(() => readBatch(batch.slice(0, length))).toThrow(OrreryError)
    expect(() => readBatch(Uint8Array.from([...batch, 0]))).toThrow(expect.objectContaining({ code: 'ledger_unreadable' }))
  })
})

describe('a header', () => {
  it('header facts need only the bytes of the header', () => {
    const [{ bytes }] = cases as [Case]
    expect(readLedgerHeader(bytes.slice(0, 600))).toEqual(readLedgerHeader(bytes))
    expect(() => readLedgerHeader(bytes.slice(0, 100))).toThrow(expect.objectContaining({ code: 'ledger_unreadable' }))
  })
})

describe('a value', () => {
  it('values of random bytes are read or refused', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), fc.nat({ max: 22 }), (noise, arm) => {
        for (const read of [readScVal, readScVals]) {
          try {
            read(Uint8Array.from([0, 0, 0, arm, ...noise]))
          } catch (error) {
            expect(error).toMatchObject({ code: 'ledger_unreadable' })
          }
        }
      }),
      { numRuns: 2000 },
    )
  })
})
