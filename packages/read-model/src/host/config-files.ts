// config.xml and users.xml of the embedded engine. Users are defined here because the engine refuses CREATE USER in this mode.
// It listens on loopback only, and answers only requests that carry the secret of a user. Both files are deleted once it answers.

import { type EngineSecrets, HOST_USERS, type HostUser, randomSecret, SECRET_HEADER, sha256Hex } from './credentials.ts'

export interface ServerLimits {
  /** Memory of the whole engine, bytes. Above it statements are refused and the engine continues. */
  readonly memoryBytes: number
  /** Statements at once. */
  readonly concurrentQueries: number
  /** Threads that one statement of an analyst may use. */
  readonly analystThreads: number
  /**
   * Statements at once of analysts. The rest of `concurrentQueries` is reserved for the API, the writer and migrations.
   */
  readonly analystQueries: number
}

const STATUS_QUERIES = 4
const ANALYST_SECONDS = 60
const ANALYST_ROWS_READ = 2_000_000_000
const ANALYST_RESULT_ROWS = 1_000_000
/** The lowest priority of a thread: the others of the engine, and this process, are served first. Without CAP_SYS_NICE the engine leaves it out. */
const ANALYST_NICE = 19
/** Of statements: one with a larger number pauses between its blocks while one with a smaller number runs. Those of dear answers have 2 (`YIELDING`). */
const API_PRIORITY = 1
const ANALYST_PRIORITY = 3
/** The longest pause for one block, so that a statement ends also where others always run. */
const ANALYST_PAUSE_MS = 50
/** What sorting, grouping and joining may write to the data folder's disk, bytes: of one statement, and of all that run at once. */
const ANALYST_SPILL_BYTES = 1024 ** 3
const ANALYST_SPILL_BYTES_IN_ALL = 2 * ANALYST_SPILL_BYTES

export interface ServerConfig {
  /** 0: whichever port is free. */
  readonly httpPort: number
  readonly logFile: string
  /** The only folder that `BACKUP` writes to and `RESTORE` reads from. */
  readonly backupFolder: string
  readonly limits: ServerLimits
  /** Keeps `system.query_log`: every statement with its tag. Off: it costs a write for each statement. */
  readonly queryLog: boolean
  /** Every inserted and merged part is on the disk before it is acknowledged, so that it survives a power loss. */
  readonly syncs: boolean
  readonly secrets: EngineSecrets
}

// The defaults leave writing to the disk to the OS, which may write a checkpoint before the rows that it counts. A merged part replaces parts that
// were synced, so it is synced as well; the minimum of 1 means every merge.
const SYNCED_PARTS = `    <fsync_after_insert>1</fsync_after_insert>
    <fsync_part_directory>1</fsync_part_directory>
    <min_rows_to_fsync_after_merge>1</min_rows_to_fsync_after_merge>
    <min_compressed_bytes_to_fsync_after_merge>1</min_compressed_bytes_to_fsync_after_merge>
`

// Each ledger adds a small part to most tables. The engine's default merges a part of up to some megabytes with one small part for almost every
// ledger: it chooses one with five small ones, and its heuristic then leaves out all but one of these. Decision 73 has the figures.
const MERGES_OF_SMALL_PARTS = `    <merge_selector_enable_heuristic_to_remove_small_parts_at_right>0</merge_selector_enable_heuristic_to_remove_small_parts_at_right>
    <merge_selector_base>7</merge_selector_base>
`

/**
 * Space that the engine leaves free on its disk, bytes: below it inserts and merges are refused before they begin (NOT_ENOUGH_SPACE), and tried again. A disk
 * that ends in the middle of a merge has left a part with an empty file, which the engine took for whole.
 */
const FREE_BYTES = 64 * 1024 ** 2

