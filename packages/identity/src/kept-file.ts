// A file that is made once and then stays: secrets of a first start. Only its owner reads it.

import { randomUUID } from 'node:crypto'
import { link, readFile, rm, writeFile } from 'node:fs/promises'

/**
 * Text of the file; made when it is not there, in one step, so that a crash leaves the whole file or none, and of two that start at once
 * both get what the first one made.
 */
export async function keptFile(file: string, make: () => string): Promise<string> {
  const existing = await textOf(file)
  if (existing !== null) return existing
  const draft = `${file}.${randomUUID()}.new`
  await writeFile(draft, make(), { mode: 0o600, flush: true })
  try {
    await link(draft, file)
  } catch (error) {
    if (!isCode(error, 'EEXIST')) throw error
  } finally {
    await rm(draft, { force: true })
  }
  return readFile(file, 'utf8')
}

/** Null when it is not there. */
export async function textOf(file: string): Promise<string | null> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    if (isCode(error, 'ENOENT')) return null
    throw error
  }
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}
