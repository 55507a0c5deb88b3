// Environment variables of `orrery notify`. All problems are printed at once; no secret has a default.

import { dirname, join } from 'node:path'
import { keptWebhookKey, WEBHOOK_KEY_FILE } from '@orrery/identity'
import { ClickHouseUrls, processVariables, readEnv, Switch } from '@orrery/service-kit'
import { z } from 'zod'

const Variables = z.object({
  ...processVariables,
  /** Name of a shipped registry (`mainnet`, `testnet`, `demo`) or a path to a file of the same shape. */
  ORRERY_NETWORK: z.string(),
  ORRERY_CLICKHOUSE_URL: ClickHouseUrls,
  ORRERY_CLICKHOUSE_DATABASE: z.string().default('orrery'),
  /** A user with read access only. */
  ORRERY_CLICKHOUSE_USER: z.string().default('api'),
  ORRERY_CLICKHOUSE_PASSWORD: z.string(),
  /** Database of organizations and keys: `sqlite:<file>` or `postgres://user:password@host/database`. */
  ORRERY_IDENTITY: z.string(),
  /** The key that `orrery api` encrypts secrets of webhooks with. With SQLite: that of the file beside the database when it is not set. */
  ORRERY_WEBHOOK_KEY: z
    .string()
    .regex(/^[0-9a-f]{64}$/, 'Must be 64 lower-case hex characters; `openssl rand -hex 32` generates one.')
    .optional(),
  /** Send also to http, other ports and addresses that are not public: for development and closed networks. */
  ORRERY_WEBHOOK_ALLOW_PRIVATE: Switch.default(false),
  /** Most requests to receivers at the same time, over all webhooks of this process. */
  ORRERY_WEBHOOK_REQUESTS: z
    .string()
    .regex(/^[1-9][0-9]{0,3}$/, 'Must be a number of requests from 1 to 9999.')
    .transform(Number)
    .optional(),
})

const Env = Variables.check(({ value: { ORRERY_IDENTITY: identity, ORRERY_WEBHOOK_KEY: key }, issues }) => {
  if (key !== undefined || identity.startsWith('sqlite:')) return
  issues.push({ code: 'custom', path: ['ORRERY_WEBHOOK_KEY'], message: 'Is required with PostgreSQL.', input: key })
})
export type Env = z.output<typeof Env>

/** Errors: `invalid`/`invalid_environment` with every problem. */
export function notifyEnv(env: Readonly<Record<string, string | undefined>> = process.env): Env {
  return readEnv(Env, env)
}

/** The key as given, else that of the file beside the SQLite database. Errors: `invalid`/`webhook_key_unusable`. */
export async function webhookKeyOf({
  ORRERY_WEBHOOK_KEY: given,
  ORRERY_IDENTITY: identity,
}: Pick<Env, 'ORRERY_WEBHOOK_KEY' | 'ORRERY_IDENTITY'>): Promise<Uint8Array> {
  if (given !== undefined) return Buffer.from(given, 'hex')
  return keptWebhookKey(join(dirname(identity.replace(/^sqlite:/, '')), WEBHOOK_KEY_FILE))
}
