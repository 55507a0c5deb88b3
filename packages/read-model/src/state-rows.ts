// State rows as the engine returns them, and the newest row of a few keys at or before a ledger in bounded time for any length of history:
// the last row of each bucket of ledgers before, and the rows of the ledger's own bucket.

import { TupleParam } from '@clickhouse/client'
import type { ProtocolId, StateRef, StateRow } from '@orrery/protocol-kit'

/** As in the migration of `state_buckets_v1`. */
const LEDGERS_PER_BUCKET = 16_384

/** The engine refuses a parameter above 128 KiB, in a URL as in a body. */
const PARAMETER_BYTES = 96 * 1024

/** Splits a list that becomes one parameter into lists that the engine accepts. Keys and addresses are ASCII: a character is a byte. */
export function parameterChunks<Item>(items: readonly Item[], textOf: (item: Item) => string): Item[][] {
  const chunks: Item[][] = []
  let bytes = PARAMETER_BYTES
  for (const item of items) {
    // Quotes, commas and parentheses around two texts.
    const own = textOf(item).length + 8
    if (bytes + own > PARAMETER_BYTES) {
      chunks.push([])
      bytes = 0
    }
    chunks.at(-1)?.push(item)
    bytes += own
  }
  return chunks
}

/** Columns of a state row in the order of `decodeStateRow`, with the SQL of the value. */
export function stateColumns(value = 'value'): string {
  return `protocol, contract, key, ledger, toUnixTimestamp(close_time) AS close_time_seconds, owner, scope, live_until, durability, removed, inferred, ${value}`
}

/** One row of JSONCompactEachRow with `stateColumns`. */
export type StateCells = [
  protocol: ProtocolId,
  contract: string,
  key: string,
  ledger: number,
  closeTimeSeconds: number,
  owner: string,
  scope: number,
  liveUntil: number,
  durability: StateRow['durability'],
  removed: boolean,
  inferred: boolean,
  value: string,
]

export function decodeStateRow(cells: StateCells): StateRow {
  const [protocol, contract, key, ledger, closeTimeSeconds, owner, scope, liveUntil, durability, removed, inferred, value] = cells
  return { protocol, contract, key, ledger, closeTimeSeconds, owner, scope, liveUntil, durability, removed, inferred, value }
}

/** Whether an entry exists at `ledger`: not when it is removed, or temporary and after its live-until ledger. */
export function standsAt(row: StateRow, ledger: number): boolean {
  if (row.removed) return false
  return !(row.durability === 'temporary' && row.liveUntil > 0 && row.liveUntil < ledger)
}

const STORED = 'protocol, contract, key, ledger, close_time, owner, scope, live_until, durability, removed, inferred, value'

/** What entries with these rows were at a ledger: the newest row of each key at or before it, where it stands. */
export function newestAt(rows: readonly StateRow[], ledger: number): StateRow[] {
  const newest = new Map<string, StateRow>()
  for (const row of rows) {
    const name = `${row.contract} ${row.key}`
    if (row.ledger <= ledger && row.ledger >= (newest.get(name)?.ledger ?? 0)) newest.set(name, row)
  }
  return [...newest.values()].filter((row) => standsAt(row, ledger))
}

/**
 * Newest row at or before `{ledger}` of each of `{refs}`, and their rows after it up to `{through}`. Reads the keys' buckets and one bucket's rows: bounded by
 * the days of the index.
 */
const STATE_OF_KEYS_SQL = `
  SELECT ${stateColumns()} FROM (
    SELECT ${STORED} FROM state_buckets_v1
    WHERE protocol = {protocol:String} AND (contract, key) IN {refs:Array(Tuple(String, String))} AND bucket < {bucket:UInt32}
      AND adapter_version = {version:UInt16}
    UNION ALL
    SELECT ${STORED} FROM state_v1
    WHERE protocol = {protocol:String} AND (contract, key) IN {refs:Array(Tuple(String, String))}
      AND ledger BETWEEN {bucketStart:UInt32} AND {through:UInt32} AND adapter_version = {version:UInt16}
  ) ORDER BY contract, key, ledger DESC LIMIT 1 BY contract, key, greatest(ledger, {ledger:UInt32})`

/** The statements that read the newest row at or before `ledger` of each of `refs`, and their rows after it up to `through`, of one adapter version. */
export function stateOfKeys(protocol: ProtocolId, version: number, ledger: number, refs: readonly StateRef[], through = ledger) {
  const bucket = Math.floor(ledger / LEDGERS_PER_BUCKET)
  const bounds = { protocol, version, ledger, through, bucket, bucketStart: bucket * LEDGERS_PER_BUCKET }
  return parameterChunks(refs, ({ contract, key }) => contract + key).map((chunk) => ({
    query: STATE_OF_KEYS_SQL,
    query_params: { ...bounds, refs: chunk.map(({ contract, key }) => new TupleParam([contract, key])) },
  }))
}
