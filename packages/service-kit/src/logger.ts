// Logs: past-tense sentences with fields, one JSON object per line or readable lines. Always on stderr: stdout is for results.
// Fields that may hold a secret are in one list and are redacted wherever they appear, also two levels down.

import { type DestinationStream, destination, type Logger, pino } from 'pino'
import { prettyFactory } from 'pino-pretty'

export type { Logger } from 'pino'

export const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const
export type LogLevel = (typeof LOG_LEVELS)[number]

/**
 * Names of fields that may hold a secret. Add a new one here. `key` and `token` are not among them: they name entries
 * of contracts and assets, so no secret may be logged under them.
 */
export const SECRET_FIELDS = [
  'apiKey',
  'api_key',
  'adminToken',
  'accessToken',
  'refreshToken',
  'password',
  'secret',
  'cursorKey',
  'authorization',
  'cookie',
  'x-service-api-key',
  'x-service-admin-token',
] as const

const REDACTED_PATHS = SECRET_FIELDS.flatMap((name) => [`["${name}"]`, `*["${name}"]`, `*.*["${name}"]`])

export interface LoggerOptions {
  /** The process: `ingest`, `adapter`, `api`, `up`. */
  readonly name: string
  readonly level: LogLevel
  /** One JSON object per line; otherwise readable lines. */
  readonly json: boolean
  /** Receives the lines instead of stderr. For tests. */
  readonly to?: DestinationStream
}

/** `[11:32:07] INFO (ingest): Wrote a batch {"protocol":"soroswap","rows":12}`, with UTC time. The stack of an error follows. */
const prettyLine = prettyFactory({ singleLine: true, translateTime: 'UTC:HH:MM:ss', colorize: false })

/** Writes each line at once, to stderr unless `to` is given. */
export function createLogger({ name, level, json, to }: LoggerOptions): Logger {
  // Synchronous, so that the last line of a process that ends is written.
  const out = to ?? destination({ fd: 2, sync: true })
  const stream = json ? out : { write: (line: string) => out.write(prettyLine(line)) }
  return pino(
    { name, level, base: { name }, timestamp: pino.stdTimeFunctions.isoTime, redact: { paths: REDACTED_PATHS, censor: '[redacted]' } },
    stream,
  )
}
