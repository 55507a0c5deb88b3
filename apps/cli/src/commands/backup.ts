// `orrery backup`: a copy of everything in a data folder, of a running `orrery up` or a stopped one.

import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { OrreryError, reasonOf } from '@orrery/errors'
import { copyLmdbLog } from '@orrery/event-log'
import { backUpSqlite } from '@orrery/identity'
import { PROTOCOLS } from '@orrery/protocols'
import { backUpDatabase, backupFolderOf, completeLedgerOf, openClickHouse, openReadModel } from '@orrery/read-model'
import { loadNetwork } from '@orrery/registry'
import { copyIfPresent, IDENTITY_FILE, KEPT_FILES, LOG_FOLDER, moveFolder, TABLES_FOLDER } from '../backup/files.ts'
import { writeManifest } from '../backup/manifest.ts'
import type { CliContext } from '../cli-context.ts'
import type { BACKUP_OPTIONS } from '../command-options.ts'
import { DEMO } from '../demo.ts'
import type { OptionValues } from '../options.ts'
import { grouped } from '../progress.ts'
import { openDatabase } from '../verify/deployment.ts'
import { version } from '../version.ts'

/**
 * The order makes the copies fit: checkpoints, then rows, then the log. The log in the backup reaches at least as far as the rows, as after a crash.
 * @throws OrreryError `invalid`/`backup_folder_refused`, `unavailable`/`backup_failed`, and the errors of `openDatabase`, `copyLmdbLog` and `backUpSqlite`.
 */
export async function backUp({ data, output, json }: OptionValues<typeof BACKUP_OPTIONS>, { stdout }: CliContext): Promise<void> {
  const [folder, target] = [resolve(data), resolve(output)]
  const registry = join(folder, 'registry.json')
  const network = await loadNetwork(PROTOCOLS, existsSync(registry) ? registry : DEMO)
  await using stack = new AsyncDisposableStack()
  const address = await openDatabase({ network, data: folder, clickhouse: null }, stack)
  makeTarget(target)
  const createdAt = new Date().toISOString()
  const connection = stack.use(openClickHouse(address))
  const ledger = completeLedgerOf(await stack.use(openReadModel(openClickHouse(address))).tip()).ledger

  const name = 'backup'
  const written = join(backupFolderOf(join(folder, 'clickhouse')), name)
  const clear = (): void => rmSync(written, { recursive: true, force: true })
  clear() // of one that was killed
  stack.defer(clear)
  await backUpDatabase(connection, name)
  moveFolder(written, join(target, TABLES_FOLDER))
  for (const file of KEPT_FILES) copyIfPresent(join(folder, file), join(target, file))
  await backUpSqlite(join(folder, IDENTITY_FILE), join(target, IDENTITY_FILE))
  await copyLmdbLog(join(folder, LOG_FOLDER), join(target, LOG_FOLDER))

  const { files } = await writeManifest(target, { orrery: version(), createdAt, network: network.name, ledger })
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0)
  stdout.write(
    json
      ? `${JSON.stringify({ event: 'backed_up', folder: target, ledger, files: files.length, bytes })}\n`
      : `Backed up ${network.name} up to ledger ${grouped(ledger)} into ${target}: ${grouped(Math.ceil(bytes / 1e6))} MB, secrets included. Keep it private.\n`,
  )
}

/** An empty folder of its owner. */
function makeTarget(target: string): void {
  try {
    mkdirSync(target, { recursive: true, mode: 0o700 })
    if (readdirSync(target).length === 0) return
  } catch (cause) {
    throw refused(target, reasonOf(cause))
  }
  throw refused(target, 'it is not empty')
}

function refused(target: string, reason: string): OrreryError {
  const message = `The folder ${target} cannot take a backup: ${reason}. Nothing was changed.\nName an empty or a new folder with \`--output\`.`
  return new OrreryError('invalid', 'backup_folder_refused', message, { context: { target } })
}
