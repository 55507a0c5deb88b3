// The environment of `orrery ingest`. Every problem is printed at once.

import type { ProtocolId } from '@orrery/protocol-kit'
import { PROTOCOLS } from '@orrery/protocols'
import { ClickHouseUrls, logVariables, processVariables, readEnv, Switch } from '@orrery/service-kit'
import { z } from 'zod'

const wholeNumber = (most: number, what: string) =>
  z
    .string()
    .regex(/^\d{1,15}$/, `Must be ${what}.`)
    .transform(Number)
    .pipe(z.number().min(1, 'Must be at least 1.').max(most, `Must be at most ${most}.`))

/** Of a protocol that has all in one order there is nothing to choose: another number is refused instead of being passed over. */
const partitionVariables = Object.fromEntries(
  PROTOCOLS.map(({ id, maxPartitions }) => {
    return [partitionVariable(id), wholeNumber(maxPartitions, maxPartitions === 1 ? 'the number 1' : 'a number of partitions').optional()]
  }),
)

const Variables = z.object({
  ...processVariables,
  ...logVariables,
  /** Name of a shipped registry (`mainnet`, `testnet`, `demo`) or a path to a file of the same shape. */
  ORRERY_NETWORK: z.string(),
  /** A SEP-54 lake: the folder or the http(s) address that `.config.json` lies under. */
  ORRERY_LAKE: z.string().optional(),
  /** Most requests to a lake behind http at the same time. */
  ORRERY_LAKE_REQUESTS: wholeNumber(1_000, 'a number of requests').optional(),
  /** Addresses of Stellar RPC, the preferred one first, separated by commas. With a lake as well, the lake is read first. */
  ORRERY_RPC: z.string().optional(),
  /** Wait for new files of a lake in a folder. A lake behind http is always followed. */
  ORRERY_FOLLOW: Switch.default(false),
  /** The ClickHouse that the adapters write to: gaps are read from their health rows, and resent. Not set: gaps are not repaired. */
  ORRERY_CLICKHOUSE_URL: ClickHouseUrls.optional(),
  ORRERY_CLICKHOUSE_DATABASE: z.string().default('orrery'),
  /** A user that may read. */
  ORRERY_CLICKHOUSE_USER: z.string().optional(),
  ORRERY_CLICKHOUSE_PASSWORD: z.string().optional(),
  /** First ledger of a new index. Not set: the network's first, or the source's oldest where that is later. */
  ORRERY_FROM_LEDGER: wholeNumber(0xffff_ffff, 'a ledger number').optional(),
  /** Partitions of each protocol's topic: `ORRERY_PARTITIONS_SOROSWAP` and so on. Not set: `defaultPartitions`. A log keeps its first number of partitions. */
  ...partitionVariables,
  /** Slices older than this many days may be dropped. Not set: slices are kept, so that adapters can read them again without the source. */
  ORRERY_LOG_RETENTION_DAYS: wholeNumber(36_500, 'whole days').optional(),
  /** Slices of a partition beyond this number of bytes may be dropped, oldest first. Not set: no limit. */
  ORRERY_LOG_RETENTION_BYTES: wholeNumber(Number.MAX_SAFE_INTEGER, 'a number of bytes').optional(),
})
const Env = Variables.superRefine((env, problems) => {
  if (env.ORRERY_CLICKHOUSE_URL === undefined) return
  for (const name of ['ORRERY_CLICKHOUSE_USER', 'ORRERY_CLICKHOUSE_PASSWORD'] as const)
    if (env[name] === undefined)
      problems.addIssue({ code: 'custom', path: [name], message: 'Required together with ORRERY_CLICKHOUSE_URL.' })
})
export type Env = z.output<typeof Env>

/** Errors: `invalid`/`invalid_environment` with every problem. */
export function ingestEnv(env: Readonly<Record<string, string | undefined>> = process.env): Env {
  return readEnv(Env, env)
}

/** The variable that sets the partitions of a protocol's topic. */
export function partitionVariable(protocol: ProtocolId): string {
  return `ORRERY_PARTITIONS_${protocol.toUpperCase()}`
}

/** The numbers of partitions that the operator set. */
export function partitionsOf(env: Env): Readonly<Partial<Record<ProtocolId, number>>> {
  const chosen: Readonly<Record<string, unknown>> = env
  return Object.fromEntries(
    PROTOCOLS.flatMap(({ id }) => {
      const partitions = chosen[partitionVariable(id)]
      return typeof partitions === 'number' ? [[id, partitions] as const] : []
    }),
  )
}
