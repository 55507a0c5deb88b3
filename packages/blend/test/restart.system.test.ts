import type { Slice } from '@orrery/protocol-kit'
import { foldAll, StateTable } from '@orrery/testkit'
import { describe, expect, it } from 'vitest'
import { blend } from '../src/protocol.ts'
import { restartContract } from './restart-contract.ts'
import { foldedWorld } from './world.ts'

const world = await foldedWorld()
const adapter = blend.adapter(world.network)

restartContract(world, { auctionStep: 8, claimStep: 40, restarts: 30 })

const json = (value: unknown) => JSON.stringify(value, (_, it: unknown) => (typeof it === 'bigint' ? `${it}n` : it))

describe('entries that come back from the archive', () => {
  // No entry of Blend was archived in the recording: here every twentieth that was updated had been.
  let updated = 0
  const restored: number[] = []
  const slices = world.slices.map((slice, n): Slice => {
    const records = slice.records.map((it) => {
      if (it.class !== 'owned' || it.record.kind !== 'entry' || it.record.change !== 'updated' || updated++ % 20 !== 0) return it
      restored.push(n)
      return { ...it, record: { ...it.record, change: 'restored' as const } }
    })
    return { ...slice, records }
  })

  it('entries that come back from the archive change no row, nor does a restart right before or after them', () => {
    expect(restored.length).toBeGreaterThan(200)
    const table = new StateTable()
    const rows = [...foldAll(slices, adapter)].map((it) => it.rows)
    for (const { state } of rows) table.write(state)
    expect(rows.map(json)).toEqual(world.rows.map(json))
    for (const n of restored.filter((place, at) => place > 0 && at % 40 === 0)) {
      for (const checkpoint of [n - 1, n]) {
        const ledger = slices[checkpoint]?.ledger ?? 0
        const state = adapter.load(table.asOf(ledger), ledger)
        for (const [later, slice] of slices.slice(checkpoint + 1, checkpoint + 3).entries()) {
          expect(json(adapter.fold(state, slice))).toBe(json(rows[checkpoint + 1 + later]))
        }
      }
    }
  })
})
