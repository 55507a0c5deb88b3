// `orrery migrate`: brings the tables of a ClickHouse up to date. `orrery up` does it by itself.

import { migrate } from '@orrery/read-model'
import type { CliContext } from '../cli-context.ts'
import type { MIGRATE_OPTIONS } from '../command-options.ts'
import type { OptionValues } from '../options.ts'

export async function migrateTables(options: OptionValues<typeof MIGRATE_OPTIONS>, { stdout }: CliContext): Promise<void> {
  const { clickhouseUrl: url, clickhouseUser: user, clickhousePassword: password, clickhouseDatabase: database } = options
  const applied = await migrate({ url, user, password, database })
  if (options.json) {
    stdout.write(`${JSON.stringify({ event: 'migrated', database, applied })}\n`)
    return
  }
  for (const name of applied) stdout.write(`applied ${name}\n`)
  stdout.write(applied.length === 0 ? `${database} was up to date.\n` : `${database} is up to date.\n`)
}
