import type { FakeLake } from '@orrery/testkit'
import { describe, expect, it } from 'vitest'
import { fakeLakes, readSequences } from '../test/fake-sources.ts'
import { lakeHttp } from './lake-http.ts'
import { lakeSource } from './lake-source.ts'
import type { LedgerSource } from './ledger-source.ts'

const aLake = fakeLakes()

const sourceOf = ({ url }: FakeLake, { near = 1_000_000, follows = false } = {}): LedgerSource =>
  lakeSource(lakeHttp(url, { near }), { follows })

describe('a permanent fault of a lake', () => {
  it('a file that never arrives in a followed lake ends reading with an error', async () => {
    const lake = await aLake({ ledgersPerBatch: 2 })
    const source = sourceOf(lake, { follows: true })
    lake.lose(1_000_320)
    await source.range()
    lake.advance(10)
    await expect(readSequences(source, 1_000_310)).rejects.toMatchObject({
      code: 'ledgers_missing',
      context: { first: 1_000_320, last: 1_000_321 },
    })
  })
})
