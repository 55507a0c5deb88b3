// Single events of mainnet, and pairs that the factory announced: read and discovered as another program decoded them.
// The vectors are beside the repository, not in it; without them these tests are skipped.

import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { readScVal, writeScVals } from '@orrery/ledger'
import { sharedDir } from '@orrery/testkit'
import { describe, expect, it } from 'vitest'
import { readFactoryEvent, readPairEvent, readRouterEvent } from '../src/chain/events.ts'

const file = join(sharedDir() ?? '', 'reference/vectors/soroswap.json')
const vectors: Vectors | null = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : null
const base64 = (value: string) => new Uint8Array(Buffer.from(value, 'base64'))

interface Vectors {
  readonly single_events: readonly {
    readonly name: string
    readonly topics_xdr: readonly string[]
    readonly data_xdr: string
    readonly decoded: Readonly<Record<string, unknown>>
  }[]
}

describe.runIf(vectors !== null)('single events of mainnet (from ../shared)', () => {
  it('are read with the amounts and addresses that another program decoded', () => {
    const names: string[] = []
    for (const { name, topics_xdr, data_xdr, decoded } of vectors?.single_events ?? []) {
      const record = { topics: writeScVals(topics_xdr.map((topic) => readScVal(base64(topic)))), data: base64(data_xdr) }
      const event = [readPairEvent(record), readFactoryEvent(record), readRouterEvent(record)].find((it) => it.name !== 'unknown')
      const text = JSON.stringify(event, (_, value) => (typeof value === 'bigint' ? String(value) : value))
      // Reserves are read from the pair's entry, which the same transaction writes.
      const values = Object.entries(decoded)
        .flatMap(([member, value]) => (member.startsWith('new_reserve') ? [] : [value].flat()))
        .filter((it) => typeof it === 'string' && it !== '0' && /^(\d+|[GC][A-Z2-7]{55})$/.test(it))
      expect({ name, read: event?.name, missing: values.filter((it) => !text.includes(String(it))) }).toMatchObject({ name, missing: [] })
      names.push(name)
    }
    expect(names).toHaveLength(6)
  })
})
