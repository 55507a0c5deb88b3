// What every fold promises, whatever the protocol: no cut of the log changes a row. Checked on a whole recording.

import type { Adapter, Network, Protocol, Rows, Slice } from '@orrery/protocol-kit'
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Recording } from '../recording.ts'
import { foldAll, StateTable, slicesOf } from './recorded-fold.ts'

export interface FoldContractOptions {
  readonly recording: Recording
  /** Of the recording: its registry. */
  readonly network: () => Promise<Network>
  readonly partitions: number
  /** Ledgers to restart at beside the random ones: within an auction, after a restored entry. */
  readonly checkpoints?: readonly number[]
  /** Restarts at random places. */
  readonly restarts?: number
}

/** Registers the suite. Restarts fold up to 150 ledgers on. */
export function foldContract<State>(protocol: Protocol<State>, options: FoldContractOptions): void {
  describe(`the fold of ${protocol.displayName}`, () => {
    const { recording, partitions, checkpoints = [], restarts = 30 } = options
    const whole: Slice[] = []
    const parts: Slice[][] = Array.from({ length: partitions }, () => [])
    let adapter: Adapter<State>

    beforeAll(async () => {
      const network = await options.network()
      adapter = protocol.adapter(network)
      for await (const [slice] of slicesOf(recording, network, protocol.routing, 1)) if (slice !== undefined) whole.push(slice)
      if (partitions === 1) parts[0] = whole
      else {
        for await (const slices of slicesOf(recording, network, protocol.routing, partitions)) {
          for (const slice of slices) parts[slice.partition]?.push(slice)
        }
      }
    })

    it('gives the same rows from any checkpoint on, in whichever partition', () => {
      const runs = parts.map((slices) => {
        const table = new StateTable()
        const expected = [...foldAll(slices, adapter)].map(({ rows }) => {
          table.write(rows.state)
          return text(rows)
        })
        return { slices, table, expected }
      })
      const restart = (partition: number, checkpoint: number, length: number): void => {
        const run = runs[partition]
        const from = run?.slices[checkpoint]
        if (run === undefined || from === undefined) return
        const state = adapter.load(run.table.asOf(from.ledger), from.ledger)
        for (const [n, slice] of run.slices.slice(checkpoint + 1, checkpoint + 1 + length).entries()) {
          expect(text(adapter.fold(state, slice))).toBe(run.expected[checkpoint + 1 + n])
        }
      }
      for (const ledger of checkpoints) {
        for (const [partition, slices] of parts.entries())
          restart(
            partition,
            slices.findIndex((slice) => slice.ledger === ledger),
            150,
          )
      }
      const place = {
        partition: fc.nat(partitions - 1),
        at: fc.double({ min: 0, max: 1, noNaN: true }),
        length: fc.integer({ min: 1, max: 150 }),
      }
      fc.assert(
        fc.property(place.partition, place.at, place.length, (partition, at, length) => {
          restart(partition, Math.floor(at * (whole.length - 2)), length)
        }),
        { numRuns: restarts, seed: 11 },
      )
    })

    if (partitions > 1) {
      it('gives the same rows from one partition as from several', () => {
        const one = new Set([...foldAll(whole, adapter)].flatMap(({ rows }) => rowTexts(rows)))
        const several = new Set(parts.flatMap((slices) => [...foldAll(slices, adapter)].flatMap(({ rows }) => rowTexts(rows))))
        expect([...several].filter((row) => !one.has(row))).toEqual([])
        expect([...one].filter((row) => !several.has(row))).toEqual([])
      })
    }

    it('files a row of state in one partition, or says that it is the same in all', () => {
      const scopes = new Map<string, number>()
      const torn: string[] = []
      for (const slices of parts) {
        for (const { rows } of foldAll(slices, adapter)) {
          for (const { contract, key, ledger, scope } of rows.state) {
            const name = `${contract} ${key} ${ledger}`
            if ((scopes.get(name) ?? scope) !== scope) torn.push(name)
            scopes.set(name, scope)
          }
        }
      }
      expect(torn).toEqual([])
    })

    it('gives the same rows when slices without records are left out', () => {
      const slices = parts.at(-1) ?? []
      const some = slices.filter((slice) => slice.records.length > 0 || slice.hourStart)
      const rowsOf = (of: Slice[]) => [...foldAll(of, adapter)].flatMap(({ rows }) => rowTexts(rows))
      expect(rowsOf(some)).toEqual(rowsOf(slices))
    })

    it('writes a key once: of state a ledger, of activities ever; and an action counts once for each address and kind', () => {
      const keys = new Set<string>()
      const counted = new Map<string, number>()
      const twice: string[] = []
      const once = (key: string): void => {
        if (keys.has(key)) twice.push(key)
        keys.add(key)
      }
      for (const { rows } of foldAll(whole, adapter)) {
        for (const row of rows.state) once(`${row.contract} ${row.key} ${row.ledger}`)
        for (const row of rows.activities) {
          once(`${row.address} ${text(row.key)}`)
          const action = `${row.actionId} ${row.address} ${row.activityType}`
          counted.set(action, (counted.get(action) ?? 0) + row.counts)
        }
      }
      expect(twice).toEqual([])
      expect([...counted].filter(([, count]) => count !== 1)).toEqual([])
    })

    it('breaks no invariant and meets nothing unknown', () => {
      const told = [...foldAll(whole, adapter)].flatMap(({ rows }) => rows.notices).filter(({ kind }) => kind !== 'price_pool')
      expect(told).toEqual([])
    })
  })
}

function text(value: unknown): string {
  return JSON.stringify(value, (_, it: unknown) => (typeof it === 'bigint' ? `${it}n` : it))
}

/** Every row as text, with the table that it goes to; where a row was folded is no part of what it says. */
function rowTexts(rows: Rows): string[] {
  return Object.entries(rows).flatMap(([table, list]) =>
    (list as readonly object[]).map((row) => `${table} ${text({ ...row, scope: undefined, partition: undefined })}`),
  )
}
