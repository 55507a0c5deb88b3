// Temporary folders of a test file, removed when it is done.

import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { recording } from '@orrery/testkit'
import { afterAll } from 'vitest'

/** A function that makes a new folder each time. Call it once at the top of a test file. */
export function temporaryFolders(): () => string {
  const root = mkdtempSync(join(tmpdir(), 'orrery-ingest-'))
  let count = 0
  afterAll(() => rmSync(root, { recursive: true, force: true }))
  return () => {
    const folder = join(root, `${count++}`)
    mkdirSync(folder)
    return folder
  }
}

/** A lake with some files of the shipped recording: 64 ledgers each, numbered from its oldest. */
export function lakeWith(folder: string, files: readonly number[]): string {
  const { lakeDir, batchFiles } = recording()
  const all = batchFiles()
  cpSync(join(lakeDir, '.config.json'), join(folder, '.config.json'))
  for (const file of files.map((n) => all[n] ?? '')) {
    const partition = join(folder, basename(dirname(file)))
    mkdirSync(partition, { recursive: true })
    cpSync(file, join(partition, basename(file)))
  }
  return folder
}
