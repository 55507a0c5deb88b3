// Ledgers that a source has and that cannot be decoded: damaged copies. The errors name the ledgers, the source and what to do.

import { OrreryError, reasonOf } from '@orrery/errors'
import type { LedgerSpan, SourceLedger } from './ledger-source.ts'
import { capital, spanText } from './out-of-range.ts'

const RESUMES =
  'Stored ledgers stay as they are; nothing of what cannot be read was stored. When it can be read, indexing continues from there: `orrery up` tries again by itself, other processes when they are started again.'

/**
 * A file of a lake that cannot be unpacked or read.
 * @param place The folder or address of the file, without credentials.
 * @param span The ledgers that its name states.
 */
export function brokenFile(place: string, span: LedgerSpan, cause: unknown): OrreryError {
  const message = `${capital(spanText(span))} cannot be read: the lake file ${place} is broken (${withoutStop(cause)}). Fetch the file again, or name another source with --lake or --rpc. ${RESUMES}`
  return new OrreryError('corrupt', 'lake_file_broken', message, { context: { path: place, ...span }, cause })
}

/**
 * `error` with the ledger, its source or file, and what to do, where it is about bytes of that ledger; else null.
 * @param source What the source describes itself as, without credentials.
 */
export function unreadableLedger(
  error: unknown,
  { sequence: ledger, file }: Pick<SourceLedger, 'sequence' | 'file'>,
  source: string,
): OrreryError | null {
  if (!(error instanceof OrreryError)) return null
  if (error.code === 'ledger_newer_than_build' && file !== undefined) return error.with({ path: file, ledger })
  if (error.code !== 'ledger_unreadable') return null
  if (file !== undefined) return brokenFile(file, { first: ledger, last: ledger }, error)
  const message = `Ledger ${ledger} of ${source} cannot be read (${withoutStop(error)}). Name another source with --rpc or --lake, or correct this one. ${RESUMES}`
  return new OrreryError('corrupt', 'ledger_unreadable', message, { context: { ...error.context, ledger, source }, cause: error })
}

/** Whether a copy of a ledger is damaged: the source may have a correct one later. */
export function isDamagedCopy(error: unknown): boolean {
  return error instanceof OrreryError && (error.code === 'lake_file_broken' || error.code === 'ledger_unreadable')
}

function withoutStop(error: unknown): string {
  return reasonOf(error).replace(/\.$/, '')
}
