// The environment of `orrery ingest`. Every problem is printed at once.

import { processVariables, readEnv } from '@orrery/service-kit'
import { z } from 'zod'

const wholeNumber = (most: number, what: string) =>
  z
    .string()
    .regex(/^\d{1,15}$/, `Must be ${what}.`)
    .transform(Number)
    .pipe(z.number().min(1, 'Must be at least 1.').max(most, `Must be at most ${most}.`))

const Env = z.object({
  ...processVariables,
  /** Name of a shipped registry (`mainnet`, `testnet`, `demo`) or a path to a file of the same shape. */
  ORRERY_NETWORK: z.string(),
  /** Folder of a SEP-54 lake: the one with `.config.json`. */
  ORRERY_LAKE: z.string(),
  /** The event log: `lmdb:<folder>`. */
  ORRERY_LOG: z.string(),
  /** First ledger of a new index. Not set: the network's first, or the source's oldest where that is younger. */
  ORRERY_FROM_LEDGER: wholeNumber(0xffff_ffff, 'a ledger number').optional(),
  /** Partitions of Soroswap's topic. A log keeps the number it was begun with. */
  ORRERY_PARTITIONS_SOROSWAP: wholeNumber(1_024, 'a number of partitions').optional(),
  /** Slices older than this may be dropped. Not set: they are kept, so that adapters can replay without the source. */
  ORRERY_LOG_RETENTION_DAYS: wholeNumber(36_500, 'whole days').optional(),
  /** Slices of a partition beyond so many bytes may be dropped, oldest first. Not set: no limit. */
  ORRERY_LOG_RETENTION_BYTES: wholeNumber(Number.MAX_SAFE_INTEGER, 'a number of bytes').optional(),
})
export type Env = z.output<typeof Env>

/** Errors: `invalid`/`invalid_environment` with every problem. */
export function ingestEnv(env: Readonly<Record<string, string | undefined>> = process.env): Env {
  return readEnv(Env, env)
}
