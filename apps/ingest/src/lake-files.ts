// The port for the files of a lake. Its drivers read a folder or HTTP; `lake-layout.ts` has the layout of names.

import type { LakeManifest } from './lake-layout.ts'
import type { LedgerSpan } from './ledger-source.ts'

/** A batch file, with the range that its name states. */
export interface LakeFile extends LedgerSpan {
  readonly path: string
}

/**
 * Errors: `unavailable`/`source_unreachable` when a file that may exist cannot be read, after the driver's retries;
 * `invalid`/`source_refused` when a retry would not help. An aborted `signal` throws its reason.
 */
export interface LakeFiles {
  /** The folder, or the address without its secrets. For messages, in the middle of a sentence. */
  readonly where: string
  /** Most files that are read ahead at the same time. */
  readonly filesAhead: number
  /** What else may be wrong where files are absent: a sentence after a space, or ''. */
  readonly absentNote: string
  /** Of files that a thread can read by itself: the path of one. */
  readonly pathOf?: (path: string) => string
  /** Null when there is no such file. A file of more than `mostBytes` is not read: `corrupt`/`lake_file_too_large`. */
  read(path: string, mostBytes: number, signal?: AbortSignal): Promise<Uint8Array | null>
  /** The batch file with the oldest ledgers, or null when there is none. */
  oldest(manifest: LakeManifest): Promise<LakeFile | null>
  newest(manifest: LakeManifest): Promise<LakeFile | null>
  /** The first batch file whose first ledger is `from` or later, or null when there is none. */
  firstFrom(from: number, manifest: LakeManifest): Promise<LakeFile | null>
}
