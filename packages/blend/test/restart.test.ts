// What no cut of the log may change: the suite of all folds, from checkpoints where Blend has most to remember, and what is its own.

import type { Rows, Slice } from '@orrery/protocol-kit'
import { foldAll, StateTable } from '@orrery/testkit'
import { foldContract } from '@orrery/testkit/fold-contract'
import { describe, expect, it } from 'vitest'
import { blend } from '../src/protocol.ts'
import { foldedWorld, forge } from './world.ts'

const world = await foldedWorld()
const adapter = blend.adapter(world.network)

/** Ledgers right before those with such an activity: every `step`th of them. */
function justBefore(is: (activity: Rows['activities'][number]) => boolean, step: number): number[] {
  const ledgers = world.slices.flatMap(({ ledger }, n) => (world.rows[n]?.activities.some(is) ? [ledger - 1] : []))
  expect(ledgers.length).toBeGreaterThan(20)
  return ledgers.filter((_, n) => n % step === 0)
}

const withinAuctions = justBefore(({ metadata }) => metadata.event === 'fill_auction', 8)
const amidEmissions = justBefore(({ activityType, amount }) => activityType === 'claim' && amount > 0n, 40)

foldContract(blend, {
  recording: forge,
  network: async () => world.network,
  partitions: 4,
  checkpoints: [...withinAuctions, ...amidEmissions],
  digests: {
    version: 2,
    rows: {
      state: '90671 9ebeb704d95426be',
      prices: '77270 c03112db89e83049',
      positionSnapshots: '167689 519dfb4c75b16454',
      reserveSnapshots: '15910 36fd10d23e916927',
      poolSnapshots: '5778 1b244aa269d705b6',
      activities: '2149 2a735849b669d6c7',
      transactions: '1392 e39d5c1e4ae52abc',
      notices: '0 e3b0c44298fc1c14',
    },
  },
})

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

  it('change no row, nor does a restart right before or after them', () => {
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

describe('rows of an action', () => {
  it('are numbered without a hole', () => {
    const actions = Map.groupBy(
      world.rows.flatMap(({ activities }) => activities),
      ({ actionId }) => actionId,
    )
    for (const legs of actions.values()) {
      legs.sort((a, b) => a.key.row - b.key.row)
      expect(legs.map(({ key }) => key.row)).toEqual(legs.map((_, n) => (legs[0]?.key.row ?? 0) + n))
    }
  })
})
