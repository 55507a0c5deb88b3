// The files of an engine: its folders, and the configuration with the secrets of one start.

import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { configXml, type ServerLimits, usersXml } from './config-files.ts'
import type { EngineSecrets } from './credentials.ts'
import { type EngineFolders, KEEPER_PIPE, PORT_FILE, quoted, START_FILE } from './engine-plan.ts'

const LOG_FILE = 'clickhouse.log'

/** Where the engine of `dir` writes backups and reads them: below its tables, because it may not write elsewhere. */
export function backupFolderOf(dir: string): string {
  return join(dir, 'data', 'backups')
}
/** The first two hold the secrets of this start. The engine reads them once. */
const CONFIG_FILES = ['config.xml', 'users.xml', START_FILE, KEEPER_PIPE]

/** Statements at once of all analysts: as many as there are cores, at least 2 and at most 8. More would only share the same cores. */
export const ANALYST_QUERIES = Math.min(8, Math.max(2, availableParallelism()))

/** The folders of the engine below `dir`, made when they are absent, and converted when an older build made them. */
export function makeFolders(dir: string): EngineFolders {
  const folders = { data: join(dir, 'data'), config: join(dir, 'config'), run: join(dir, 'run') }
  for (const folder of Object.values(folders)) mkdirSync(folder, { recursive: true, mode: 0o700 })
  // Older builds wrote these where the engine may no longer write.
  rmSync(join(folders.config, PORT_FILE), { force: true })
  if (existsSync(join(dir, LOG_FILE))) renameSync(join(dir, LOG_FILE), join(folders.run, LOG_FILE))
  return folders
}

export interface ConfigOptions {
  readonly httpPort?: number
  readonly database?: string
  readonly memoryBytes?: number
  readonly queryLog?: boolean
  readonly syncs?: boolean
}

/** Writes the configuration of one start, readable only by its owner. */
export function writeConfig(dir: string, folders: EngineFolders, options: ConfigOptions, secrets: EngineSecrets): void {
  const limits: ServerLimits = {
    memoryBytes: options.memoryBytes ?? 2 * 1024 ** 3,
    concurrentQueries: 100,
    analystThreads: Math.max(1, Math.floor(availableParallelism() / 2)),
    analystQueries: ANALYST_QUERIES,
  }
  const config = configXml({
    httpPort: options.httpPort ?? 0,
    logFile: join(folders.run, LOG_FILE),
    backupFolder: backupFolderOf(dir),
    limits,
    queryLog: options.queryLog ?? false,
    syncs: options.syncs ?? true,
    secrets,
  })
  writeFileSync(join(folders.config, 'config.xml'), config, { mode: 0o600 })
  writeFileSync(join(folders.config, 'users.xml'), usersXml(`${options.database ?? 'orrery'}*`, limits), { mode: 0o600 })
  writeFileSync(join(folders.config, START_FILE), startStatements(folders), { mode: 0o600 })
}

function startStatements({ run }: EngineFolders): string {
  return `SYSTEM START LISTEN HTTP;
SELECT getServerPort('http_port') INTO OUTFILE ${quoted(`${run}/${PORT_FILE}`)} TRUNCATE FORMAT TSV;
`
}

/** The engine has read it, or has ended. */
export function deleteConfig(folders: EngineFolders): void {
  for (const file of CONFIG_FILES) rmSync(join(folders.config, file), { force: true })
}
