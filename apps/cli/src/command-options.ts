// The options of every command but `orrery org`.

import type { ExportFormat } from '@orrery/read-model'
import { areHttpUrls } from '@orrery/service-kit'
import { z } from 'zod'
import { addressRanges, ledger, type OptionTable, onOff, option, port, text, wholeNumber } from './options.ts'

const LOG_LEVELS = ['error', 'warn', 'info', 'debug', 'silent'] as const

const json = option('--json', 'print results as JSON on stdout, one document for each line', onOff())
const logLevelOr = (whenNotGiven: string) =>
  option(
    '--log-level <level>',
    `lowest level of log lines on stderr: ${LOG_LEVELS.join(', ')}; ${whenNotGiven}`,
    z.enum(LOG_LEVELS, { error: `must be one of ${LOG_LEVELS.join(', ')}` }).optional(),
  )
const internalPort = option(
  '--internal-port <port>',
  'port of /livez, /readyz and /metrics, 0 for any free one; 9090 when not given',
  port(9090),
)

const internalHost = option(
  '--internal-host <address>',
  'address of the internal port, which needs no credential and must never be public; 127.0.0.1 when not given, whatever --host is',
  text().default('127.0.0.1'),
)
const trustedProxies = option(
  '--trusted-proxies <ranges>',
  'addresses or ranges of proxies whose X-Forwarded-For is trusted, separated by commas; none when not given',
  addressRanges().optional(),
)

const slowStatementMs = option(
  '--slow-statement-ms <milliseconds>',
  'log each ClickHouse statement of a request that takes at least so long, with its route and request id; 1000 when not given, 0 for none',
  wholeNumber(0, 999_999).optional(),
)

const webhookAllowPrivate = option(
  '--webhook-allow-private',
  'let webhooks point to http, other ports and addresses that are not public: for development and closed networks',
  onOff(),
)

const webhookRequests = option(
  '--webhook-requests <number>',
  'most requests to receivers of webhooks at the same time; 256 when not given',
  wholeNumber(1, 9_999).optional(),
)

const source = {
  lake: option(
    '--lake <folder|url>',
    'SEP-54 lake to read, in a folder or over HTTP; with --rpc, the lake is read first',
    text().optional(),
  ),
  lakeRequests: option(
    '--lake-requests <number>',
    'most requests to a lake over HTTP at the same time; 64 when not given',
    wholeNumber(1, 1_000).optional(),
  ),
  rpc: option('--rpc <url>', 'Stellar RPC to read and follow; several separated by commas, the preferred one first', text().optional()),
  follow: option('--follow', 'wait for new files of a lake in a folder; a lake over HTTP and an RPC are always followed', onOff()),
  fromLedger: option(
    '--from-ledger <ledger>',
    "first ledger of a new index; when not given, the network's first ledger or, if later, the oldest that the source reports (an RPC with a datastore may serve older ones)",
    ledger().optional(),
  ),
} as const satisfies OptionTable

/** `MAX_PARTITIONS` of the protocols, for which the help does not wait. */
const MOST_PARTITIONS = 1_024

