// An index that begins in the middle of history, without an RPC: it may know less, but nothing wrong.

import type { Network, Slice, StateRow } from '@orrery/protocol-kit'
import { loadNetwork } from '@orrery/protocols'
import { foldAll, foldedRecording, readBatchFile, recording, Slicer, StateTable } from '@orrery/testkit'
import { describe, expect, it } from 'vitest'
import { blend } from '../src/protocol.ts'

const forge = recording()
/** So many files of 64 ledgers are missing at the beginning: 40 % of the recording. */
const MISSING = 41

describe('an index of the last 60 % of the recording', () => {
  it('an index of the last 60 % whose registry names the pools has no row that the whole index does not have, and breaks no invariant', async () => {
    const network = await loadNetwork(forge.registryFile)
    const { table: whole } = await foldedRecording(forge, network, blend)
    const pools = [...whole.asOf(Number.POSITIVE_INFINITY)].filter((row) => row.key === 'pool').map((row) => row.contract)
    const knownPools = pools.map((contract) => ({ protocol: 'blend', contract, fromLedger: 1_000_000, tokens: [] }) as const)
    const late: Network = { ...network, knownPools }

    const table = new StateTable()
    const slicer = new Slicer(late, blend.routing, 1)
    const lateSlices: Slice[] = []
    for (const file of forge.batchFiles().slice(MISSING)) {
      for (const ledger of await readBatchFile(file)) lateSlices.push(...slicer.slices(ledger))
    }
    const notices = [...foldAll(lateSlices, blend.adapter(late))].flatMap(({ rows }) => {
      table.write(rows.state)
      return rows.notices.filter(({ kind }) => kind !== 'price_pool')
    })
    // Costs and listings depend on when the index began; a TTL is known only when it is extended.
    const chain = (rows: Iterable<StateRow>) =>
      new Map(
        [...rows]
          .filter((row) => row.durability !== 'fact' && !row.removed && pools.includes(row.contract))
          .map((row) => [`${row.contract} ${row.key}`, row.value]),
      )
    const theirs = chain(whole.asOf(Number.POSITIVE_INFINITY))
    const ours = chain(table.asOf(Number.POSITIVE_INFINITY))
    expect([...ours].filter(([key, value]) => theirs.get(key) !== value)).toEqual([])
    expect(ours.size).toBeGreaterThan(theirs.size / 2)
    expect(notices.filter(({ kind }) => kind === 'invariant')).toEqual([])
  })
})