export function configXml({ httpPort, logFile, backupFolder, limits, queryLog, syncs, secrets }: ServerConfig): string {
  return `<clickhouse>
  <!-- the level stands on the command line: local mode does not hear it here -->
  <logger><log>${text(logFile)}</log><size>10M</size><count>2</count></logger>
  <timezone>UTC</timezone>
  <listen_host>127.0.0.1</listen_host>
  <http_port>${httpPort}</http_port>
  <users_config>users.xml</users_config>
  <max_server_memory_usage>${limits.memoryBytes}</max_server_memory_usage>
  <max_concurrent_queries>${limits.concurrentQueries}</max_concurrent_queries>
  <!-- longer than clients keep idle sockets, so that a client never writes into one that the engine has just closed -->
  <keep_alive_timeout>30</keep_alive_timeout>
  <mark_cache_size>268435456</mark_cache_size>
  <!-- how often the engine compares its memory with the system's figure: the default, 20 times a second, is a third of its CPU while it is idle -->
  <memory_worker_period_ms>2000</memory_worker_period_ms>
  <background_processing_pool_thread_sleep_seconds_if_nothing_to_do>2</background_processing_pool_thread_sleep_seconds_if_nothing_to_do>
  <!-- each table looks for merges when rows were inserted, and by itself half as often each time that it has found none; the default is a tenth less often -->
  <background_processing_pool_task_sleep_seconds_when_no_work_multiplier>2</background_processing_pool_task_sleep_seconds_when_no_work_multiplier>
  <background_move_processing_pool_thread_sleep_seconds_if_nothing_to_do>2</background_move_processing_pool_thread_sleep_seconds_if_nothing_to_do>
  <background_streaming_processing_pool_thread_sleep_seconds_if_nothing_to_do>2</background_streaming_processing_pool_thread_sleep_seconds_if_nothing_to_do>
  <backups><allowed_path>${text(backupFolder)}</allowed_path></backups>
  <merge_tree>
    <min_free_disk_bytes_to_perform_insert>${FREE_BYTES}</min_free_disk_bytes_to_perform_insert>
${MERGES_OF_SMALL_PARTS}${syncs ? SYNCED_PARTS : ''}  </merge_tree>
  <storage_configuration><disks><default><keep_free_space_bytes>${FREE_BYTES}</keep_free_space_bytes></default></disks></storage_configuration>
${queryLog ? '  <query_log><database>system</database><table>query_log</table><flush_interval_milliseconds>10000</flush_interval_milliseconds></query_log>\n' : ''}  <!-- The user is part of the handler, so a request cannot choose another one, and there is no handler for a request without a secret.
       The native protocol has no such handlers, so it is off. -->
  <http_handlers>
${HOST_USERS.map((user) => handler(user, secrets[user])).join('')}  </http_handlers>
</clickhouse>
`
}

function handler(user: HostUser, secret: string): string {
  return `    <rule>
      <headers><${SECRET_HEADER}>${text(secret)}</${SECRET_HEADER}></headers>
      <handler><type>dynamic_query_handler</type><query_param_name>query</query_param_name><user>${user}</user></handler>
    </rule>
`
}

/**
 * `databases` is a grant pattern: `orrery*` covers `orrery` and whatever tests make beside it.
 *
 * `default` is the engine's own user: local mode logs it in without a password before it listens, and refuses to start when it has
 * one. No handler names it, so no request is ever made as `default`; it has only the grant of the statement that makes the engine listen.
 * The others have passwords that are not stored: a handler names its user without one.
 */
