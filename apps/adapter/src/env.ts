// The environment of `orrery adapter`. Every problem is printed at once; no secret has a default.

import { LOG_LEVELS, readEnv } from '@orrery/service-kit'
import { z } from 'zod'

const Env = z.object({
  /** Name of a shipped registry (`mainnet`, `testnet`, `demo`) or a path to a file of the same shape. */
  ORRERY_NETWORK: z.string(),
  /** The event log that ingest writes: `lmdb:<folder>`. */
  ORRERY_LOG: z.string(),
  ORRERY_CLICKHOUSE_URL: z.url({ protocol: /^https?$/, error: 'Must be an http or https address.' }),
  ORRERY_CLICKHOUSE_DATABASE: z.string().default('orrery'),
  /** A user that may insert. */
  ORRERY_CLICKHOUSE_USER: z.string().default('writer'),
  ORRERY_CLICKHOUSE_PASSWORD: z.string(),
  /** Port of /livez, /readyz and /metrics. Never public. */
  ORRERY_INTERNAL_PORT: z
    .string()
    .regex(/^\d{1,5}$/, 'Must be a port number.')
    .transform(Number)
    .pipe(z.number().max(65_535, 'Must be at most 65535.'))
    .default(9090),
  ORRERY_INTERNAL_HOST: z.string().default('127.0.0.1'),
  ORRERY_LOG_LEVEL: z.enum(LOG_LEVELS).default('info'),
  /** One JSON object a line; `false` gives lines for eyes. */
  ORRERY_LOG_JSON: z
    .enum(['true', 'false'], 'Must be true or false.')
    .transform((text) => text === 'true')
    .default(true),
})
export type Env = z.output<typeof Env>

/** Errors: `invalid`/`invalid_environment` with every problem. */
export function adapterEnv(env: Readonly<Record<string, string | undefined>> = process.env): Env {
  return readEnv(Env, env)
}
