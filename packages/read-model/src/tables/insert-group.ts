// Groups concurrent inserts into the same table into one: at the tip every partition writes a few rows at once, and
// the engine's cost of an insert hardly depends on its rows.

import { setTimeout as sleep } from 'node:timers/promises'
import type { ClickHouseConnection } from '../connection.ts'
import type { Table } from './column.ts'
import { encodeRows, type InsertBody, sendInsert } from './insert.ts'

/** How long a small insert waits for others. */
const GATHER_MS = 5
/** How long what goes last waits for rows at most. */
const LAST_WAITS_MS = 250
/** Rows of one request: enough that the request's own cost vanishes, few enough that its text stays some tens of megabytes. */
const ROWS_AT_MOST = 60_000

interface Waiting {
  readonly body: InsertBody
  readonly done: PromiseWithResolvers<void>
}

/** One for each connection that writes. */
export class InsertGroups {
  readonly #connection: ClickHouseConnection
  readonly #lastWaitsMs: number
  readonly #waiting = new Map<string, Waiting[]>()
  /** Of every body that was given to `send` and has not ended. */
  readonly #unstored = new Set<Promise<void>>()

  constructor(connection: ClickHouseConnection, lastWaitsMs = LAST_WAITS_MS) {
    this.#connection = connection
    this.#lastWaitsMs = lastWaitsMs
  }

  /**
   * Resolves when the engine has acknowledged all rows. No rows: no request. Nothing is sent when a row cannot be encoded, and others'
   * rows go without it.
   */
  async insert<Row>(table: Table<Row>, rows: readonly Row[], indexVersion?: number): Promise<void> {
    await this.#addAll(encodeRows(table, rows, indexVersion))
  }

  /**
   * As `insert`, once everything that was given to `send` before has ended, stored or not, or has taken 250 ms: partitions whose rows are stored at
   * different times then share the request.
   */
  async insertLast<Row>(table: Table<Row>, rows: readonly Row[]): Promise<void> {
    const bodies = encodeRows(table, rows)
    if (this.#unstored.size > 0) {
      const waiting = new AbortController()
      const isLate = sleep(this.#lastWaitsMs, undefined, { signal: waiting.signal, ref: false }).catch(() => undefined)
      await Promise.race([Promise.allSettled(this.#unstored), isLate])
      waiting.abort()
    }
    await this.#addAll(bodies)
  }

  /** The rows of a ledger in one table, encoded already. All requests have ended before an error is thrown. */
  async send(bodies: readonly InsertBody[]): Promise<void> {
    const done = this.#addAll(bodies)
    this.#unstored.add(done)
    await done.finally(() => this.#unstored.delete(done))
  }

  async #addAll(bodies: readonly InsertBody[]): Promise<void> {
    const results = await Promise.allSettled(bodies.map((body) => this.#add(body)))
    const failed = results.find((result) => result.status === 'rejected')
    if (failed !== undefined) throw failed.reason
  }

  #add(body: InsertBody): Promise<void> {
    const done = Promise.withResolvers<void>()
    const known = this.#waiting.get(body.query)
    if (known) known.push({ body, done })
    else {
      const waiting = [{ body, done }]
      this.#waiting.set(body.query, waiting)
      void this.#sendAll(body.query, waiting)
    }
    return done.promise
  }

  /** Until nothing waits for this table. Rows that arrive during a request go with the next one. */
  async #sendAll(query: string, waiting: Waiting[]): Promise<void> {
    while (waiting.length > 0) {
      if (waiting.reduce((sum, { body }) => sum + body.rows, 0) < ROWS_AT_MOST) await sleep(GATHER_MS)
      const group = takeGroup(waiting)
      try {
        await sendInsert(
          this.#connection,
          group.map(({ body }) => body),
        )
        for (const { done } of group) done.resolve()
      } catch (error) {
        for (const { done } of group) done.reject(error)
      }
    }
    this.#waiting.delete(query)
  }
}

/** At least one, and as many more as fit into a request. */
function takeGroup(waiting: Waiting[]): Waiting[] {
  let rows = 0
  const end = waiting.findIndex(({ body }, n) => {
    rows += body.rows
    return n > 0 && rows > ROWS_AT_MOST
  })
  return waiting.splice(0, end < 0 ? waiting.length : end)
}
