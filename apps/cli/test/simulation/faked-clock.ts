// The clock of one process, which a test moves while the process runs. The clock of the machine stays as it is. Needs libfaketime.

import { existsSync, readdirSync, renameSync, writeFileSync } from 'node:fs'

/** Where Debian's package `faketime` puts the library, below the folder of the architecture. */
const LIBRARY = 'faketime/libfaketimeMT.so.1'

export class FakedClock {
  /** Environment of the process. */
  readonly env: Readonly<Record<string, string>>
  readonly #file: string

  /** @param file Holds the offset; made here. */
  constructor(file: string) {
    this.#file = file
    this.moveTo(0)
    this.env = {
      LD_PRELOAD: libraryPath(),
      FAKETIME_TIMESTAMP_FILE: file,
      FAKETIME_CACHE_DURATION: '1', // seconds until the library reads the file again
      FAKETIME_DONT_FAKE_MONOTONIC: '1', // a change of the wall clock does not move it
      FAKETIME_NO_CACHE: '0',
    }
  }

  /** Seconds after the clock of the machine; negative: before it. Takes effect within a second. */
  moveTo(offsetSeconds: number): void {
    writeFileSync(`${this.#file}.new`, `${offsetSeconds < 0 ? '' : '+'}${offsetSeconds}\n`)
    renameSync(`${this.#file}.new`, this.#file) // the process never reads half of it
  }
}

function libraryPath(): string {
  const folders = ['/usr/lib', ...readdirSync('/usr/lib').map((name) => `/usr/lib/${name}`)]
  const found = folders.map((folder) => `${folder}/${LIBRARY}`).find((path) => existsSync(path))
  if (found === undefined) throw new Error('libfaketime is missing: `apt-get install faketime`.')
  return found
}
