// Compares the recorded network indexed from its middle, with a node that has its end, with the same network indexed from its beginning.
// Values of the late index must equal those of the complete one. The late index may lack values.

import type { EventLog } from '@orrery/event-log'
import { openLog } from '@orrery/event-log'
import type { Protocol, Rows, StateRow } from '@orrery/protocol-kit'
import { loadNetwork, protocolsOf } from '@orrery/protocols'
import { createLogger, createMetrics } from '@orrery/service-kit'
import { type FakeRpc, recording, StateTable } from '@orrery/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { lakeSource } from '../src/lake-source.ts'
import type { LedgerSource } from '../src/ledger-source.ts'
import { type IngestOptions, startIngest } from '../src/start-ingest.ts'
import { foldedRows } from './folded.ts'
import { temporaryFolders } from './folders.ts'
import { aNode, entriesOf } from './rpc.ts'

/** Ten days after the first ledger: most pools exist, some are created later. */
const FIRST = 1_001_500
const network = await loadNetwork(recording().registryFile)
const protocols = protocolsOf(network)

export interface MidHistoryOptions {
  /** Last ledger that is indexed. */
  readonly last: number
  /** Last ledger for the adapter that restarts again and again: it loads its state some hundred times. */
  readonly lastRestart: number
  /** Smallest counts of compared rows, so that an empty comparison fails. */
  readonly atLeast: { readonly poolSnapshots: number; readonly positionSnapshots: number; readonly compared: number }
}

/** Registers the suite. */
export function midHistoryContract({ last, lastRestart, atLeast }: MidHistoryOptions): void {
  const aFolder = temporaryFolders()
  let node: FakeRpc
  let whole: EventLog
  let younger: EventLog

  function recorded(): LedgerSource {
    const lake = lakeSource(recording().lakeDir)
    return {
      describe: lake.describe,
      ends: true,
      passphrase: () => lake.passphrase(),
      range: async () => ({ ...(await lake.range()), last }),
      async *read(from, signal) {
        for await (const ledger of lake.read(from, signal)) {
          yield ledger
          if (ledger.sequence === last) return
        }
      },
    }
  }

  async function indexed(more: Partial<IngestOptions>): Promise<EventLog> {
    const log = await openLog(`lmdb:${aFolder()}`)
    const ingest = await startIngest({
      network,
      routings: protocols.map(({ routing }) => routing),
      source: recorded(),
      log,
      logger: createLogger({ name: 'test', level: 'silent', json: true }),
      metrics: createMetrics(),
      ...more,
    })
    await ingest.finished
    return log
  }

  beforeAll(async () => {
    node = await aNode(last)
    whole = await indexed({})
    younger = await indexed({ fromLedger: FIRST, entries: entriesOf(node) })
  })
  afterAll(async () => {
    await whole.close()
    await younger.close()
    await node[Symbol.asyncDispose]()
  })

  /** Rows of both indexes, folded once. */
  const folded = new Map<Protocol<unknown>, Promise<{ readonly all: Rows; readonly late: Rows }>>()
  function rowsOf(protocol: Protocol<unknown>): Promise<{ readonly all: Rows; readonly late: Rows }> {
    const made = folded.get(protocol) ?? bothOf(protocol)
    folded.set(protocol, made)
    return made
  }

  async function bothOf(protocol: Protocol<unknown>): Promise<{ readonly all: Rows; readonly late: Rows }> {
    const partitions = protocol.defaultPartitions
    return { all: await foldedRows(whole, network, protocol, partitions), late: await foldedRows(younger, network, protocol, partitions) }
  }

  describe.each(protocols.map((protocol) => ({ name: protocol.id, protocol })))('$name, indexed from the middle', ({ protocol }) => {
    let all: Rows
    let late: Rows
    beforeAll(async () => {
      ;({ all, late } = await rowsOf(protocol))
    })

    it('an index that begins in the middle has no entry that differs from that of the complete index at that ledger', () => {
      const valueAt = lookUp(all.state)
      const entries = late.state.filter((row) => row.durability !== 'fact')
      const differing = entries.filter((row) => {
        const then = valueAt(row)
        return row.removed ? then?.removed === false : then === undefined || !isContainedIn(row.value, then.value)
      })
      expect(differing.slice(0, 3)).toEqual([])
      expect(entries.filter((row) => row.inferred).length).toBeGreaterThan(10)
    })

    it('an index that begins in the middle stores values that it did not observe as inferred, at the ledger before its first', () => {
      expect(late.state.filter((row) => row.ledger < FIRST && !(row.inferred && row.ledger === FIRST - 1))).toEqual([])
      const keys = late.state.map((row) => `${row.contract} ${row.key} ${row.ledger} ${row.scope}`)
      const once = new Set(late.state.map((row) => JSON.stringify(row)))
      expect(once.size).toBe(new Set(keys).size)
    })

    it('an adapter that restarts again and again folds an index that begins in the middle into the same rows', async () => {
      const again = await foldedRows(younger, network, restarting(protocol), protocol.defaultPartitions, lastRestart)
      const upTo = <Row extends { readonly ledger: number }>(rows: readonly Row[]): Row[] =>
        rows.filter(({ ledger }) => ledger <= lastRestart)
      expect(hashes(again.state)).toEqual(hashes(upTo(late.state)))
      expect(hashes(again.poolSnapshots)).toEqual(hashes(upTo(late.poolSnapshots)))
    })
  })

  describe('Soroswap, indexed from the middle', () => {
    const soroswap = protocols.find(({ id }) => id === 'soroswap') as Protocol<unknown>
    let all: Rows
    let late: Rows
    beforeAll(async () => {
      ;({ all, late } = await rowsOf(soroswap))
    })

    it('an index that begins in the middle values pools as the complete index does: balances, reserves, supply, prices', () => {
      const rows = new Map(all.poolSnapshots.map((row) => [`${row.pool} ${row.ledger}`, row]))
      const differing = late.poolSnapshots.filter(
        (row) => text(withoutCounters(row)) !== text(withoutCounters(rows.get(`${row.pool} ${row.ledger}`) ?? null)),
      )
      expect(differing).toEqual([])
      expect(late.poolSnapshots.length).toBeGreaterThan(atLeast.poolSnapshots)
    })

    it('an index that begins in the middle has the positions of the complete index, of every account that touched them since', () => {
      const rows = new Map(all.positionSnapshots.map((row) => [`${row.pool} ${row.address} ${row.ledger}`, row]))
      const differing = late.positionSnapshots.filter(
        (row) => text(row) !== text(rows.get(`${row.pool} ${row.address} ${row.ledger}`) ?? null),
      )
      expect(differing).toEqual([])
      expect(late.positionSnapshots.length).toBeGreaterThan(atLeast.positionSnapshots)
    })

    it('an index that begins in the middle equals the complete index from the ledger on at which the last holder of a pool has touched it', () => {
      const known = new Map<string, number>()
      for (const row of late.state) {
        if (!row.key.endsWith(':shares')) continue
        const holder = `${row.contract} ${row.owner}`
        known.set(holder, Math.min(known.get(holder) ?? Number.POSITIVE_INFINITY, row.ledger))
      }
      const holders = new Map<string, string[]>()
      for (const row of all.state) {
        if (row.key.endsWith(':shares') && row.owner !== row.contract)
          holders.set(row.contract, [...(holders.get(row.contract) ?? []), `${row.contract} ${row.owner}`])
      }
      let compared = 0
      for (const [pool, all_] of holders) {
        const from = Math.max(...all_.map((holder) => known.get(holder) ?? Number.POSITIVE_INFINITY)) + 1
        if (from === Number.POSITIVE_INFINITY) continue
        const of = (rows: Rows) =>
          rows.positionSnapshots
            .filter((row) => row.pool === pool && row.ledger > from)
            .map(text)
            .sort()
        expect(of(late)).toEqual(of(all))
        compared += of(late).length
      }
      expect(compared).toBeGreaterThan(atLeast.compared)
    })

    it('an index that begins in the middle prices what oracles price from their first round on', () => {
      const rows = new Map(all.prices.map((row) => [`${row.asset} ${row.source} ${row.ledger}`, text(row)]))
      // At its first ledger an index writes the prices that it begins with; the complete one wrote them when they changed.
      const since = late.prices.filter((row) => row.ledger > FIRST)
      expect(since.filter((row) => rows.get(`${row.asset} ${row.source} ${row.ledger}`) !== text(row))).toEqual([])
      const from = FIRST + 10
      expect(late.prices.filter((row) => row.ledger >= from).length).toBe(all.prices.filter((row) => row.ledger >= from).length)
    })
  })
}

