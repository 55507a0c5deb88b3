// The connection of one user to ClickHouse: a client with fixed settings, typed errors, and retries of temporary errors.

import { setTimeout as delay } from 'node:timers/promises'
import { type ClickHouseClient, type ClickHouseSettings, createClient } from '@clickhouse/client'
import type { OrreryError } from '@orrery/errors'
import type { ProtocolId } from '@orrery/protocol-kit'
import { traced } from '@orrery/tracing'
import { classify } from './clickhouse-error.ts'
import { openRowReader, type RowReader } from './select-rows.ts'
import { openServers, type StatementClient } from './servers.ts'

/** Contracts of a protocol that hold no positions, and whose rows answers about all pools need: factories, routers, backstops. */
export type SharedContracts = (protocol: ProtocolId) => readonly string[]

export interface ClickHouseAddress {
  /** `http://host:port` or `https://…`; several separated by commas. A statement goes to the one that answered the last one. */
  readonly url: string
  readonly user: string
  readonly password: string
  readonly database: string
  /** Headers instead of user and password: the embedded engine identifies Orrery's own connections by a secret. */
  readonly headers?: Readonly<Record<string, string>>
}

export interface ConnectionOptions extends ClickHouseAddress {
  /** Sockets at once for small statements, and as many for all others. */
  readonly maxConnections?: number
  /** How long after its first temporary failure a statement is retried before the error is passed on. */
  readonly retryForMs?: number
  /** Aborted when the server will not return at this address: from then on the first failure is final. */
  readonly gone?: AbortSignal
  /** Called before a statement is sent again because the server did not answer. */
  readonly onRetry?: (() => void) | undefined
}

/** A connection that closes itself: `await using connection = openClickHouse(…)`. */
export interface ClickHouseConnection extends AsyncDisposable {
  readonly database: string
  /** Host and port of the preferred server. */
  readonly where: string
  readonly client: StatementClient
  /** Settings of every statement that reads, beside those of the query. Not given: the user's own. */
  readonly readSettings?: ClickHouseSettings
  /** What statements read of a protocol with a quarantined partition all the same. Not given: nothing of the partition. */
  readonly sharedContracts?: SharedContracts
  /** Runs `work`; its errors become OrreryErrors. `unavailable` is retried with backoff, unless `signal` aborts. */
  attempt<T>(name: string, work: () => Promise<T>, options?: AttemptOptions): Promise<T>
  /** Ends the idle sockets: an engine that stops waits for them. */
  close(): Promise<void>
}

export interface AttemptOptions {
  /** Instead of the connection's own retry time. 0: the first failure is final. */
  readonly retryForMs?: number
  readonly signal?: AbortSignal | undefined
  /** The request for which the statement runs. */
  readonly tag?: QueryTag | undefined
  /** A further part of an answer, which is no statement of its own. */
  readonly isPart?: boolean
}

/** The request of a statement: goes into its `log_comment`, so that a slow one is found in `system.query_log` by its request. */
export interface QueryTag {
  readonly route: string
  readonly requestId: string
}

/**
 * Behaviour that changed between versions of ClickHouse and that Orrery relies on, sent with every request, so that a separately
 * configured server behaves like the embedded engine.
 */
export const PINNED_SETTINGS: ClickHouseSettings = {
  async_insert: 0,
  // An acknowledged insert is stored on its shard: a checkpoint must not be stored before rows that wait on another server.
  distributed_foreground_insert: 1,
  // A part of a statement that reads several tables of a cluster is read once from all shards. The default refuses such statements.
  distributed_product_mode: 'global',
  // Without one of its shards a cluster gives an error, not the rows of the others.
  skip_unavailable_shards: 0,
  output_format_json_quote_64bit_integers: 1,
  output_format_json_quote_decimals: 1,
  date_time_input_format: 'best_effort',
  // A null in a column that has none is an error, not a default.
  input_format_null_as_default: 0,
}

/**
 * Of a statement that reads or writes the rows of a large table, which takes minutes: the server says each minute that it goes on, before the request would
 * end for silence.
 */
export const SHOWS_PROGRESS = { send_progress_in_http_headers: 1, http_headers_progress_interval_ms: '60000' } as const

/** Of a statement that returns a few rows: starting threads for it, or to format its answer, costs more than it reads. */
export const FEW_ROWS: ClickHouseSettings = { max_threads: 1, output_format_parallel_formatting: 0 }

