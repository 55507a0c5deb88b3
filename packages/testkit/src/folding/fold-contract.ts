// The guarantees of every fold: rows do not depend on batches, partitions and restarts. Checked on a complete recording.

import type { Adapter, Network, Protocol, Rows, Slice, TransactionRow } from '@orrery/protocol-kit'
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Recording } from '../recording.ts'
import { foldedRecording } from './folded-recording.ts'
import { foldAll, StateTable } from './recorded-fold.ts'
import { type RowDigests, rowDigests } from './row-digests.ts'
import { Slicer } from './slicer.ts'
import { valueText } from './value-text.ts'

export interface FoldContractOptions {
  readonly recording: Recording
  /** The network of the recording. */
  readonly network: () => Promise<Network>
  readonly partitions: number
  /** Ledgers to restart at, in addition to random ones: within an auction, after a restored entry. */
  readonly checkpoints?: readonly number[]
  /** Number of restarts at random ledgers. */
  readonly restarts?: number
  /**
   * Digests of all rows, partition by partition, as the adapter version has stored them before. A changed digest means that stored rows change:
   * raise the version then, and take the new digests from the failure of this test.
   */
  readonly digests: { readonly version: number; readonly rows: RowDigests }
}

/** The rows of a ledger's slice, folded after all before it. */
export interface FoldedSlice {
  readonly slice: Slice
  readonly rows: Rows
}

/** The recording folded once in one partition and once in several; filled before the first test of the file. */
export interface FoldedRecording {
  readonly whole: readonly FoldedSlice[]
  /** By partition. */
  readonly parts: readonly (readonly FoldedSlice[])[]
}

