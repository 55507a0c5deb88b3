// `orrery restore`: a new data folder from a backup. The next `orrery up` on it goes on from the ledger of the backup.

import { join, resolve } from 'node:path'
import { OrreryError, reasonOf } from '@orrery/errors'
import { PROTOCOLS } from '@orrery/protocols'
import { backupFolderOf, migrate, openClickHouse, restoreDatabase, startClickHouseHost } from '@orrery/read-model'
import { loadNetwork } from '@orrery/registry'
import { copyIfPresent, IDENTITY_FILE, KEPT_FILES, LOG_FOLDER, linkFile, TABLES_FOLDER } from '../backup/files.ts'
import { checkedManifest, type Manifest } from '../backup/manifest.ts'
import { takeEmptyDataFolder } from '../backup/take-empty-data-folder.ts'
import type { CliContext } from '../cli-context.ts'
import type { RESTORE_OPTIONS } from '../command-options.ts'
import type { OptionValues } from '../options.ts'
import { grouped } from '../progress.ts'

const NAME = 'restore'

/**
 * Reads every file of the backup before it writes the first one. A restore that does not end leaves a folder that `orrery up` refuses.
 * @throws OrreryError `not_found`/`backup_absent`, `corrupt`/`backup_damaged`, `invalid`/`backup_newer_than_code`, `data_folder_not_empty`,
 * `unavailable`/`restore_failed`, `invalid`/`schema_newer_than_code`, and the errors of the registry and the engine.
 */
export async function restore({ backup: from, data, json }: OptionValues<typeof RESTORE_OPTIONS>, { stdout }: CliContext): Promise<void> {
  const backup = resolve(from)
  const { ledger, network, createdAt, files } = await checkedManifest(backup)
  await loadNetwork(PROTOCOLS, join(backup, 'registry.json'))
  using folder = takeEmptyDataFolder(data)
  try {
    copyFiles(backup, files, folder.path)
    await restoreTables(join(folder.path, 'clickhouse'))
    folder.finish()
  } catch (error) {
    throw error instanceof OrreryError ? error : unwritable(folder.path, error)
  }
  stdout.write(
    json
      ? `${JSON.stringify({ event: 'restored', folder: folder.path, network, ledger, createdAt })}\n`
      : `Restored ${network} up to ledger ${grouped(ledger)}, as of ${createdAt}, into ${folder.path}. Compare it with \`orrery verify --data ${data}\`, then start it with \`orrery up --data ${data}\`.\n`,
  )
}

/** Only files that the manifest names, whose bytes were compared. */
function copyFiles(backup: string, files: Manifest['files'], folder: string): void {
  const kept = new Set<string>([...KEPT_FILES, IDENTITY_FILE])
  const tables = join(backupFolderOf(join(folder, 'clickhouse')), NAME)
  for (const { path } of files) {
    const source = join(backup, path)
    if (path.startsWith(`${TABLES_FOLDER}/`)) linkFile(source, join(tables, path.slice(TABLES_FOLDER.length + 1)))
    else if (kept.has(path) || path.startsWith(`${LOG_FOLDER}/`)) copyIfPresent(source, join(folder, path))
  }
}

async function restoreTables(dir: string): Promise<void> {
  await using host = await startClickHouseHost({ dir })
  const address = host.address('admin')
  await using connection = openClickHouse({ ...address, database: 'default' })
  await restoreDatabase(connection, address.database, NAME)
  // A backup of an older build: as its next start would do.
  await migrate(address)
}

function unwritable(folder: string, cause: unknown): OrreryError {
  const message = `The backup could not be restored into ${folder}: ${reasonOf(cause)}. The backup is as it was. Check the space on the disk, delete the folder ${folder}, then start again.`
  return new OrreryError('unavailable', 'restore_failed', message, { context: { folder }, cause })
}