export const UP_OPTIONS = {
  network: option('--network <name|file>', 'network registry: demo, mainnet, testnet, or a file; demo when not given', text().optional()),
  ...source,
  data: option(
    '--data <folder>',
    'data folder: event log, ClickHouse data, organizations and secrets; .orrery when not given',
    text().default('.orrery'),
  ),
  host: option('--host <address>', 'address to listen on; 127.0.0.1 when not given', text().default('127.0.0.1')),
  port: option('--port <port>', 'port of /v1, 0 for any free one; 8080 when not given', port(8080)),
  internalPort,
  internalHost,
  clickhousePort: option(
    '--clickhouse-port <port>',
    'port of the ClickHouse address for analysts on 127.0.0.1; any free one (0) when not given',
    port(0),
  ),
  partitions: option(
    '--partitions <number>',
    'partitions of each protocol in a new data folder, which keeps their number; 4 when not given, 1 for the demo, and FxDAO always has 1',
    wholeNumber(1, MOST_PARTITIONS).optional(),
  ),
  trustedProxies,
  allowUnconfinedAnalyst: option(
    '--allow-unconfined-analyst',
    'open the ClickHouse address for analysts even if the ClickHouse process cannot be confined; analysts can then read every file that this user may read',
    onOff(),
  ),
  unsyncedClickhouse: option(
    '--unsynced-clickhouse',
    'do not sync inserted rows to the disk; a power loss can then lose rows of stored ledgers, and orrery verify finds them',
    onOff(),
  ),
  slowStatementMs,
  webhookAllowPrivate,
  webhookRequests,
  skipVerify: option('--skip-verify', 'do not verify the last hour in the background after an unclean end', onOff()),
  exitWhenCaughtUp: option('--exit-when-caught-up', 'index all ledgers that the source has, then stop', onOff()),
  logLevel: logLevelOr('info with --json, else warn'),
  json,
} as const satisfies OptionTable

const clickhouse = {
  clickhouseUrl: option(
    '--clickhouse-url <url>',
    'ClickHouse over HTTP; several servers with the same tables separated by commas, the preferred one first',
    text().refine(areHttpUrls, 'must be an http or https address, or several separated by commas'),
  ),
  clickhouseUser: option('--clickhouse-user <name>', 'ClickHouse user', text()),
  clickhousePassword: option(
    '--clickhouse-password <password>',
    'its password; prefer the variable, because options are visible in the list of processes',
    text(),
  ),
  clickhouseDatabase: option('--clickhouse-database <name>', 'ClickHouse database; orrery when not given', text().default('orrery')),
} as const satisfies OptionTable

// Processes of their own read and check the variables themselves; a flag stands for the variable of its name. They have no demo to fall back on.
const logLevel = logLevelOr('info when not given')
const namedNetwork = option('--network <name|file>', 'network registry: demo, mainnet, testnet, or a file', text())
const log = option('--log <url>', 'event log: lmdb:<folder>, or kafka:<host>:<port>', text())
export const INGEST_OPTIONS = {
  network: namedNetwork,
  ...source,
  log,
  ...clickhouse,
  internalPort,
  internalHost,
  logLevel,
} as const satisfies OptionTable
export const ADAPTER_OPTIONS = {
  network: namedNetwork,
  log,
  ...clickhouse,
  internalPort,
  internalHost,
  logLevel,
} as const satisfies OptionTable
export const API_OPTIONS = {
  network: namedNetwork,
  ...clickhouse,
  identity: option(
    '--identity <url>',
    'database of organizations and keys: sqlite:<file> or postgres://…; prefer the variable, because options are visible in the list of processes',
    text(),
  ),
  redis: option(
    '--redis <url>',
    'Redis for limits, revocations and cached answers that several instances share; none when not given',
    text(),
  ),
  host: UP_OPTIONS.host,
  port: UP_OPTIONS.port,
  webhookAllowPrivate,
  readyMaxLagSeconds: option(
    '--ready-max-lag-seconds <seconds>',
    'answer 503 on /readyz while the newest complete ledger is older than this; lag does not matter when not given',
    text(),
  ),
  slowStatementMs,
  internalPort,
  internalHost,
  trustedProxies,
  logLevel,
} as const satisfies OptionTable

export const NOTIFY_OPTIONS = {
  network: namedNetwork,
  ...clickhouse,
  identity: API_OPTIONS.identity,
  webhookAllowPrivate,
  webhookRequests,
  internalPort,
  internalHost,
  logLevel,
} as const satisfies OptionTable

export const MIGRATE_OPTIONS = {
  ...clickhouse,
  cluster: option(
    '--cluster <name>',
    "make the tables on all shards of this cluster of the servers' configuration; --clickhouse-url has one server of each shard",
    text()
      .regex(/^[\w.-]+$/, 'must have only letters, digits, dots, hyphens and underscores')
      .optional(),
  ),
  replicated: option('--replicated', 'with --cluster: replicated tables, which need Keeper; without it a shard has one server', onOff()),
  users: option(
    '--users <folder>',
    'create the users writer, api and analyst with their limits too; the folder has a file of that name with the password of each',
    text().optional(),
  ),
  printUsers: option('--print-users', 'with --users: print the statements for an administrator instead of running them', onOff()),
  json,
} as const satisfies OptionTable

