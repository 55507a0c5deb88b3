// State as of a ledger. For most entries the newest row is at or before it: one statement reads these from `state_latest`, and another
// one the few entries that have changed since. The two need no common snapshot of the tables: rows that arrive between them change nothing.
// As of the past the first is not needed where a reading of the whole protocol has its answer.

import type { ProtocolId, StateRef, StateRow } from '@orrery/protocol-kit'
import type { ClickHouseConnection } from './connection.ts'
import { type IndexTip, watermarkOf } from './index-tip.ts'
import { quarantineKey } from './quarantine.ts'
import type { QueryOptions } from './run-query.ts'
import type { LedgerSpan, NewestRows, StateCache } from './state-cache.ts'
import type { ReadChanges } from './state-changes.ts'
import { changesOf, type Reading, select } from './state-reading.ts'
import { NON_ACCOUNT_KEYS, type StateRequest, type StateSelection } from './state-request.ts'
import { newestAt, parameterChunks, standsAt, stateColumns, stateOfKeys } from './state-rows.ts'
import type { WholeRead, WholeReads } from './whole-reads.ts'

/** Newest rows of the selected entries, without their value where they are newer than the ledger. */
function latest({ protocol, ledger }: StateRequest, selections: readonly StateSelection[], version: number) {
  const selected = selections.map(({ keyFrom, keys }, n) => [
    `contract IN {contracts_${n}:Array(String)}`,
    ...(keyFrom === undefined ? [] : [`key >= {key_from_${n}:String}`]),
    ...(keys === undefined ? [] : [`key IN {keys_${n}:Array(String)}`]),
  ])
  const bound = selections.flatMap(({ contracts, keyFrom, keys }, n) => [
    [`contracts_${n}`, contracts],
    [`key_from_${n}`, keyFrom],
    [`keys_${n}`, keys],
  ])
  const query = `SELECT ${stateColumns("if(ledger > {ledger:UInt32}, '', value) AS value_then")} FROM state_latest_v1
    WHERE protocol = {protocol:String} AND adapter_version = {version:UInt16}
      AND (${selected.map((conditions) => `(${conditions.join(' AND ')})`).join(' OR ')})
    ORDER BY contract, key, ledger DESC LIMIT 1 BY contract, key`
  return { query, query_params: { protocol, ledger, version, ...Object.fromEntries(bound.filter(([, value]) => value !== undefined)) } }
}

/** The selections for one statement after another: together at once, unless one names more contracts than a parameter holds. */
function* statements(selections: readonly StateSelection[]): Generator<StateSelection[]> {
  const chunked = selections.map((selection) =>
    parameterChunks(selection.contracts, (contract) => contract).map((contracts) => ({ ...selection, contracts })),
  )
  const most = Math.max(...chunked.map((chunks) => chunks.length))
  for (let n = 0; n < most; n++) yield chunked.flatMap((chunks) => chunks[n] ?? [])
}

export async function readState(
  connection: ClickHouseConnection,
  tip: IndexTip,
  cache: StateCache,
  request: StateRequest,
  options: QueryOptions,
  wholeReads?: WholeReads,
): Promise<StateRow[]> {
  const { protocol, ledger } = request
  const version = tip.adapters.find((adapter) => adapter.protocol === protocol)?.version
  if (version === undefined) return []
  const isFinal = ledger <= watermarkOf(tip, [protocol]).ledger
  const quarantine = quarantineKey(tip, ledger)
  // An answer as of an earlier ledger also has rows of pools that other answers as of `ledger` leave out: those are not shared.
  const isShared = isFinal && quarantineKey(tip, Math.min(ledger, options.asOf ?? ledger)) === quarantine
  const changes = changesOf({ connection, tip, options }, { protocol, version })
  wholeReads?.begin(`${protocol}@${version}`, (signal) =>
    readWhole({ connection, tip, options: { ...OF_ALL_REQUESTS, signal } }, cache, { protocol, version }),
  )
  const span = isShared ? spanOf(request, tip) : null
  const newest = isShared && quarantine === '' ? cache.newestAfter(protocol, version, span?.through ?? ledger) : null
  const read: ReadRows = (selected, through) => readRows({ connection, tip, version, options }, newest, selected, through)
  const rows =
    span !== null
      ? await readSpan(read, cache, { version, newest, span }, request)
      : isShared
        ? await readWithCache(read, changes, { version, quarantine, newest }, cache, request)
        : await read(request)
  // Rows that two statements returned are neighbours now.
  return rows.sort(byContractAndKey).filter((row, n, all) => n === 0 || byContractAndKey(all[n - 1] ?? row, row) !== 0)
}

/**
 * The beginning of a window, a day or a week ago, moves on with each ledger, of which there are twelve in the minute for which what was read holds. Other ledgers of
 * the past are asked about together with those around them: transactions of an hour, or a list of them.
 */
const SPAN_LEDGERS = { window: 16, past: 64 } as const

/** The ledgers of which a request reads the rows, so that those around its own are answered, too; null where it reads as of its own alone. */
function spanOf({ protocol, ledger, skipLatest = false, cacheable, also = [] }: StateRequest, tip: IndexTip): LedgerSpan | null {
  const ledgers = skipLatest ? SPAN_LEDGERS.window : SPAN_LEDGERS.past
  const first = ledger - (ledger % ledgers)
  // The ledger after the watermark, or after the last one of a quarantined partition, may still record what an entry was at its end.
  const through = Math.min(first + ledgers, watermarkOf(tip, [protocol]).ledger) - 1
  // Of the newest ledgers of answers, which may be of all protocols, it is known for each contract what holds.
  const isPast = skipLatest ? through >= ledger : first + 2 * ledgers <= watermarkOf(tip).ledger
  if (!isPast || cacheable !== true || also.some((selection) => selection.cacheable !== true)) return null
  return quarantineKey(tip, through + 1) === '' ? { ledgers, first, through } : null
}

