// `orrery restore`: a new data folder from a backup. The next `orrery up` on it goes on from the ledger of the backup.

import { join, resolve } from 'node:path'
import { PROTOCOLS } from '@orrery/protocols'
import { backupFolderOf, migrate, openClickHouse, restoreDatabase, startClickHouseHost } from '@orrery/read-model'
import { loadNetwork } from '@orrery/registry'
import { copyIfPresent, IDENTITY_FILE, KEPT_FILES, LOG_FOLDER, linkFolder, TABLES_FOLDER } from '../backup/files.ts'
import { checkedManifest } from '../backup/manifest.ts'
import { takeEmptyDataFolder } from '../backup/take-empty-data-folder.ts'
import type { CliContext } from '../cli-context.ts'
import type { RESTORE_OPTIONS } from '../command-options.ts'
import type { OptionValues } from '../options.ts'
import { grouped } from '../progress.ts'

const NAME = 'restore'

/**
 * Reads every file of the backup before it writes the first one. A restore that does not end leaves a folder that `orrery up` refuses.
 * @throws OrreryError `not_found`/`backup_absent`, `corrupt`/`backup_damaged`, `invalid`/`data_folder_not_empty`, `unavailable`/`backup_failed`,
 * `invalid`/`schema_newer_than_code`, and the errors of the registry and the engine.
 */
export async function restore({ backup: from, data, json }: OptionValues<typeof RESTORE_OPTIONS>, { stdout }: CliContext): Promise<void> {
  const backup = resolve(from)
  const { ledger, network, createdAt, files } = await checkedManifest(backup)
  await loadNetwork(PROTOCOLS, join(backup, 'registry.json'))
  using folder = takeEmptyDataFolder(data)
  const clickhouse = join(folder.path, 'clickhouse')

  for (const file of [...KEPT_FILES, IDENTITY_FILE]) copyIfPresent(join(backup, file), join(folder.path, file))
  for (const { path } of files) {
    if (path.startsWith(`${LOG_FOLDER}/`)) copyIfPresent(join(backup, path), join(folder.path, path))
  }
  linkFolder(join(backup, TABLES_FOLDER), join(backupFolderOf(clickhouse), NAME))
  await restoreTables(clickhouse)
  folder.finish()
  stdout.write(
    json
      ? `${JSON.stringify({ event: 'restored', folder: folder.path, network, ledger, createdAt })}\n`
      : `Restored ${network} up to ledger ${grouped(ledger)}, as of ${createdAt}, into ${folder.path}. Compare it with \`orrery verify --data ${data}\`, then start it with \`orrery up --data ${data}\`.\n`,
  )
}

async function restoreTables(dir: string): Promise<void> {
  await using host = await startClickHouseHost({ dir })
  const address = host.address('admin')
  await using connection = openClickHouse({ ...address, database: 'default' })
  await restoreDatabase(connection, address.database, NAME)
  // A backup of an older build: as its next start would do.
  await migrate(address)
}
