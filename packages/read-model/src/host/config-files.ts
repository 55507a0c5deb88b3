// config.xml and users.xml of the embedded engine. Users live here because the engine refuses CREATE USER in this mode.
// Everything listens on loopback only, and every user that can reach a table has a password, grants and limits.

import { type HostUser, type Passwords, sha256Hex } from './credentials.ts'

export interface ServerLimits {
  /** Memory of the whole engine, bytes. Above it statements are refused, the engine lives on. */
  readonly memoryBytes: number
  /** Statements at once; the one that keeps the engine running counts too. */
  readonly concurrentQueries: number
}

export interface ServerConfig {
  /** 0: whichever port is free. */
  readonly httpPort: number
  /** Native protocol (clickhouse-client, BI tools): null leaves it off. */
  readonly tcpPort: number | null
  readonly logFile: string
  readonly limits: ServerLimits
  /** Keeps `system.query_log`: every statement with its tag. Off: it costs a write for each statement. */
  readonly queryLog: boolean
}

export function configXml({ httpPort, tcpPort, logFile, limits, queryLog }: ServerConfig): string {
  return `<clickhouse>
  <!-- the level stands on the command line: local mode does not hear it here -->
  <logger><log>${text(logFile)}</log><size>10M</size><count>2</count></logger>
  <timezone>UTC</timezone>
  <listen_host>127.0.0.1</listen_host>
  <http_port>${httpPort}</http_port>
${tcpPort === null ? '' : `  <tcp_port>${tcpPort}</tcp_port>\n`}  <users_config>users.xml</users_config>
  <max_server_memory_usage>${limits.memoryBytes}</max_server_memory_usage>
  <max_concurrent_queries>${limits.concurrentQueries}</max_concurrent_queries>
  <!-- longer than clients keep idle sockets, so that a client never writes into one that the engine has just closed -->
  <keep_alive_timeout>30</keep_alive_timeout>
  <mark_cache_size>268435456</mark_cache_size>
${queryLog ? '  <query_log><database>system</database><table>query_log</table><flush_interval_milliseconds>1000</flush_interval_milliseconds></query_log>\n' : ''}</clickhouse>
`
}

/**
 * `databases` is a grant pattern: `orrery*` covers `orrery` and whatever tests make beside it.
 *
 * `default` is the engine's own user: local mode logs it in without a password before it listens, so it can have none.
 * Its grants are what the keeper statement needs and nothing else: it sees no table and no file.
 */
export function usersXml(passwords: Passwords, databases: string, limits: ServerLimits): string {
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
      <allow_introspection_functions>0</allow_introspection_functions>
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
      <output_format_parallel_formatting>0</output_format_parallel_formatting>
    </api>
    <analyst>
      <profile>reader</profile>
${bounded('max_execution_time', 60)}${bounded('max_memory_usage', Math.floor(limits.memoryBytes / 2))}${bounded('max_rows_to_read', 2_000_000_000)}${bounded('max_result_rows', 1_000_000)}      <constraints>
${atMost('max_execution_time', 60)}${atMost('max_memory_usage', Math.floor(limits.memoryBytes / 2))}${atMost('max_rows_to_read', 2_000_000_000)}${atMost('max_result_rows', 1_000_000)}      </constraints>
    </analyst>
  </profiles>
  <users>
    <default>
      <password></password>
      <networks><ip>127.0.0.1</ip></networks>
      <profile>default</profile>
      <quota>default</quota>
      <grants><query>GRANT SYSTEM LISTEN ON *.*</query><query>GRANT SELECT ON system.numbers</query></grants>
    </default>
${user('admin', passwords, 'default', [
  `GRANT CREATE DATABASE, CREATE TABLE, CREATE VIEW, DROP, ALTER, SHOW, SELECT, INSERT, OPTIMIZE, TRUNCATE, SYSTEM MERGES ON ${databases}.*`,
  'GRANT TABLE ENGINE ON *',
  'GRANT SELECT ON system.*',
  'GRANT KILL QUERY, SYSTEM FLUSH LOGS ON *.*',
])}${user('writer', passwords, 'default', [`GRANT SELECT, INSERT ON ${databases}.*`])}${user('api', passwords, 'api', [
  `GRANT SELECT ON ${databases}.*`,
])}${user('analyst', passwords, 'analyst', [`GRANT SELECT, SHOW ON ${databases}.*`])}  </users>
  <quotas><default/></quotas>
</clickhouse>
`
}

function user(name: HostUser, passwords: Passwords, profile: string, grants: readonly string[]): string {
  return `    <${name}>
      <password_sha256_hex>${sha256Hex(passwords[name])}</password_sha256_hex>
      <networks><ip>127.0.0.1</ip></networks>
      <profile>${profile}</profile>
      <quota>default</quota>
      <grants>${grants.map((grant) => `<query>${text(grant)}</query>`).join('')}</grants>
    </${name}>
`
}

function bounded(setting: string, value: number): string {
  return `      <${setting}>${value}</${setting}>\n`
}

// 0 means "no limit" to the engine, so it must be refused as well.
function atMost(setting: string, max: number): string {
  return `        <${setting}><min>1</min><max>${max}</max></${setting}>\n`
}

function text(value: string): string {
  return value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