/** Registers the suite. Restarts fold up to 150 ledgers. Other tests of the file may use the result. */
export function foldContract<State>(protocol: Protocol<State>, options: FoldContractOptions): FoldedRecording {
  const { recording, partitions, checkpoints = [], restarts = 30 } = options
  const whole: FoldedSlice[] = []
  const parts: FoldedSlice[][] = partitions === 1 ? [whole] : Array.from({ length: partitions }, () => [])
  let adapter: Adapter<State>

  beforeAll(async () => {
    const network = await options.network()
    adapter = protocol.adapter(network)
    const { slices, rows } = await foldedRecording(recording, network, protocol)
    for (const [n, slice] of slices.entries()) whole.push({ slice, rows: rows[n] as Rows })
    if (partitions === 1) return
    const ofPartitions: Slice[][] = parts.map(() => [])
    // Whatever a partition of several has is in the one partition of the recording, so nothing is extracted again.
    const slicer = new Slicer(network, protocol.routing, partitions)
    for (const slice of slices) for (const part of slicer.divide(slice)) ofPartitions[part.partition]?.push(part)
    for (const [partition, of] of ofPartitions.entries()) for (const it of foldAll(of, adapter)) parts[partition]?.push(it)
  })

  describe(`the fold of ${protocol.displayName}`, () => {
    it('a fold gives the same rows from any checkpoint on, in every partition', () => {
      const tables = parts.map((folded) => {
        const table = new StateTable()
        for (const { rows } of folded) table.write(rows.state)
        return table
      })
      const restart = (partition: number, checkpoint: number, length: number): void => {
        const folded = parts[partition] ?? []
        const from = folded[checkpoint]?.slice.ledger
        if (from === undefined) throw new Error(`partition ${partition} has no checkpoint ${checkpoint} to restart at`)
        const state = adapter.load(tables[partition]?.asOf(from) ?? [], from)
        for (const { slice, rows } of folded.slice(checkpoint + 1, checkpoint + 1 + length)) {
          expectEqualLists(rowTexts(adapter.fold(state, slice), []), rowTexts(rows, []))
        }
      }
      const known = new Set(whole.map(({ slice }) => slice.ledger))
      // A checkpoint that is named but missing would test nothing.
      expect(checkpoints.filter((ledger) => !known.has(ledger))).toEqual([])
      for (const ledger of checkpoints) {
        for (const [partition, folded] of parts.entries()) {
          restart(
            partition,
            folded.findIndex(({ slice }) => slice.ledger === ledger),
            150,
          )
        }
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
      it('a fold gives the same rows from one partition as from several', () => {
        // Ledger by ledger: the texts of a complete recording are hundreds of megabytes.
        for (const [n, { slice, rows }] of whole.entries()) {
          const one = new Set(rowTexts(rows, OF_PARTITION))
          const several = new Set(parts.flatMap((folded) => rowTexts((folded[n] as FoldedSlice).rows, OF_PARTITION)))
          if (one.size === several.size && [...one].every((row) => several.has(row))) continue
          expect({ ledger: slice.ledger, rows: several }).toEqual({ ledger: slice.ledger, rows: one })
        }
        expect(parts.map((folded) => folded.map(({ slice }) => slice.ledger))).toEqual(
          parts.map(() => whole.map(({ slice }) => slice.ledger)),
        )
      })
    }

    it('a row of state belongs to one partition, or is the same in all', () => {
      const scopes = new Map<string, number>()
      const torn: string[] = []
      for (const { rows } of parts.flat()) {
        for (const { contract, key, ledger, scope } of rows.state) {
          const name = `${contract} ${key} ${ledger}`
          if ((scopes.get(name) ?? scope) !== scope) torn.push(name)
          scopes.set(name, scope)
        }
      }
      expect(torn).toEqual([])
    })

    it('each leg of an action is written by one partition, in the order of the legs, and a transaction row by the partition with its rows', () => {
      const transactions = new Map<string, TransactionRow>()
      const rowsOf = new Map<string, number>()
      const places = new Map<string, number[]>()
      for (const { rows } of parts.flat()) {
        for (const row of rows.transactions) {
          expect(row).toEqual(transactions.get(row.txHash) ?? row)
          transactions.set(row.txHash, row)
        }
        for (const { txHash, actionId, key } of rows.activities) {
          rowsOf.set(txHash, (rowsOf.get(txHash) ?? 0) + 1)
          places.set(actionId, [...(places.get(actionId) ?? []), key.row])
        }
      }
      const counted = [...transactions.values()].map(({ txHash, activityRows }) => [txHash, activityRows] as const)
      expect(counted.filter(([txHash, count]) => count !== (rowsOf.get(txHash) ?? 0))).toEqual([])
      expect([...rowsOf.keys()].filter((txHash) => !transactions.has(txHash))).toEqual([])
      const legs = [...places.values()].map((rows) => rows.sort((a, b) => a - b))
      expect(legs.filter((rows) => rows.some((row, n) => row !== (rows[0] ?? 0) + n))).toEqual([])
    })

    it('a fold gives the same rows when slices without records are left out', () => {
      const folded = parts.at(-1) ?? []
      const some = folded.map(({ slice }) => slice).filter((slice) => slice.records.length > 0 || slice.hourStart)
      const rows = [...foldAll(some, adapter)].flatMap((it) => rowTexts(it.rows, OF_PARTITION))
      expectEqualLists(
        rows,
        folded.flatMap((it) => rowTexts(it.rows, OF_PARTITION)),
      )
    })

    it('a fold writes each key once: of state once per ledger, of activities once ever; and an action counts once for each address and kind', () => {
      const keys = new Set<string>()
      const counted = new Map<string, number>()
      const twice: string[] = []
      const once = (key: string): void => {
        if (keys.has(key)) twice.push(key)
        keys.add(key)
      }
      for (const { rows } of whole) {
        for (const row of rows.state) once(`${row.contract} ${row.key} ${row.ledger}`)
        for (const row of rows.activities) {
          once(`${row.address} ${valueText(row.key)}`)
          const action = `${row.actionId} ${row.address} ${row.activityType}`
          counted.set(action, (counted.get(action) ?? 0) + row.counts)
        }
      }
      expect(twice).toEqual([])
      expect([...counted].filter(([, count]) => count !== 1)).toEqual([])
    })

    it(`a fold gives, byte for byte, the rows that version ${options.digests.version} of the adapter stores`, () => {
      expect({ version: adapter.version, rows: rowDigests(parts.flat().map(({ rows }) => rows)) }).toEqual(options.digests)
    })

    it('a fold of the recording breaks no invariant and has no unknown record', () => {
      const notices = whole.flatMap(({ rows }) => rows.notices).filter(({ kind }) => kind !== 'price_pool')
      expect(notices).toEqual([])
    })
  })
  return { whole, parts }
}

/** Columns that depend on the number of partitions. */
const OF_PARTITION = ['scope', 'partition']

/** Every row as text, with its table, without some columns. */
function rowTexts(rows: Rows, without: readonly string[]): string[] {
  return Object.entries(rows).flatMap(([table, list]) => (list as readonly object[]).map((row) => `${table} ${rowText(row, without)}`))
}

function rowText(row: object, without: readonly string[]): string {
  let members = ''
  for (const [name, value] of Object.entries(row)) if (!without.includes(name)) members += ` ${name}=${valueText(value)}`
  return members
}

/** Fails with the first difference. The comparison of the test runner takes seconds for a hundred thousand rows. */
function expectEqualLists(actual: readonly string[], expected: readonly string[]): void {
  const n = expected.findIndex((text, at) => text !== actual[at])
  if (n !== -1) expect({ n, row: actual[n] }).toEqual({ n, row: expected[n] })
  expect(actual.length).toBe(expected.length)
}