export const STATUS_OPTIONS = {
  clickhouseUrl: option(
    '--clickhouse-url <url>',
    'ClickHouse over HTTP; the one of the data folder when not given',
    clickhouse.clickhouseUrl.schema.optional(),
  ),
  clickhouseUser: option('--clickhouse-user <name>', 'ClickHouse user', text().optional()),
  clickhousePassword: option(
    '--clickhouse-password <password>',
    'its password; prefer the variable, because options are visible in the list of processes',
    text().optional(),
  ),
  clickhouseDatabase: clickhouse.clickhouseDatabase,
  data: UP_OPTIONS.data,
  json,
} as const satisfies OptionTable

export const MCP_OPTIONS = {
  url: option(
    '--url <url>',
    'address of the API, without /v1; that of the `orrery up` on --data when not given, else http://127.0.0.1:8080',
    z
      .url({ protocol: /^https?$/, error: 'must be an http or https address' })
      .refine((url) => new URL(url).username === '' && new URL(url).password === '', 'must not contain credentials: use ORRERY_API_KEY')
      .optional(),
  ),
  httpPort: option(
    '--http-port <port>',
    'serve Streamable HTTP on this port of 127.0.0.1, 0 for any free one; stdin and stdout when not given',
    wholeNumber(0, 65_535).optional(),
  ),
  data: option(
    '--data <folder>',
    'data folder of an `orrery up`, whose API key is used without ORRERY_API_KEY; .orrery when not given',
    text().default('.orrery'),
  ),
  logLevel: logLevelOr('warn when not given'),
  json: option('--json', 'log lines as JSON and, with --http-port, the address as JSON on stdout', onOff()),
} as const satisfies OptionTable

export const SECRETS_OPTIONS = { data: UP_OPTIONS.data, json } as const satisfies OptionTable

export const BACKUP_OPTIONS = {
  output: option('--output <folder>', 'folder to write, new or empty', text()),
  data: option('--data <folder>', 'data folder of an `orrery up`, running or stopped; .orrery when not given', text().default('.orrery')),
  json,
} as const satisfies OptionTable

export const RESTORE_OPTIONS = {
  backup: option('--backup <folder>', 'folder that `orrery backup` wrote', text()),
  data: option('--data <folder>', 'data folder to make, new or empty; .orrery when not given', text().default('.orrery')),
  json,
} as const satisfies OptionTable

export const VERIFY_OPTIONS = {
  from: option('--from <ledger>', 'first ledger to compare; the first of the index when not given', ledger().optional()),
  to: option('--to <ledger>', 'last ledger to compare; the newest complete one when not given', ledger().optional()),
  sample: option(
    '--sample <entries>',
    'contract data entries to compare with the RPC of --rpc; 100 when not given',
    wholeNumber(0, 100_000).default(100),
  ),
  lake: option(
    '--lake <folder|url>',
    "SEP-54 lake to compare the log with, in a folder or over HTTP; the demo's own for the demo network",
    text().optional(),
  ),
  rpc: option('--rpc <url>', 'Stellar RPC to compare the log and a sample of entries with; several separated by commas', text().optional()),
  network: option('--network <name|file>', 'network registry; that of the data folder when not given', text().optional()),
  data: option('--data <folder>', 'data folder of an `orrery up`, running or stopped; .orrery when not given', text().default('.orrery')),
  log: option(
    '--log <url>',
    'event log of separate processes: lmdb:<folder>, or kafka:<host>:<port>; that of the data folder when not given',
    text().optional(),
  ),
  clickhouseUrl: option(
    '--clickhouse-url <url>',
    'ClickHouse over HTTP; the one of the data folder when not given',
    clickhouse.clickhouseUrl.schema.optional(),
  ),
  clickhouseUser: option(
    '--clickhouse-user <name>',
    'a user that may create databases whose names begin with --clickhouse-database; admin when not given',
    text().optional(),
  ),
  clickhousePassword: STATUS_OPTIONS.clickhousePassword,
  clickhouseDatabase: clickhouse.clickhouseDatabase,
  json,
} as const satisfies OptionTable

