// What no cut of the log may change: restarts, partitions, empty slices.

import type { Adapter, Network, Rows, Slice } from '@orrery/protocol-kit'
import { loadNetwork } from '@orrery/registry'
import { foldAll, recording, StateTable, slicesOf } from '@orrery/testkit'
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { blend } from '../src/protocol.ts'
import type { BlendState } from '../src/state.ts'

const PARTITIONS = 4
const forge = recording()
let network: Network
let adapter: Adapter<BlendState>
let parts: Run[]
let whole: Slice[]

/** A partition folded from the beginning. */
interface Run {
  readonly slices: readonly Slice[]
  readonly table: StateTable
  /** Rows of each slice, as text. */
  readonly expected: readonly string[]
  readonly rows: readonly Rows[]
}

beforeAll(async () => {
  network = await loadNetwork(forge.registryFile)
  adapter = blend.adapter(network)
  const slices: Slice[][] = Array.from({ length: PARTITIONS }, () => [])
  for await (const some of slicesOf(forge, network, blend.routing, PARTITIONS))
    for (const slice of some) slices[slice.partition]?.push(slice)
  whole = []
  for await (const [slice] of slicesOf(forge, network, blend.routing, 1)) if (slice !== undefined) whole.push(slice)
  parts = slices.map(runOf)
})

function runOf(slices: readonly Slice[]): Run {
  const table = new StateTable()
  const rows = [...foldAll(slices, adapter)].map((it) => {
    table.write(it.rows.state)
    return it.rows
  })
  return { slices, table, rows, expected: rows.map(json) }
}

const json = (value: unknown) => JSON.stringify(value, (_, it: unknown) => (typeof it === 'bigint' ? `${it}n` : it))

/** Folds on from state loaded as of the slice at `checkpoint`, for `length` slices. */
function foldOn({ slices, table, expected }: Run, checkpoint: number, length: number): void {
  const ledger = slices[checkpoint]?.ledger ?? 0
  const state = adapter.load(table.asOf(ledger), ledger)
  for (const [n, slice] of slices.slice(checkpoint + 1, checkpoint + 1 + length).entries()) {
    expect(json(adapter.fold(state, slice))).toBe(expected[checkpoint + 1 + n])
  }
}

/** The slice before the one with an activity that `is`. */
function justBefore(run: Run, is: (activity: Rows['activities'][number]) => boolean): number[] {
  return run.rows.flatMap((rows, n) => (n > 0 && rows.activities.some(is) ? [n - 1] : []))
}

describe('the fold', () => {
  it('gives the same rows from any of 30 checkpoints on, in whichever partition', () => {
    const where = {
      partition: fc.nat(PARTITIONS - 1),
      place: fc.double({ min: 0, max: 1, noNaN: true }),
      length: fc.integer({ min: 1, max: 120 }),
    }
    fc.assert(
      fc.property(where.partition, where.place, where.length, (partition, place, length) => {
        const run = parts[partition] as Run
        foldOn(run, Math.floor(place * (run.slices.length - 2)), length)
      }),
      { numRuns: 30, seed: 11 },
    )
  })

  it('gives the same rows from checkpoints within an auction, before a fill of each version and in the middle of emissions', () => {
    const count = { fills: 0, emissions: 0 }
    for (const run of parts) {
      const fills = justBefore(run, ({ metadata }) => metadata.event === 'fill_auction')
      for (const checkpoint of fills.filter((_, n) => n % 6 === 0)) foldOn(run, checkpoint, 3)
      const claims = justBefore(run, ({ activityType, amount }) => activityType === 'claim' && amount > 0n)
      for (const checkpoint of claims.filter((_, n) => n % 8 === 0)) foldOn(run, checkpoint, 3)
      count.fills += fills.length
      count.emissions += claims.length
    }
    expect(count.fills).toBeGreaterThan(20)
    expect(count.emissions).toBeGreaterThan(20)
  })

  it('gives the same rows when entries come back from the archive, also right before and after', () => {
    // No entry of Blend was archived in the recording: here every twentieth that was updated had been.
    const run = parts.toSorted(
      (a, b) => b.rows.flatMap((it) => it.activities).length - a.rows.flatMap((it) => it.activities).length,
    )[0] as Run
    let updated = 0
    const restored: number[] = []
    const slices = run.slices.map((slice, n): Slice => {
      const records = slice.records.map((it) => {
        if (it.class !== 'owned' || it.record.kind !== 'entry' || it.record.change !== 'updated' || updated++ % 20 !== 0) return it
        restored.push(n)
        return { ...it, record: { ...it.record, change: 'restored' as const } }
      })
      return { ...slice, records }
    })
    expect(restored.length).toBeGreaterThan(50)
    const brought = runOf(slices)
    expect(brought.expected).toEqual(run.expected)
    for (const n of restored.filter((place, at) => place > 0 && at % 10 === 0)) {
      foldOn(brought, n - 1, 2)
      foldOn(brought, n, 2)
    }
  })

  it('gives the same rows from one partition as from four', () => {
    let n = 0
    for (const { slice, rows } of foldAll(whole, adapter)) {
      const one = new Set(texts(rows))
      const four = new Set(parts.flatMap((part) => texts(part.rows[n] as Rows)))
      const differs = [...one].filter((row) => !four.has(row)).concat([...four].filter((row) => !one.has(row)))
      if (differs.length > 0) expect({ ledger: slice.ledger, differs }).toEqual({ ledger: slice.ledger, differs: [] })
      n++
    }
    expect(n).toBe(parts[0]?.slices.length)
  })

  it('gives the same rows when slices without records are left out', () => {
    const run = parts[1] as Run
    const isKept = (slice: Slice) => slice.records.length > 0 || slice.hourStart
    const some = [...foldAll(run.slices.filter(isKept), adapter)].map(({ rows }) => json(rows))
    expect(some).toEqual(run.expected.filter((_, n) => isKept(run.slices[n] as Slice)))
    const left = run.rows.filter((_, n) => !isKept(run.slices[n] as Slice))
    expect(left.flatMap((rows) => Object.values(rows).flat())).toEqual([])
  })

  it('writes a key of state at most once a ledger, and an activity key once', () => {
    const activities = new Set<string>()
    for (const { rows } of parts) {
      for (const { state, activities: told } of rows) {
        const keys = state.map((row) => `${row.contract} ${row.key} ${row.ledger}`)
        expect(new Set(keys).size).toBe(keys.length)
        for (const { key } of told) {
          expect(activities.has(json(key))).toBe(false)
          activities.add(json(key))
        }
      }
    }
  })

  it('counts an action once for each address, and numbers its rows without a hole', () => {
    const actions = Map.groupBy(
      parts.flatMap(({ rows }) => rows.flatMap((it) => it.activities)),
      ({ actionId }) => actionId,
    )
    for (const legs of actions.values()) {
      legs.sort((a, b) => a.key.row - b.key.row)
      expect(legs.map(({ key }) => key.row)).toEqual(legs.map((_, n) => (legs[0]?.key.row ?? 0) + n))
      for (const rows of Map.groupBy(legs, ({ address }) => address).values()) {
        expect(rows.reduce((sum, { counts }) => sum + counts, 0)).toBe(1)
      }
    }
  })
})

/** Every row as text, with the table that it goes to; where a row was folded is no part of what it says. */
function texts(rows: Rows): string[] {
  return Object.entries(rows).flatMap(([table, list]) =>
    (list as readonly object[]).map((row) => `${table} ${json({ ...row, scope: undefined, partition: undefined })}`),
  )
}
