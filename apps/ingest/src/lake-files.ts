// The files of a lake, wherever they are kept. Drivers know places; the layout of names is `lake-layout.ts`.

import type { LakeManifest } from './lake-layout.ts'
import type { LedgerSpan } from './ledger-source.ts'

/** A batch as its name tells it. */
export interface LakeFile extends LedgerSpan {
  readonly path: string
}

/**
 * Errors: `unavailable`/`source_unreachable` when a file cannot be read though it may be there, after the retries that a driver makes;
 * `invalid`/`source_refused` when that would not change. An aborted `signal` throws its reason.
 */
export interface LakeFiles {
  /** For people, in the middle of a sentence: the folder, or the address without what may be secret in it. */
  readonly where: string
  /** Null when there is no such file. One of more than `mostBytes` is not read: `corrupt`/`lake_file_too_large`. */
  read(path: string, mostBytes: number, signal?: AbortSignal): Promise<Uint8Array | null>
  /** The batch file with the oldest ledgers, or null when there is none. */
  oldest(manifest: LakeManifest): Promise<LakeFile | null>
  newest(manifest: LakeManifest): Promise<LakeFile | null>
  /** The first batch file whose first ledger is `from` or later, or null when there is none. */
  firstFrom(from: number, manifest: LakeManifest): Promise<LakeFile | null>
}
