// A secret in a new file that only its owner reads: never printed, so that it is in no scrollback and in no log.

import { rmSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { OrreryError, reasonOf } from '@orrery/errors'

/**
 * Writes the secret, then does the work that makes it valid: the file is deleted when that fails. The path of the file.
 * @throws OrreryError `invalid`/`secret_file_refused` when the file exists or cannot be written: nothing was changed then.
 */
export async function withSecretFile<T>(
  file: string,
  secret: string,
  work: () => Promise<T>,
): Promise<{ readonly path: string; readonly result: T }> {
  const path = resolve(file)
  try {
    writeFileSync(path, `${secret}\n`, { mode: 0o600, flag: 'wx', flush: true })
  } catch (cause) {
    const message = `The secret cannot be written to ${path}: ${reasonOf(cause)}. Nothing was changed.\nName a file that does not exist, in a folder that you can write to, with \`--secret-file\`.`
    throw new OrreryError('invalid', 'secret_file_refused', message, { cause, context: { path } })
  }
  try {
    return { path, result: await work() }
  } catch (error) {
    rmSync(path, { force: true })
    throw error
  }
}
