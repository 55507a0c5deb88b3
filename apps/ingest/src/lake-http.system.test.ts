import { readLedgerHeader } from '@orrery/ledger'
import { type FakeLake, type FakeLakeOptions, recording, startFakeLake } from '@orrery/testkit'
import { afterEach, describe, expect, it } from 'vitest'
import { lakeHttp } from './lake-http.ts'
import { lakeSource } from './lake-source.ts'
import type { LedgerSource } from './ledger-source.ts'

const { lakeDir } = recording()
const started: FakeLake[] = []
afterEach(async () => {
  await Promise.all(started.splice(0).map((lake) => lake[Symbol.asyncDispose]()))
})

async function aLake(options: Partial<FakeLakeOptions> = {}): Promise<FakeLake> {
  const lake = await startFakeLake({ ledgers: lakeDir, latest: 1_000_319, ...options })
  started.push(lake)
  return lake
}

const sourceOf = ({ url }: FakeLake, { near = 1_000_000, follows = false } = {}): LedgerSource =>
  lakeSource(lakeHttp(url, { near }), { follows })

async function read(source: LedgerSource, from: number, last?: number, onLedger: (ledger: number) => void = () => {}): Promise<number[]> {
  const sequences: number[] = []
  for await (const { sequence, bytes } of source.read(from, new AbortController().signal)) {
    expect(readLedgerHeader(bytes).sequence).toBe(sequence)
    sequences.push(sequence)
    onLedger(sequence)
    if (sequence === last) break
  }
  return sequences
}

describe('what does not go away', () => {
  it('a file that never arrives in a followed lake is given up with an error', async () => {
    const lake = await aLake({ ledgersPerBatch: 2 })
    const source = sourceOf(lake, { follows: true })
    lake.lose(1_000_320)
    await source.range()
    lake.advance(10)
    await expect(read(source, 1_000_310)).rejects.toMatchObject({ code: 'ledgers_missing', context: { first: 1_000_320, last: 1_000_321 } })
  })
})
