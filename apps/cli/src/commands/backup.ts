// `orrery backup`: a copy of everything in a data folder, of a running `orrery up` or a stopped one.

import { chmodSync, existsSync, mkdirSync, readdirSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { OrreryError, reasonOf } from '@orrery/errors'
import { copyLmdbLog } from '@orrery/event-log'
import { backUpSqlite } from '@orrery/identity'
import { PROTOCOLS } from '@orrery/protocols'
import { backUpDatabase, type ClickHouseAddress, completeLedgerOf, openClickHouse, openReadModel } from '@orrery/read-model'
import { loadNetwork } from '@orrery/registry'
import { abortOnSignals } from '../backup/abort-on-signals.ts'
import { copyIfPresent, IDENTITY_FILE, KEPT_FILES, LOG_FOLDER, moveFolder, TABLES_FOLDER } from '../backup/files.ts'
import { writeManifest } from '../backup/manifest.ts'
import { takeBackupPlace } from '../backup/take-backup-place.ts'
import type { CliContext } from '../cli-context.ts'
import type { BACKUP_OPTIONS } from '../command-options.ts'
import { DEMO } from '../demo.ts'
import type { OptionValues } from '../options.ts'
import { grouped } from '../progress.ts'
import { openDatabase } from '../verify/deployment.ts'
import { version } from '../version.ts'

/**
 * A signal stops it.
 * @throws OrreryError `invalid`/`backup_folder_refused`, `backup_running`, `schema_older_than_code`, `unavailable`/`backup_failed`, `backup_stopped`, and
 * the errors of `openDatabase`, `copyLmdbLog` and `backUpSqlite`.
 */
export async function backUp({ data, output, json }: OptionValues<typeof BACKUP_OPTIONS>, { stdout }: CliContext): Promise<void> {
  const [folder, target] = [resolve(data), resolve(output)]
  if (!relative(folder, target).startsWith('..')) throw refused(target, `it is in the data folder ${folder}`)
  const registry = join(folder, 'registry.json')
  const network = await loadNetwork(PROTOCOLS, existsSync(registry) ? registry : DEMO)
  await using stack = new AsyncDisposableStack()
  const address = await openDatabase({ network, data: folder, clickhouse: null, leavesTables: true }, stack)
  makeTarget(target)
  const createdAt = new Date().toISOString()
  const ledger = completeLedgerOf(await stack.use(openReadModel(openClickHouse(address))).tip()).ledger
  using interruption = abortOnSignals(stopped(target))
  const { signal: stop } = interruption
  try {
    await copyAll({ folder, address, target, stop })
    const { files } = await writeManifest(target, { orrery: version(), createdAt, network: network.name, ledger }, stop)
    const bytes = files.reduce((sum, file) => sum + file.bytes, 0)
    stdout.write(
      json
        ? `${JSON.stringify({ event: 'backed_up', folder: target, ledger, files: files.length, bytes })}\n`
        : `Backed up ${network.name} up to ledger ${grouped(ledger)} into ${target}: ${grouped(Math.ceil(bytes / 1e6))} MB, secrets included. Keep it private.\n`,
    )
  } catch (error) {
    throw error instanceof OrreryError ? error : unwritable(target, error)
  }
}

interface Copying {
  readonly folder: string
  readonly address: ClickHouseAddress
  readonly target: string
  readonly stop: AbortSignal
}

/** The order makes the copies fit: checkpoints, then rows, then the log. The log in the backup reaches at least as far as the rows, as after a crash. */
async function copyAll({ folder, address, target, stop }: Copying): Promise<void> {
  {
    using place = takeBackupPlace(join(folder, 'clickhouse'))
    await using connection = openClickHouse(address)
    await backUpDatabase(connection, place.name, stop)
    moveFolder(place.path, join(target, TABLES_FOLDER))
  }
  for (const file of KEPT_FILES) copyIfPresent(join(folder, file), join(target, file))
  stop.throwIfAborted()
  await backUpSqlite(join(folder, IDENTITY_FILE), join(target, IDENTITY_FILE))
  stop.throwIfAborted()
  await copyLmdbLog(join(folder, LOG_FOLDER), join(target, LOG_FOLDER))
}

/** An empty folder of its owner. */
function makeTarget(target: string): void {
  let isEmpty: boolean
  try {
    mkdirSync(target, { recursive: true, mode: 0o700 })
    isEmpty = readdirSync(target).length === 0
    if (isEmpty) chmodSync(target, 0o700)
  } catch (cause) {
    throw refused(target, reasonOf(cause))
  }
  if (!isEmpty) throw refused(target, 'it is not empty')
}

function refused(target: string, reason: string): OrreryError {
  const message = `The folder ${target} cannot take a backup: ${reason}. Nothing was changed.\nName an empty or a new folder with \`--output\`.`
  return new OrreryError('invalid', 'backup_folder_refused', message, { context: { target } })
}

function unwritable(target: string, cause: unknown): OrreryError {
  const message = `The backup could not be written into ${target}: ${reasonOf(cause)}. The data folder was not changed. Check the space on its disk, delete the folder ${target}, then start again.`
  return new OrreryError('unavailable', 'backup_failed', message, { context: { target }, cause })
}

function stopped(target: string): OrreryError {
  const message = `The backup was stopped by a signal. What is in ${target} is not whole, and \`orrery restore\` refuses it. The data folder was not changed. Delete the folder ${target} before you start again.`
  return new OrreryError('unavailable', 'backup_stopped', message, { context: { target } })
}
