// Pieces that the environment schemas of several processes share. A value is text; these say what it may be and make it what is wanted.

import { z } from 'zod'
import { LOG_LEVELS } from './logger.ts'

/** A TCP port. 0 lets the system choose, and the log says which. */
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

/** What every process has that opens the event log. */
export const logVariables = {
  /** `lmdb:<folder>`, or `kafka:<host>:<port>` with more brokers behind commas. */
  ORRERY_LOG: z.string(),
  /** Who we are to Kafka. Not set: nobody in particular. */
  ORRERY_KAFKA_USER: z.string().optional(),
  ORRERY_KAFKA_PASSWORD: z.string().optional(),
  ORRERY_KAFKA_MECHANISM: z
    .enum(['plain', 'scram-sha-256', 'scram-sha-512'], 'Must be plain, scram-sha-256 or scram-sha-512.')
    .default('scram-sha-512'),
  /** TLS to the brokers. NODE_EXTRA_CA_CERTS names a certificate authority of one's own. */
  ORRERY_KAFKA_SSL: Switch.default(false),
  /** Copies of each partition of a topic that is made. Not set: the cluster's default. */
  ORRERY_KAFKA_REPLICAS: z
    .string()
    .regex(/^[1-9]\d?$/, 'Must be a number from 1 to 99.')
    .transform(Number)
    .optional(),
  /** An adapter that was not heard of for so long has lost its partitions to the others. */
  ORRERY_KAFKA_SESSION_SECONDS: Seconds.pipe(z.number().min(1, 'Must be at least 1.')).default(10),
}
type LogVariables = z.output<z.ZodObject<typeof logVariables>>

/** The variables as `openLog` takes them. */
export function logOptionsOf(env: Omit<LogVariables, 'ORRERY_LOG'>) {
  return {
    user: env.ORRERY_KAFKA_USER,
    password: env.ORRERY_KAFKA_PASSWORD,
    mechanism: env.ORRERY_KAFKA_MECHANISM,
    ssl: env.ORRERY_KAFKA_SSL,
    replicas: env.ORRERY_KAFKA_REPLICAS,
    sessionMs: env.ORRERY_KAFKA_SESSION_SECONDS * 1000,
  }
}

/** What every process has: `z.object({ ...processVariables, … })`. */
export const processVariables = {
  /** Port of /livez, /readyz and /metrics. Never public. */
  ORRERY_INTERNAL_PORT: Port.default(9090),
  /** Being reachable from other machines is a decision: `0.0.0.0` in a container. */
  ORRERY_INTERNAL_HOST: z.string().default('127.0.0.1'),
  ORRERY_LOG_LEVEL: z.enum(LOG_LEVELS, `Must be one of ${LOG_LEVELS.join(', ')}.`).default('info'),
  /** One JSON object a line; `false` gives lines for eyes. */
  ORRERY_LOG_JSON: Switch.default(true),
}
