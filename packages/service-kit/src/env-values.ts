// Parts that the environment schemas of several processes share. Each validates the text of a variable and converts it.

import { z } from 'zod'
import { LOG_LEVELS } from './logger.ts'

/** A TCP port. 0 lets the system choose; the log has the port. */
export const Port = z
  .string()
  .regex(/^\d{1,5}$/, 'Must be a port number.')
  .transform(Number)
  .pipe(z.number().max(65_535, 'Must be at most 65535.'))

/** `true` or `false`. */
export const Switch = z.enum(['true', 'false'], 'Must be true or false.').transform((text) => text === 'true')

/** Whole seconds, at most a day. */
export const Seconds = z
  .string()
  .regex(/^\d{1,5}$/, 'Must be whole seconds.')
  .transform(Number)

/** One or more addresses of ClickHouse servers with the same tables, the preferred one first, separated by commas. */
export const ClickHouseUrls = z.string().refine(areHttpUrls, 'Must be an http or https address, or several separated by commas.')

/** Whether the text has one or more http or https addresses, separated by commas. */
export function areHttpUrls(text: string): boolean {
  return text.split(',').every((url) => /^https?:$/.test(URL.parse(url.trim())?.protocol ?? ''))
}

/** Variables of every process that opens the event log. */
export const logVariables = {
  /** `lmdb:<folder>`, or `kafka:<host>:<port>` with more brokers behind commas. */
  ORRERY_LOG: z.string(),
  /** User of Kafka. Not set: no authentication. */
  ORRERY_KAFKA_USER: z.string().optional(),
  ORRERY_KAFKA_PASSWORD: z.string().optional(),
  ORRERY_KAFKA_MECHANISM: z
    .enum(['plain', 'scram-sha-256', 'scram-sha-512', 'oauthbearer'], 'Must be plain, scram-sha-256, scram-sha-512 or oauthbearer.')
    .default('scram-sha-512'),
  /** OAUTHBEARER: a file with the token, read for each authentication. */
  ORRERY_KAFKA_TOKEN_FILE: z.string().optional(),
  /** OAUTHBEARER: the token endpoint for client credentials, with id, file with the secret, and scope. */
  ORRERY_KAFKA_TOKEN_URL: z.url({ protocol: /^https?$/, error: 'Must be an http or https URL.' }).optional(),
  ORRERY_KAFKA_CLIENT_ID: z.string().optional(),
  ORRERY_KAFKA_CLIENT_SECRET_FILE: z.string().optional(),
  ORRERY_KAFKA_SCOPE: z.string().optional(),
  /** PEM files: the brokers' certificate authority, the client's certificate and key. The last one has the passphrase of the key. */
  ORRERY_KAFKA_CA_FILE: z.string().optional(),
  ORRERY_KAFKA_CERT_FILE: z.string().optional(),
  ORRERY_KAFKA_KEY_FILE: z.string().optional(),
  ORRERY_KAFKA_KEY_PASSPHRASE_FILE: z.string().optional(),
  /** TLS to the brokers. NODE_EXTRA_CA_CERTS names a private certificate authority. */
  ORRERY_KAFKA_SSL: Switch.default(false),
  /** Replicas of each partition of a new topic. Not set: the cluster's default. */
  ORRERY_KAFKA_REPLICAS: z
    .string()
    .regex(/^[1-9]\d?$/, 'Must be a number from 1 to 99.')
    .transform(Number)
    .optional(),
  /** `min.insync.replicas` of new topics; existing topics with less are refused. Not set: neither set nor checked. */
  ORRERY_KAFKA_MIN_INSYNC_REPLICAS: z
    .string()
    .regex(/^[1-9]\d?$/, 'Must be a number from 1 to 99.')
    .transform(Number)
    .optional(),
  /** Precedes the names of all topics and groups. Not set: nothing precedes them. */
  ORRERY_KAFKA_PREFIX: z
    .string()
    .regex(/^[A-Za-z0-9._-]{1,60}$/, 'Must have 1 to 60 letters, digits, dots, underscores and hyphens.')
    .optional(),
  /** `false`: create no topics and change no settings, only check them. */
  ORRERY_KAFKA_MANAGE_TOPICS: Switch.default(true),
  /** An adapter without a heartbeat for this long loses its partitions to the others. */
  ORRERY_KAFKA_SESSION_SECONDS: Seconds.pipe(z.number().min(1, 'Must be at least 1.')).default(10),
}
type LogVariables = z.output<z.ZodObject<typeof logVariables>>

/** The variables as options of `openLog`. */
export function logOptionsOf(env: Omit<LogVariables, 'ORRERY_LOG'>) {
  return {
    user: env.ORRERY_KAFKA_USER,
    password: env.ORRERY_KAFKA_PASSWORD,
    mechanism: env.ORRERY_KAFKA_MECHANISM,
    ssl: env.ORRERY_KAFKA_SSL,
    tokenFile: env.ORRERY_KAFKA_TOKEN_FILE,
    tokenUrl: env.ORRERY_KAFKA_TOKEN_URL,
    clientId: env.ORRERY_KAFKA_CLIENT_ID,
    clientSecretFile: env.ORRERY_KAFKA_CLIENT_SECRET_FILE,
    scope: env.ORRERY_KAFKA_SCOPE,
    caFile: env.ORRERY_KAFKA_CA_FILE,
    certFile: env.ORRERY_KAFKA_CERT_FILE,
    keyFile: env.ORRERY_KAFKA_KEY_FILE,
    keyPassphraseFile: env.ORRERY_KAFKA_KEY_PASSPHRASE_FILE,
    replicas: env.ORRERY_KAFKA_REPLICAS,
    minInsyncReplicas: env.ORRERY_KAFKA_MIN_INSYNC_REPLICAS,
    prefix: env.ORRERY_KAFKA_PREFIX,
    manageTopics: env.ORRERY_KAFKA_MANAGE_TOPICS,
    sessionMs: env.ORRERY_KAFKA_SESSION_SECONDS * 1000,
  }
}

/** Variables of every process: `z.object({ ...processVariables, … })`. */
export const processVariables = {
  /** Port of /livez, /readyz and /metrics. Never public. */
  ORRERY_INTERNAL_PORT: Port.default(9090),
  /** Loopback unless set, so that other machines cannot reach it: `0.0.0.0` in a container. */
  ORRERY_INTERNAL_HOST: z.string().default('127.0.0.1'),
  ORRERY_LOG_LEVEL: z.enum(LOG_LEVELS, `Must be one of ${LOG_LEVELS.join(', ')}.`).default('info'),
  /** One JSON object per line; `false` gives readable lines. */
  ORRERY_LOG_JSON: Switch.default(true),
}
