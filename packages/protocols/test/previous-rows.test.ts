// While a new adapter version folds, the API of the new build reads the rows that the previous one has stored. `previous-rows/` has two rows of
// every entry that the shipped recording fills, as Blend 3, Aquarius 5, Soroswap 4 and FxDAO 4 wrote them.

import { readFileSync } from 'node:fs'
import { aquarius } from '@orrery/aquarius'
import { blend } from '@orrery/blend'
import { fxdao } from '@orrery/fxdao'
import { pricesOf } from '@orrery/pricing'
import type { StateRow } from '@orrery/protocol-kit'
import { soroswap } from '@orrery/soroswap'
import { recording } from '@orrery/testkit'
import { describe, expect, it } from 'vitest'
import { loadNetwork, PROTOCOLS } from '../src/index.ts'

function previousRows(protocol: string): StateRow[] {
  return JSON.parse(readFileSync(new URL(`./previous-rows/${protocol}.json`, import.meta.url), 'utf8'))
}

const ALL = [blend, aquarius, soroswap, fxdao]

it('every protocol of this build has rows of its previous version here', () => {
  expect(ALL.map(({ id }) => id)).toEqual(PROTOCOLS.map(({ id }) => id))
})

for (const protocol of ALL) {
  const { id } = protocol
  describe(`the state rows of the previous version of ${id}`, () => {
    it(`this build reads every entry of ${id} that the previous version stored, and keeps its value`, async () => {
      const network = await loadNetwork(recording().registryFile)
      const prices = pricesOf(network)
      const own = previousRows(id).filter((row) => !prices.take(prices.empty(), row))
      const unread = own.filter((row) => protocol.entries.readKey(row)?.entry.rewrite(row.value) !== row.value)
      expect(unread.map(({ key, value }) => ({ key, value }))).toEqual([])
      expect(new Set(own.map((row) => protocol.entries.readKey(row)?.entry.key)).size).toBeGreaterThan(6)
    })

    it(`a state of ${id} is made of them`, async () => {
      const network = await loadNetwork(recording().registryFile)
      const rows = previousRows(id)
      const newest = [...Map.groupBy(rows, ({ contract, key }) => `${contract} ${key}`).values()].map((of) => of.at(-1) as StateRow)
      const last = Math.max(...newest.map(({ ledger }) => ledger))
      expect(() => protocol.adapter(network).load(newest, last)).not.toThrow()
    })
  })
}
