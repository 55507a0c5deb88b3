// Some files of a recording, as a lake of their own: it may begin in the middle of history.

import { copyFileSync, mkdirSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { type Recording, recording } from '@orrery/testkit'

/** Ledgers from `first` on, in whole files; of the shipped recording where no other is given. @returns The first and the last ledger that are in it. */
export function partOfLake(
  directory: string,
  first: number,
  last: number,
  { lakeDir, batchFiles }: Recording = recording(),
): { readonly first: number; readonly last: number } {
  const files = batchFiles()
    .map((path) => ({ path, range: rangeOf(path) }))
    .filter(({ range }) => range.last >= first && range.first <= last)
  for (const { path } of files) {
    const folder = join(directory, basename(dirname(path)))
    mkdirSync(folder, { recursive: true })
    copyFileSync(path, join(folder, basename(path)))
  }
  copyFileSync(join(lakeDir, '.config.json'), join(directory, '.config.json'))
  return { first: files.at(0)?.range.first ?? 0, last: files.at(-1)?.range.last ?? 0 }
}

function rangeOf(path: string): { readonly first: number; readonly last: number } {
  const [, first, last] = /--(\d+)-(\d+)\.xdr/.exec(path) ?? []
  return { first: Number(first), last: Number(last) }
}