async function readSpan(
  read: ReadRows,
  cache: StateCache,
  { version, newest, span }: { readonly version: number; readonly newest: NewestRows | null; readonly span: LedgerSpan },
  request: StateRequest,
): Promise<StateRow[]> {
  const { protocol, ledger } = request
  const part = cache.span(protocol, version, ledger, span)
  const also = (request.also ?? []).map((selection) => part.reduce(selection))
  const rows = await read({ ...part.reduce(request), also, ledger: span.first }, span.through)
  part.learn(rows, newest?.readMs)
  return [...newestAt(rows, ledger), ...part.cachedRows]
}

/** With the rows after the request's ledger up to `through`, and then also those of entries that do not stand. */
type ReadRows = (request: StateRequest, through?: number) => Promise<StateRow[]>

async function readWithCache(
  read: ReadRows,
  changes: ReadChanges,
  { version, quarantine, newest }: { readonly version: number; readonly quarantine: string; readonly newest: NewestRows | null },
  cache: StateCache,
  request: StateRequest,
): Promise<StateRow[]> {
  const { protocol, ledger } = request
  // Rows of a quarantined partition come later, at ledgers that were followed before.
  const known = quarantine === '' ? await cache.changes.upTo(protocol, version, ledger, changes) : null
  const part = cache.asOf(protocol, version, ledger, quarantine, known)
  const also = (request.also ?? []).map((selection) => part.reduce(selection))
  const rows = await read({ ...part.reduce(request), also })
  part.learn(rows, newest?.readMs)
  return [...rows, ...part.cachedRows]
}

/** In any order; a row that two statements select occurs twice. */
async function readRows(
  reading: Reading & { readonly version: number },
  newestRows: NewestRows | null,
  request: StateRequest,
  through?: number,
): Promise<StateRow[]> {
  const { version } = reading
  const { protocol, ledger, contracts, keys = [], skipLatest = false, also = [] } = request
  const known = [request, ...also].map((selection) => ({ selection, rows: newestRows?.of(selection) ?? null }))
  const unknown = known.flatMap(({ selection, rows }) => (rows === null ? [selection] : []))
  const isSkipped = skipLatest && unknown.includes(request)
  // Once each, though two selections may name it.
  const newest = [...new Set(known.flatMap(({ rows }) => rows ?? []))]
  for (const selections of statements(isSkipped ? unknown.filter((selection) => selection !== request) : unknown)) {
    newest.push(...(await select(reading, 'state_latest', latest(request, selections, version))))
  }
  const older: StateRef[] = [
    ...(isSkipped ? contracts.flatMap((contract) => keys.map((key) => ({ contract, key }))) : []),
    ...newest.filter((row) => row.ledger > ledger),
  ]
  const earlier: StateRow[] = []
  for (const statement of stateOfKeys(protocol, version, ledger, older, through)) {
    earlier.push(...(await select(reading, 'state_of_keys', statement)))
  }
  const rows = [...newest.filter((row) => row.ledger <= ledger), ...earlier]
  return through === undefined ? rows.filter((row) => standsAt(row, ledger)) : rows
}

/** Every row of a protocol that belongs to no account. Accounts have most of them, so all are looked at. */
const WHOLE_SQL = `SELECT ${stateColumns()} FROM state_latest_v1
  WHERE protocol = {protocol:String} AND adapter_version = {version:UInt16} AND key >= {from:String}
  ORDER BY contract, key, ledger DESC LIMIT 1 BY contract, key LIMIT {rows:UInt32}`
/** Of all protocols: they take more than half of the cache. 10,000 pools have about 33,000. */
const MOST_WHOLE_ROWS = 40_000
/** It waits for the statements of requests, and a line of the log is not that of one of them. */
const OF_ALL_REQUESTS: QueryOptions = { tag: { route: 'every route', requestId: '' }, yields: true }

/** Puts what requests have in common into the cache before they ask for it, contract by contract. */
async function readWhole(
  reading: Reading,
  cache: StateCache,
  { protocol, version }: { readonly protocol: ProtocolId; readonly version: number },
): Promise<WholeRead> {
  // That of all protocols: an answer over several of them is as of it.
  const { ledger } = watermarkOf(reading.tip)
  // Without the rows of a quarantined partition it would not be whole.
  if (quarantineKey(reading.tip, ledger) !== '') return 'unread'
  const changes = await cache.changes.upTo(protocol, version, ledger, changesOf(reading, { protocol, version }))
  if (changes === null) return 'unread'
  const readMs = performance.now()
  const most = MOST_WHOLE_ROWS - cache.wholeRows({ except: protocol })
  const query_params = { protocol, version, ledger, from: NON_ACCOUNT_KEYS.keyFrom, rows: most + 1 }
  const rows = await select(reading, 'state_of_protocol', { query: WHOLE_SQL, query_params }, 0)
  if (rows.length > most) {
    cache.forgetWhole(protocol)
    return 'too_large'
  }
  await cache.learnWhole(protocol, version, { ledger, readMs }, changes, rows)
  return 'read'
}

function byContractAndKey(a: StateRow, b: StateRow): number {
  if (a.contract !== b.contract) return a.contract < b.contract ? -1 : 1
  return a.key === b.key ? 0 : a.key < b.key ? -1 : 1
}
