// Temporary folders of tests in memory. Most of them are data folders of the engine, whose inserts make many small files: on some disks that takes
// the system longer than the insert takes the engine.
import { readFileSync, statfsSync } from 'node:fs'

const FOLDER = '/dev/shm'
const TMPFS = 0x01021994
const GIGABYTE = 1e9
/** More than the tests of any tier have in temporary folders at once. */
const NEEDED_BYTES = 8 * GIGABYTE

/** A folder in memory that is large enough and from which programs may run; undefined where there is none. */
export function memoryFolder(): string | undefined {
  return process.platform === 'linux' && isSuitable() ? FOLDER : undefined
}

function isSuitable(): boolean {
  try {
    const { type, bavail, bsize } = statfsSync(FOLDER)
    const options = readFileSync('/proc/mounts', 'utf8')
      .match(/^\S+ \/dev\/shm \S+ (\S+)/m)?.[1]
      ?.split(',') ?? ['noexec']
    const available = Number(readFileSync('/proc/meminfo', 'utf8').match(/^MemAvailable:\s+(\d+) kB/m)?.[1] ?? 0) * 1024
    return type === TMPFS && bavail * bsize >= NEEDED_BYTES && available >= 2 * NEEDED_BYTES && !options.includes('noexec')
  } catch {
    return false // a system without them
  }
}
