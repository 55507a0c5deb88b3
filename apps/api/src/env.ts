// Environment variables of `orrery api`. All problems are printed at once; no secret has a default.

import { BlockList } from 'node:net'
import { dirname, join } from 'node:path'
import { keptWebhookKey, WEBHOOK_KEY_FILE } from '@orrery/identity'
import { ClickHouseUrls, Port, processVariables, readEnv, Seconds, Switch } from '@orrery/service-kit'
import { z } from 'zod'
import { proxyList } from './client-address.ts'
import { READ_THROUGH_LIMITS } from './read-through/read-through.ts'
import { SLOW_STATEMENT_MS } from './slow-statements.ts'

/** 32 bytes. */
const HexKey = z.string().regex(/^[0-9a-f]{64}$/, 'Must be 64 lower-case hex characters; `openssl rand -hex 32` generates one.')

const List = z.string().transform((text) => text.split(',').map((item) => item.trim()))

const wholeNumber = z
  .string()
  .regex(/^\d{1,6}$/, 'Must be a whole number.')
  .transform(Number)
  .pipe(z.number().min(1, 'Must be at least 1.'))

const Variables = z.object({
  ...processVariables,
  /** Name of a shipped registry (`mainnet`, `testnet`, `demo`) or a path to a file of the same shape. */
  ORRERY_NETWORK: z.string(),
  /** Port of the public API. With 0 the system chooses one, which is logged. */
  ORRERY_PORT: Port.default(8080),
  /** The default is not reachable from other machines; in a container set `0.0.0.0`. */
  ORRERY_HOST: z.string().default('127.0.0.1'),
  ORRERY_CLICKHOUSE_URL: ClickHouseUrls,
  ORRERY_CLICKHOUSE_DATABASE: z.string().default('orrery'),
  /** A user with read access only. */
  ORRERY_CLICKHOUSE_USER: z.string().default('api'),
  ORRERY_CLICKHOUSE_PASSWORD: z.string(),
  /** Database of organizations and keys: `sqlite:<file>` or `postgres://user:password@host/database`. */
  ORRERY_IDENTITY: z.string(),
  /** Enables `POST /v1/org/api-keys`. Not set: keys can only be created with `orrery org`. */
  ORRERY_ADMIN_TOKEN: z.string().min(32, 'Must have at least 32 characters; `openssl rand -hex 32` generates one.').optional(),
  /**
   * PEM file with the Ed25519 keys of access and refresh tokens: the first private key signs, all of them verify. The same in every instance.
   * With SQLite it is created at the first start, beside the database; with PostgreSQL it is required.
   */
  ORRERY_TOKEN_KEYS: z.string().optional(),
  /** `redis://host:port`: limits, revocations and answers shared by several instances. Not set: this is the only instance. */
  ORRERY_REDIS: z.string().optional(),
  /**
   * Addresses of Stellar RPC servers, the preferred one first, separated by commas. They are asked for positions that predate the index.
   * Not set: such positions are missing.
   */
  ORRERY_RPC: z.string().optional(),
  /** Most entries that one request may read from the RPC. Positions that need more are left out. */
  ORRERY_READ_THROUGH_KEYS: wholeNumber.default(READ_THROUGH_LIMITS.keysPerRequest),
  /** RPC calls per second, of up to 200 entries each, over all requests of this instance. */
  ORRERY_READ_THROUGH_CALLS_PER_SECOND: wholeNumber.default(READ_THROUGH_LIMITS.callsPerSecond),
  /** Key of the MAC in cursors: 64 hex characters (`openssl rand -hex 32`), the same in every instance. */
  ORRERY_CURSOR_KEY: HexKey,
  /**
   * Encrypts the secrets of webhooks, the same in every instance and in `orrery notify`. With SQLite it is created at the first start, beside the
   * database, when it is not set; with PostgreSQL webhooks can then not be created.
   */
  ORRERY_WEBHOOK_KEY: HexKey.optional(),
  /** Webhooks may point to http, other ports and addresses that are not public: for development and closed networks. */
  ORRERY_WEBHOOK_ALLOW_PRIVATE: Switch.default(false),
  /** Origins whose pages may read answers, separated by commas. Not set: CORS is off. */
  ORRERY_CORS_ORIGINS: List.pipe(
    z.array(z.string().regex(/^https?:\/\/[^/]+$/, 'Must be origins such as https://app.example.org, separated by commas.')),
  ).default([]),
  /** Addresses or ranges of proxies whose `X-Forwarded-For` is trusted, separated by commas. Not set: none is trusted. */
  ORRERY_TRUSTED_PROXIES: List.transform((ranges, ctx) => {
    const proxies = proxyList(ranges)
    if (proxies !== null) return proxies
    ctx.addIssue({ code: 'custom', message: 'Must be addresses or ranges such as 10.0.0.0/8, separated by commas.' })
    return z.NEVER
  }).default(() => new BlockList()),
  /** A request that takes longer is cancelled with 504. */
  ORRERY_DEADLINE_SECONDS: Seconds.default(10),
  /**
   * `/readyz` answers 503 while the watermark is older than this, compared with the clock. Not set: lag does not matter, because the API answers
   * as of its watermark, and taking it out of service would not make an adapter faster.
   */
  ORRERY_READY_MAX_LAG_SECONDS: wholeNumber.optional(),
  /** A ClickHouse statement that takes at least so many milliseconds is logged with its route and request. 0: none is. */
  ORRERY_SLOW_STATEMENT_MS: z
    .string()
    .regex(/^\d{1,6}$/, 'Must be a whole number.')
    .transform(Number)
    .default(SLOW_STATEMENT_MS),
  /** How long running requests may take after a stop signal. */
  ORRERY_DRAIN_SECONDS: Seconds.default(10),
})

const Env = Variables.check(({ value: { ORRERY_IDENTITY: identity, ORRERY_TOKEN_KEYS: keys }, issues }) => {
  // Instances that share a database must accept each other's tokens, so none of them may generate its own keys.
  if (keys !== undefined || identity.startsWith('sqlite:')) return
  const message = 'Is required with PostgreSQL.'
  issues.push({ code: 'custom', path: ['ORRERY_TOKEN_KEYS'], message, input: keys })
})
export type Env = z.output<typeof Env>

/** Errors: `invalid`/`invalid_environment` with every problem. */
export function apiEnv(env: Readonly<Record<string, string | undefined>> = process.env): Env {
  return readEnv(Env, env)
}

/** The key of webhook secrets: as given, else that of a file beside the SQLite database, else null. Errors: `invalid`/`webhook_key_unusable`. */
export async function webhookKey({
  ORRERY_WEBHOOK_KEY: given,
  ORRERY_IDENTITY: identity,
}: Pick<Env, 'ORRERY_WEBHOOK_KEY' | 'ORRERY_IDENTITY'>): Promise<Uint8Array | null> {
  if (given !== undefined) return Buffer.from(given, 'hex')
  return identity.startsWith('sqlite:') ? keptWebhookKey(besideDatabase(identity, WEBHOOK_KEY_FILE)) : null
}

/** Path of the PEM file: as given, else beside the SQLite database. */
export function tokenKeysFile({
  ORRERY_TOKEN_KEYS: given,
  ORRERY_IDENTITY: identity,
}: Pick<Env, 'ORRERY_TOKEN_KEYS' | 'ORRERY_IDENTITY'>): string {
  return given ?? besideDatabase(identity, 'token-keys.pem')
}

function besideDatabase(identity: string, file: string): string {
  return join(dirname(identity.replace(/^sqlite:/, '')), file)
}