/** An adapter that loses its state before every seventh ledger with records, the first and the second included, and loads it from its rows. */
function restarting(protocol: Protocol<unknown>): Protocol<unknown> {
  return {
    ...protocol,
    adapter(of) {
      const adapter = protocol.adapter(of)
      let table = new StateTable()
      let state: unknown
      let n = 0
      return {
        ...adapter,
        load(rows, asOf) {
          table = new StateTable() // of the next partition
          state = adapter.load(rows, asOf)
          n = 0
          return state
        },
        fold(_, slice) {
          if (slice.records.length > 0 && (n < 2 || n % 7 === 0)) state = adapter.load(table.asOf(slice.after), slice.after)
          if (slice.records.length > 0) n++
          const rows = adapter.fold(state, slice)
          table.write(rows.state)
          return rows
        },
      }
    },
  }
}

/** Every member of `late` equals that of `whole`. A late index may lack what a fold adds to an entry from older entries. */
function isContainedIn(late: string, whole: string): boolean {
  const known = Object.entries(JSON.parse(late) as Record<string, unknown>).filter(([, value]) => value !== null)
  const all = JSON.parse(whole === '' ? '{}' : whole) as Record<string, unknown>
  return known.every(([name, value]) => JSON.stringify(value) === JSON.stringify(all[name]))
}

function lookUp(rows: readonly StateRow[]): (row: StateRow) => StateRow | undefined {
  const byKey = new Map<string, StateRow[]>()
  for (const row of rows) {
    const versions = byKey.get(`${row.contract} ${row.key}`) ?? []
    byKey.set(`${row.contract} ${row.key}`, versions)
    versions.push(row)
  }
  for (const versions of byKey.values()) versions.sort((a, b) => a.ledger - b.ledger)
  return ({ contract, key, ledger }) => byKey.get(`${contract} ${key}`)?.findLast((it) => it.ledger <= ledger)
}

/** Totals since the beginning of an index differ with its beginning. */
function withoutCounters(row: Rows['poolSnapshots'][number] | null): object | null {
  const none = { fees_usd: '', lp_fees_usd: '', volume_usd: '', value_seconds_usd: '' }
  return row === null ? null : { ...row, native: { ...row.native, ...none } }
}

function text(row: object | null): string {
  return JSON.stringify(row, (_, value) => (typeof value === 'bigint' ? `${value}` : value))
}

function hashes(rows: readonly object[]): string[] {
  return rows.map(text).sort()
}
