// The environment of `orrery api`. Every problem is printed at once; no secret has a default.

import { BlockList } from 'node:net'
import { dirname, join } from 'node:path'
import { Port, processVariables, readEnv, Seconds } from '@orrery/service-kit'
import { z } from 'zod'
import { proxyList } from './client-address.ts'
import { READ_THROUGH_LIMITS } from './read-through/read-through.ts'

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
  /** Port of the public API. 0 lets the system choose, and the log says which. */
  ORRERY_PORT: Port.default(8080),
  /** Being reachable from other machines is a decision: `0.0.0.0` in a container. */
  ORRERY_HOST: z.string().default('127.0.0.1'),
  ORRERY_CLICKHOUSE_URL: z.url({ protocol: /^https?$/, error: 'Must be an http or https address.' }),
  ORRERY_CLICKHOUSE_DATABASE: z.string().default('orrery'),
  /** A user that may only read. */
  ORRERY_CLICKHOUSE_USER: z.string().default('api'),
  ORRERY_CLICKHOUSE_PASSWORD: z.string(),
  /** Database of organizations and keys: `sqlite:<file>` or `postgres://user:password@host/database`. */
  ORRERY_IDENTITY: z.string(),
  /** Opens `POST /v1/org/api-keys`. Not set: keys are made by `orrery org` alone. */
  ORRERY_ADMIN_TOKEN: z.string().min(32, 'Must have at least 32 characters; `openssl rand -hex 32` makes one.').optional(),
  /**
   * PEM file with the Ed25519 keys of access and refresh tokens: the first private key signs, all of them check. The same in every instance.
   * Beside SQLite it is made at the first start; with PostgreSQL it has to be given.
   */
  ORRERY_TOKEN_KEYS: z.string().optional(),
  /** `redis://host:port`: limits, revocations and answers shared by several instances. Not set: this one is alone. */
  ORRERY_REDIS: z.string().optional(),
  /**
   * Addresses of Stellar RPC, the preferred one first, separated by commas: asked for what accounts have in pools that are older than the
   * index. Not set: nobody is asked, and such positions are missing.
   */
  ORRERY_RPC: z.string().optional(),
  /** Entries that one request may ask the RPC for. What would need more is left out. */
  ORRERY_READ_THROUGH_KEYS: wholeNumber.default(READ_THROUGH_LIMITS.keysPerRequest),
  /** Calls of up to 200 entries, of all requests of this instance together. */
  ORRERY_READ_THROUGH_CALLS_PER_SECOND: wholeNumber.default(READ_THROUGH_LIMITS.callsPerSecond),
  /** Key of the MAC in cursors: 64 hex characters (`openssl rand -hex 32`), the same in every instance. */
  ORRERY_CURSOR_KEY: z.string().regex(/^[0-9a-f]{64}$/, 'Must be 64 lower-case hex characters; `openssl rand -hex 32` makes one.'),
  /** Origins whose pages may read answers, with commas between. Not set: CORS is off. */
  ORRERY_CORS_ORIGINS: List.pipe(
    z.array(z.string().regex(/^https?:\/\/[^/]+$/, 'Must be origins such as https://app.example.org, with commas between.')),
  ).default([]),
  /** Addresses or ranges of proxies whose `X-Forwarded-For` is believed, with commas between. Not set: nobody's. */
  ORRERY_TRUSTED_PROXIES: List.transform((ranges, ctx) => {
    const proxies = proxyList(ranges)
    if (proxies !== null) return proxies
    ctx.addIssue({ code: 'custom', message: 'Must be addresses or ranges such as 10.0.0.0/8, with commas between.' })
    return z.NEVER
  }).default(() => new BlockList()),
  /** A request that takes longer is given up with 504. */
  ORRERY_DEADLINE_SECONDS: Seconds.default(10),
  /** How long running requests may take after a stop was asked for. */
  ORRERY_DRAIN_SECONDS: Seconds.default(10),
})

const Env = Variables.check(({ value: { ORRERY_IDENTITY: identity, ORRERY_TOKEN_KEYS: keys }, issues }) => {
  // Instances that share a database must take each other's tokens, so none of them may make up keys of its own.
  if (keys !== undefined || identity.startsWith('sqlite:')) return
  const message = 'Is required with PostgreSQL.'
  issues.push({ code: 'custom', path: ['ORRERY_TOKEN_KEYS'], message, input: keys })
})
export type Env = z.output<typeof Env>

/** Errors: `invalid`/`invalid_environment` with every problem. */
export function apiEnv(env: Readonly<Record<string, string | undefined>> = process.env): Env {
  return readEnv(Env, env)
}

/** Where SQLite keeps everybody, there is room for the keys beside it. */
export function tokenKeysFile({
  ORRERY_TOKEN_KEYS: given,
  ORRERY_IDENTITY: identity,
}: Pick<Env, 'ORRERY_TOKEN_KEYS' | 'ORRERY_IDENTITY'>): string {
  return given ?? join(dirname(identity.replace(/^sqlite:/, '')), 'token-keys.pem')
}
