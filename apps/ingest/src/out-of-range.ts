// Errors for a source that does not have the ledger that is needed next.

import { OrreryError } from '@orrery/errors'
import type { LedgerSpan, SourceRange } from './ledger-source.ts'

/** `ledger 7`, `ledgers 7 to 9` */
export function spanText({ first, last }: LedgerSpan): string {
  return first === last ? `ledger ${first}` : `ledgers ${first} to ${last}`
}

/**
 * Ledgers left the window of a node before they were read: the log would get a gap.
 * @param answer The node's answer to a request for the first of them.
 */
export function leftWindow(where: string, missing: LedgerSpan, last: number, answer: string): OrreryError {
  const { first } = missing
  const message = `${capital(where)} now begins at ledger ${missing.last + 1}, and ${spanText(missing)} would be missing: the node no longer keeps them. The request for ledger ${first} was refused: ${answer}. Everything before ledger ${first} is complete and stored. Name a lake that has them with --lake, together with --rpc, and start again: ingest continues from there. Or index into a new data folder, with --from-ledger ${missing.last + 1} or later.`
  return new OrreryError('invalid', 'ledgers_out_of_range', message, { context: { next: first, first: missing.last + 1, last } })
}

export function outOfRange(what: string, way: string, next: number, { first, last }: SourceRange): OrreryError {
  return new OrreryError('invalid', 'ledgers_out_of_range', `${what} Nothing was changed. ${way}`, { context: { next, first, last } })
}

export function capital(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1)
}