/**
 * The limits of a reader, sent with each of its statements, so that they apply to any user of any server: no writes, a
 * statement ends when its request is aborted, and none runs longer or takes more memory than this.
 * @param seconds The longest that a statement may run.
 * @param bytes The most memory that a statement may take.
 */
export function readSettings(seconds: number, bytes: number): ClickHouseSettings {
  return {
    // 2: these settings may still be set.
    readonly: '2',
    cancel_http_readonly_queries_on_client_close: 1,
    max_execution_time: seconds,
    timeout_overflow_mode: 'throw',
    max_memory_usage: `${bytes}`,
    // Statements are keyed and small, and many run at once.
    ...FEW_ROWS,
    // Reading some columns only for the rows that are left helps no statement here: they read in the order of the key, or sort what they
    // computed. Planning for it costs a tenth of a page.
    query_plan_optimize_lazy_materialization: 0,
  }
}

const REQUEST_TIMEOUT_MS = 120_000
const FIRST_PAUSE_MS = 100
const LONGEST_PAUSE_MS = 3_000

/** The URLs of an address, the preferred one first. */
export function urlsOf({ url }: Pick<ClickHouseAddress, 'url'>): string[] {
  return url.split(',').map((one) => one.trim())
}

export function openClickHouse(options: ConnectionOptions): ClickHouseConnection {
  const { user, password, database, headers, maxConnections = 16, retryForMs = 30_000, gone, onRetry } = options
  const clientOf = (url: string): ClickHouseClient =>
    createClient({
      url,
      username: user,
      password,
      database,
      ...(headers === undefined ? {} : { http_headers: { ...headers }, set_basic_auth_header: false }),
      application: 'orrery',
      max_open_connections: maxConnections,
      request_timeout: REQUEST_TIMEOUT_MS,
      // Long lists of keys travel in the body: as a URL they would be refused.
      use_multipart_params_auto: true,
      clickhouse_settings: PINNED_SETTINGS,
      log: { LoggerClass: SilentLogger },
    })
  const readerOf = (url: string): RowReader =>
    openRowReader({
      ...{ url, user, password, database, headers },
      settings: PINNED_SETTINGS,
      connections: maxConnections,
      timeoutMs: REQUEST_TIMEOUT_MS,
    })
  const servers = openServers(urlsOf(options), (url) => ({ client: clientOf(url), rows: readerOf(url) }))

  const attempt = <T>(name: string, work: () => Promise<T>, options: AttemptOptions = {}): Promise<T> => {
    if (options.isPart) return tried(name, work, options)
    const attributes = () => ({
      'db.system.name': 'clickhouse',
      'db.namespace': database,
      'db.query.summary': name,
      'server.address': servers.current().where,
    })
    return traced({ name, kind: 'client', attributes, onlyInside: true }, () => tried(name, work, options))
  }

  async function tried<T>(name: string, work: () => Promise<T>, options: AttemptOptions): Promise<T> {
    const { signal } = options
    const patienceMs = options.retryForMs ?? retryForMs
    // From the first failure, not from the start: a process that was suspended, or waited long for an answer, has not retried yet.
    let failedAtMs: number | null = null
    let pauseMs = FIRST_PAUSE_MS
    let answered: OrreryError | null = null
    for (let failures = 1; ; failures++) {
      const server = servers.current()
      try {
        return await work()
      } catch (thrown) {
        signal?.throwIfAborted()
        const error = classify(thrown, server.where, { statement: name })
        // Of several servers one that refused the connection says less than one that answered why it cannot run the statement.
        if (error.context.serverCode !== undefined) answered = error
        failedAtMs ??= performance.now()
        if (gone?.aborted) throw error
        const isLate = performance.now() - failedAtMs + pauseMs > patienceMs
        if (error.code === 'read_model_unreachable') servers.avoid(server)
        if (error.code !== 'read_model_unreachable') throw error
        if (isLate) throw answered ?? error
        onRetry?.()
        // Another server may answer at once.
        if (failures < servers.count) continue
        const wakers = [signal, gone].filter((it) => it !== undefined)
        await delay(pauseMs, undefined, { signal: AbortSignal.any(wakers) }).catch(() => signal?.throwIfAborted())
        pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)
      }
    }
  }

  const { client, close } = servers
  return { database, where: servers.current().where, client, attempt, close, [Symbol.asyncDispose]: close }
}

/** The client's own log could quote rows; everything that matters comes as an error. */
class SilentLogger {
  trace(): void {}
  debug(): void {}
  info(): void {}
  warn(): void {}
  error(): void {}
}