export function usersXml(databases: string, limits: ServerLimits): string {
  return `<clickhouse>
  <profiles>
    <default>
      <!-- behaviour of the release that servers run, whatever this engine's defaults are -->
      <compatibility>26.3</compatibility>
      <async_insert>0</async_insert>
      <output_format_json_quote_64bit_integers>1</output_format_json_quote_64bit_integers>
      <output_format_json_quote_decimals>1</output_format_json_quote_decimals>
      <date_time_input_format>best_effort</date_time_input_format>
      <implicit_select>0</implicit_select>
      <!-- answers are small: threads that format one cost more than they save -->
      <output_format_parallel_formatting>0</output_format_parallel_formatting>
      <allow_introspection_functions>0</allow_introspection_functions>
      <!-- no page of another origin reads an answer; no statement reads the header with the secret -->
${fixed('add_http_cors_header', 0)}${fixed('allow_get_client_http_header', 0)}      <constraints>
${constant('add_http_cors_header')}${constant('allow_get_client_http_header')}      </constraints>
    </default>
    <reader>
      <profile>default</profile>
      <readonly>2</readonly>
      <cancel_http_readonly_queries_on_client_close>1</cancel_http_readonly_queries_on_client_close>
      <max_execution_time>10</max_execution_time>
      <max_memory_usage>${Math.floor(limits.memoryBytes / 2)}</max_memory_usage>
    </reader>
    <api>
      <!-- its statements are keyed and small: starting threads for one costs more than it reads, and many run at once -->
      <profile>reader</profile>
      <max_threads>1</max_threads>
      <priority>${API_PRIORITY}</priority>
    </api>
    <status>
      <profile>reader</profile>
${fixed('max_concurrent_queries_for_user', STATUS_QUERIES)}    </status>
    <analyst>
      <profile>reader</profile>
${analystLimits(limits)}    </analyst>
  </profiles>
  <users>
    <default>
      <password></password>
      <networks><ip>127.0.0.1</ip></networks>
      <profile>default</profile>
      <quota>default</quota>
      <grants><query>GRANT SYSTEM LISTEN ON *.*</query></grants>
    </default>
${user('admin', 'default', [
  `GRANT CREATE DATABASE, CREATE TABLE, CREATE VIEW, DROP, ALTER, SHOW, SELECT, INSERT, OPTIMIZE, TRUNCATE, SYSTEM MERGES, BACKUP ON ${databases}.*`,
  'GRANT TABLE ENGINE ON *',
  'GRANT SELECT ON system.*',
  'GRANT KILL QUERY, SYSTEM FLUSH LOGS ON *.*',
])}${user('writer', 'default', [`GRANT SELECT, INSERT ON ${databases}.*`])}${user('api', 'api', [
  `GRANT SELECT ON ${databases}.*`,
])}${user('status', 'status', [`GRANT SELECT ON ${databases}.*`])}${user('analyst', 'analyst', [`GRANT SELECT, SHOW ON ${databases}.*`])}  </users>
  <quotas><default/></quotas>
</clickhouse>
`
}

/** Their values, and constraints without which a statement could change them. */
function analystLimits({ memoryBytes, analystThreads, analystQueries }: ServerLimits): string {
  const analystBytes = Math.floor(memoryBytes / 4)
  const constants = {
    max_concurrent_queries_for_user: analystQueries,
    max_memory_usage_for_user: analystBytes,
    max_temporary_data_on_disk_size_for_user: ANALYST_SPILL_BYTES_IN_ALL,
    os_threads_nice_value_query: ANALYST_NICE,
    priority: ANALYST_PRIORITY,
    low_priority_query_wait_time_ms: ANALYST_PAUSE_MS,
  }
  const bounds = {
    max_memory_usage: analystBytes,
    max_threads: analystThreads,
    max_execution_time: ANALYST_SECONDS,
    max_rows_to_read: ANALYST_ROWS_READ,
    max_result_rows: ANALYST_RESULT_ROWS,
    max_temporary_data_on_disk_size_for_query: ANALYST_SPILL_BYTES,
  }
  const names = [...Object.keys(constants), 'cancel_http_readonly_queries_on_client_close']
  return `${Object.entries({ ...constants, ...bounds })
    .map(([setting, value]) => fixed(setting, value))
    .join('')}      <constraints>
${names.map(constant).join('')}${Object.entries(bounds)
  .map(([setting, most]) => atMost(setting, most))
  .join('')}      </constraints>
`
}

function user(name: HostUser, profile: string, grants: readonly string[]): string {
  return `    <${name}>
      <password_sha256_hex>${sha256Hex(randomSecret())}</password_sha256_hex>
      <networks><ip>127.0.0.1</ip></networks>
      <profile>${profile}</profile>
      <quota>default</quota>
      <grants>${grants.map((grant) => `<query>${text(grant)}</query>`).join('')}</grants>
    </${name}>
`
}

function fixed(setting: string, value: number): string {
  return `      <${setting}>${value}</${setting}>\n`
}

function constant(setting: string): string {
  return `        <${setting}><const/></${setting}>\n`
}

// 0 means "no limit" to the engine, so it must be refused as well.
function atMost(setting: string, max: number): string {
  return `        <${setting}><min>1</min><max>${max}</max></${setting}>\n`
}

function text(value: string): string {
  return value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
