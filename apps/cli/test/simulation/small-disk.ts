// A file system of a few hundred megabytes that a test fills and frees again. Needs Linux and root.

import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, rmSync, statfsSync } from 'node:fs'
import { join } from 'node:path'

export class SmallDisk implements Disposable {
  readonly folder: string
  readonly #ballast: string

  /** Mounts it at `folder`, which is made here. */
  constructor(folder: string, megabytes: number) {
    this.folder = folder
    this.#ballast = join(folder, 'ballast')
    mkdirSync(folder, { recursive: true })
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=700`, 'tmpfs', folder])
  }

  static get isPossible(): boolean {
    return process.platform === 'linux' && process.getuid?.() === 0
  }

  /** Leaves this number of bytes free at most. */
  fill(leftBytes: number): void {
    for (;;) {
      const { bavail, bsize } = statfsSync(this.folder)
      const bytes = bavail * bsize - Math.floor(leftBytes)
      if (bytes <= 0) return
      const { status, stderr } = spawnSync('fallocate', ['-l', String(bytes), this.#ballast], { encoding: 'utf8' })
      if (status === 0) return
      // The processes on the disk write, too: what was free a moment ago may be taken.
      if (!stderr.includes('No space left on device')) throw new Error(stderr)
      this.free()
    }
  }

  free(): void {
    rmSync(this.#ballast, { force: true })
  }

  [Symbol.dispose](): void {
    execFileSync('umount', ['--lazy', this.folder])
  }
}
