// Inserts rows into a table: checks and encodes them, sends them as JSONCompactEachRow, and retries while the engine is not reachable.

import { Readable } from 'node:stream'
import { constants, zstdCompressSync } from 'node:zlib'
import { OrreryError } from '@orrery/errors'
import type { ClickHouseConnection } from '../connection.ts'
import type { Table } from './column.ts'
import type { TextMemory } from './text-memory.ts'

/** Rows of one body. Bodies that wait at the same time share a request, in `insert-group.ts`. */
const ROWS_AT_ONCE = 20_000
/** Pieces are sent in blocks of this size: thousands of them are rows of one ledger each. */
const BLOCK_BYTES = 256 * 1024
/** Most bytes of a request that is sent without the streams of the client. */
const SMALL_BYTES = BLOCK_BYTES
/** Text that becomes bytes at once: a text of megabytes would be in memory twice, and the first of them until the next full collection. */
const PIECE_CHARACTERS = 64 * 1024
/** Fast, and with a window that is small: Node keeps the memory of a compression until garbage is collected. */
const PACKING = { [constants.ZSTD_c_compressionLevel]: 1, [constants.ZSTD_c_windowLog]: 17 }
const LEAST_CHUNK_BYTES = 1_024

/** One request: rows of one table as text, in pieces. */
export interface InsertBody {
  readonly query: string
  readonly rows: number
  readonly pieces: readonly Uint8Array[]
  /** Each piece is a frame of zstd. Default: they are text. */
  readonly isPacked?: boolean
}

/**
 * Rows as requests of at most ROWS_AT_ONCE.
 * @param indexVersion last column of tables that have one.
 * @param memory where the text waits; by default in memory of Node's own choice.
 * @throws OrreryError `bug`/`row_refused` when one cannot be encoded.
 */
export function encodeRows<Row>(
  table: Table<Row>,
  rows: readonly Row[],
  indexVersion?: number,
  memory: Pick<TextMemory, 'write'> = { write: Buffer.from },
): InsertBody[] {
  if (indexVersion !== undefined) assertVersion(indexVersion)
  const query = insertInto(table, indexVersion !== undefined)
  const last = indexVersion === undefined ? [] : [indexVersion]
  const bodies: InsertBody[] = []
  for (let first = 0; first < rows.length; first += ROWS_AT_ONCE) {
    const ofRequest = rows.length <= ROWS_AT_ONCE ? rows : rows.slice(first, first + ROWS_AT_ONCE)
    bodies.push({ query, rows: ofRequest.length, pieces: encode(table, ofRequest, last, memory) })
  }
  return bodies
}

/** One text for each table: thousands of bodies may wait. */
const queries = new WeakMap<object, Map<boolean, string>>()

function insertInto(table: Table<never>, hasVersion: boolean): string {
  const known = queries.get(table) ?? new Map<boolean, string>()
  queries.set(table, known)
  const found = known.get(hasVersion)
  if (found !== undefined) return found
  const columns = hasVersion ? [...table.columns, 'adapter_version'] : table.columns
  const query = `INSERT INTO ${table.name} (${columns.join(', ')}) FORMAT JSONCompactEachRow`
  known.set(hasVersion, query)
  return query
}

/** The same rows as one frame of zstd. Frames may follow each other in a request. */
export function packBody({ query, rows, pieces }: InsertBody): InsertBody {
  const text = Buffer.concat(pieces)
  const frame = zstdCompressSync(text, { params: PACKING, chunkSize: Math.max(LEAST_CHUNK_BYTES, text.length >> 2) })
  // Of its own size: what was allocated for it may be much larger.
  return { query, rows, pieces: [Uint8Array.from(frame)], isPacked: true }
}

/** Requests of one table as few as their rows allow, in the same order. Text and frames are not joined. */
export function joinBodies(bodies: readonly InsertBody[]): InsertBody[] {
  const joined: InsertBody[] = []
  let group: InsertBody[] = []
  let rows = 0
  const close = (): void => {
    const [first] = group
    if (first !== undefined) joined.push({ ...first, rows, pieces: group.flatMap(({ pieces }) => pieces) })
    group = []
    rows = 0
  }
  for (const body of bodies) {
    if (rows + body.rows > ROWS_AT_ONCE || group[0]?.isPacked !== body.isPacked) close()
    group.push(body)
    rows += body.rows
  }
  close()
  return joined
}

/** Sends requests of one table as one: compressed, if one of them is. Resolves when the engine has acknowledged it. */
export async function sendInsert(connection: ClickHouseConnection, bodies: readonly InsertBody[]): Promise<void> {
  const query = bodies[0]?.query
  if (query === undefined) return
  const isPacked = bodies.some((body) => body.isPacked)
  const sent = isPacked ? joinBodies(bodies).map((body) => (body.isPacked ? body : packBody(body))) : bodies
  const headers: Record<string, string> = isPacked ? { 'content-encoding': 'zstd' } : {}
  const pieces = sent.flatMap((body) => body.pieces)
  const name = `insert_${query.split(' ')[2]}`
  if (pieces.reduce((sum, { length }) => sum + length, 0) <= SMALL_BYTES) {
    const rows = Buffer.concat(pieces)
    await connection.attempt(name, () => connection.client.insertSmall(query, rows, headers))
    return
  }
  // `exec` instead of `insert`: the text is made already, the client would make it a second time for a retry.
  await connection.attempt(name, async () => {
    const values = Readable.from(blocksOf(pieces), { objectMode: false })
    const result = await connection.client.exec({ query, values, http_headers: headers })
    await result.stream.resume().toArray()
  })
}

/** Joined as they are sent, so that a request of megabytes is not in memory twice. */
function* blocksOf(pieces: readonly Uint8Array[]): Generator<Uint8Array> {
  let block: Uint8Array[] = []
  let bytes = 0
  for (const piece of pieces) {
    block.push(piece)
    bytes += piece.length
    if (bytes < BLOCK_BYTES) continue
    yield Buffer.concat(block)
    block = []
    bytes = 0
  }
  if (block.length > 0) yield Buffer.concat(block)
}

/** The body of one request, in pieces. */
function encode<Row>(table: Table<Row>, rows: readonly Row[], last: readonly number[], memory: Pick<TextMemory, 'write'>): Uint8Array[] {
  const pieces: Uint8Array[] = []
  let lines = ''
  for (const row of rows) {
    const cells = table.encode(row)
    cells.push(...last)
    lines += `${JSON.stringify(cells)}\n`
    if (lines.length < PIECE_CHARACTERS) continue
    pieces.push(memory.write(lines))
    lines = ''
  }
  if (lines !== '') pieces.push(memory.write(lines))
  return pieces
}

function assertVersion(version: number): void {
  if (Number.isInteger(version) && version > 0 && version < 65_536) return
  throw new OrreryError('bug', 'row_refused', 'An index version is a whole number from 1 to 65535.', {
    context: { indexVersion: version },
  })
}