/** Which index the commands of index versions work on. */
export const VERSION_OPTIONS = {
  network: VERIFY_OPTIONS.network,
  data: VERIFY_OPTIONS.data,
  clickhouseUrl: STATUS_OPTIONS.clickhouseUrl,
  clickhouseUser: option(
    '--clickhouse-user <name>',
    'a user that may insert; to retire or repair rows, one that may alter tables; admin when not given',
    text().optional(),
  ),
  clickhousePassword: STATUS_OPTIONS.clickhousePassword,
  clickhouseDatabase: clickhouse.clickhouseDatabase,
  json,
} as const satisfies OptionTable

export const REPLAY_OPTIONS = {
  indexVersion: option(
    '--index-version <number>',
    'index version to continue; when not given, the unfinished replay of this build, else a new one',
    wholeNumber(1, 65_535).optional(),
  ),
  activate: option('--activate', 'make readers see it as soon as it has caught up', onOff()),
  follow: option('--follow', 'keep following the log after it has caught up, until it is activated or the command is stopped', onOff()),
  sameVersion: option('--same-version', 'write over the rows that readers see, where they differ from what their ledgers give', onOff()),
  log: VERIFY_OPTIONS.log,
  ...VERSION_OPTIONS,
} as const satisfies OptionTable

export const DIFF_OPTIONS = {
  from: option('--from <ledger>', 'first ledger to compare; the first of the index when not given', ledger().optional()),
  to: option('--to <ledger>', 'last ledger to compare; the last that both versions have when not given', ledger().optional()),
  ...VERSION_OPTIONS,
} as const satisfies OptionTable

const force = (help: string) => option('--force', help, onOff())
export const ACTIVATE_OPTIONS = {
  force: force('also where the version is behind: readers then see an earlier ledger'),
  ...VERSION_OPTIONS,
} as const satisfies OptionTable
export const RETIRE_OPTIONS = {
  force: force('also where an adapter reported on the version within the last minute'),
  ...VERSION_OPTIONS,
} as const satisfies OptionTable

/** Those of the read model, which the help does not wait for. */
const EXPORT_FORMATS = ['csv', 'jsonl', 'parquet'] as const satisfies readonly ExportFormat[]
export const EXPORT_OPTIONS = {
  request: option(
    '--request <path>',
    'a request of /v1 for a series instead of a view: its path and query; all pages of its answer are written',
    z
      .string()
      .regex(/^\/v1\/[!-~]{1,2000}$/, 'must be a path that begins with /v1/ and its query, of ASCII without spaces')
      .optional(),
  ),
  output: option('--output <file>', 'file to write, which ends with .csv, .jsonl or .parquet; stdout when not given', text().optional()),
  format: option(
    '--format <name>',
    `${EXPORT_FORMATS.join(', ')}; that of the file's name when not given, else csv`,
    z.enum(EXPORT_FORMATS, { error: `must be one of ${EXPORT_FORMATS.join(', ')}` }).optional(),
  ),
  protocol: option('--protocol <name>', 'rows of this protocol only', text().optional()),
  from: option('--from <ledger>', 'first ledger', ledger().optional()),
  to: option('--to <ledger>', 'last ledger; the newest complete one when not given or not reached', ledger().optional()),
  ...VERSION_OPTIONS,
  url: option('--url <url>', `with --request: ${MCP_OPTIONS.url.help}`, MCP_OPTIONS.url.schema),
  clickhouseUser: option(
    '--clickhouse-user <name>',
    'a user that may read tables and views, such as api; admin when not given',
    text().optional(),
  ),
} as const satisfies OptionTable
