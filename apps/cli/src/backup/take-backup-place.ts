// Where the engine writes one backup, before `orrery backup` moves it out: a folder below its tables. One command at a time uses it.

import { randomUUID } from 'node:crypto'
import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { OrreryError } from '@orrery/errors'
import { backupFolderOf } from '@orrery/read-model'
import { LOCK_FILES, takeLock } from '../data-folder.ts'

export interface BackupPlace extends Disposable {
  /** For `backUpDatabase`. */
  readonly name: string
  /** What the engine writes under that name. */
  readonly path: string
}

/**
 * Deletes what a command that was killed has left there. `Symbol.dispose` deletes what is there then.
 * @throws OrreryError `invalid`/`backup_running`, `data_folder_refused`.
 */
export function takeBackupPlace(clickhouse: string): BackupPlace {
  const folder = backupFolderOf(clickhouse)
  const lock = locked(folder)
  const clear = (): void => {
    for (const entry of readdirSync(folder)) if (!LOCK_FILES.test(entry)) rmSync(join(folder, entry), { recursive: true, force: true })
  }
  clear()
  // The engine may still write under the name of a command that was killed.
  const name = randomUUID()
  return {
    name,
    path: join(folder, name),
    [Symbol.dispose]: () => {
      clear()
      lock.close()
    },
  }
}

function locked(folder: string): ReturnType<typeof takeLock>['lock'] {
  try {
    return takeLock(folder).lock
  } catch (cause) {
    if (!(cause instanceof OrreryError && cause.code === 'data_folder_in_use')) throw cause
    const message = `Another \`orrery backup\` copies the same data folder: ${folder} is in use. Nothing was changed. Start again when it has ended.`
    throw new OrreryError('invalid', 'backup_running', message, { context: { folder }, cause })
  }
}
