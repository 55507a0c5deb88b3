// The environment of `orrery adapter`. Every problem is printed at once; no secret has a default.

import { ClickHouseUrls, logVariables, processVariables, readEnv } from '@orrery/service-kit'
import { z } from 'zod'

const Env = z.object({
  ...processVariables,
  ...logVariables,
  /** Name of a shipped registry (`mainnet`, `testnet`, `demo`) or a path to a file of the same shape. */
  ORRERY_NETWORK: z.string(),
  ORRERY_CLICKHOUSE_URL: ClickHouseUrls,
  ORRERY_CLICKHOUSE_DATABASE: z.string().default('orrery'),
  /** A user that may insert. */
  ORRERY_CLICKHOUSE_USER: z.string().default('writer'),
  ORRERY_CLICKHOUSE_PASSWORD: z.string(),
})
export type Env = z.output<typeof Env>

/** Errors: `invalid`/`invalid_environment` with every problem. */
export function adapterEnv(env: Readonly<Record<string, string | undefined>> = process.env): Env {
  return readEnv(Env, env)
}
