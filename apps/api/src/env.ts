// The environment of `orrery api`. Every problem is printed at once; no secret has a default.

import { Port, processVariables, readEnv, Seconds, Switch } from '@orrery/service-kit'
import { z } from 'zod'

const Env = z.object({
  ...processVariables,
  /** Name of a shipped registry (`mainnet`, `testnet`, `demo`) or a path to a file of the same shape. */
  ORRERY_NETWORK: z.string(),
  /** Port of the public API. 0 lets the system choose, and the log says which. */
  ORRERY_PORT: Port.default(8080),
  /** Being reachable from other machines is a decision: `0.0.0.0` in a container. */
  ORRERY_HOST: z.string().default('127.0.0.1'),
  ORRERY_CLICKHOUSE_URL: z.url({ protocol: /^https?$/, error: 'Must be an http or https address.' }),
  ORRERY_CLICKHOUSE_DATABASE: z.string().default('orrery'),
  /** A user that may only read. */
  ORRERY_CLICKHOUSE_USER: z.string().default('api'),
  ORRERY_CLICKHOUSE_PASSWORD: z.string(),
  /** Database of organizations and keys: `sqlite:<file>`. */
  ORRERY_IDENTITY: z.string(),
  /** Key of the MAC in cursors: 64 hex characters (`openssl rand -hex 32`), the same in every instance. */
  ORRERY_CURSOR_KEY: z.string().regex(/^[0-9a-f]{64}$/, 'Must be 64 lower-case hex characters; `openssl rand -hex 32` makes one.'),
  /** Origins whose pages may read answers, with commas between. Not set: CORS is off. */
  ORRERY_CORS_ORIGINS: z
    .string()
    .transform((text) => text.split(',').map((origin) => origin.trim()))
    .pipe(z.array(z.string().regex(/^https?:\/\/[^/]+$/, 'Must be origins such as https://app.example.org, with commas between.')))
    .default([]),
  /** Believe the last address of `X-Forwarded-For`. Only behind a proxy that writes it, or anybody can pretend to be anybody. */
  ORRERY_TRUST_PROXY: Switch.default(false),
  /** A request that takes longer is given up with 504. */
  ORRERY_DEADLINE_SECONDS: Seconds.default(10),
  /** How long running requests may take after a stop was asked for. */
  ORRERY_DRAIN_SECONDS: Seconds.default(10),
})
export type Env = z.output<typeof Env>

/** Errors: `invalid`/`invalid_environment` with every problem. */
export function apiEnv(env: Readonly<Record<string, string | undefined>> = process.env): Env {
  return readEnv(Env, env)
}
