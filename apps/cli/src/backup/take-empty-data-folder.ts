// A data folder that a restore fills. Until it is whole it holds a file that makes every other command refuse it.

import { closeSync, mkdirSync, openSync, readdirSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { OrreryError, reasonOf } from '@orrery/errors'
import { backupFolderOf } from '@orrery/read-model'
import { INCOMPLETE_FILE, LOCK_FILES, takeLock } from '../data-folder.ts'

export interface EmptyDataFolder extends Disposable {
  readonly path: string
  /** The folder is whole. */
  finish(): void
}

/** Locks the folder, which it makes. @throws OrreryError `invalid`/`data_folder_not_empty`, `data_folder_in_use`, `data_folder_refused`. */
export function takeEmptyDataFolder(folder: string): EmptyDataFolder {
  const path = resolve(folder)
  if (entriesOf(path).length > 0) throw notEmpty(path)
  const { lock } = takeLock(path)
  // Another process may have filled the folder before it was locked.
  if (entriesOf(path).some((name) => !LOCK_FILES.test(name))) {
    lock.close()
    throw notEmpty(path)
  }
  const marker = join(path, INCOMPLETE_FILE)
  closeSync(openSync(marker, 'w', 0o600))
  return {
    path,
    finish: () => {
      rmSync(backupFolderOf(join(path, 'clickhouse')), { recursive: true, force: true })
      rmSync(marker)
    },
    [Symbol.dispose]: () => lock.close(),
  }
}

function entriesOf(path: string): string[] {
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 })
    return readdirSync(path)
  } catch (cause) {
    throw new OrreryError(
      'invalid',
      'data_folder_refused',
      `The data folder ${path} cannot be used: ${reasonOf(cause)}. Nothing was changed.\nChoose a writable folder with \`--data\`.`,
      { context: { path }, cause },
    )
  }
}

function notEmpty(path: string): OrreryError {
  const message = `The folder ${path} is not empty, and a restore writes into an empty one only. Nothing was changed.\nName an empty or a new folder with \`--data\`, or move the old one away.`
  return new OrreryError('invalid', 'data_folder_not_empty', message, { context: { path } })
}
