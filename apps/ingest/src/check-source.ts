// Whether a source can give what is needed next. A hole is refused before it is made.

import { OrreryError } from '@orrery/errors'
import type { Network } from '@orrery/protocol-kit'
import type { LedgerSource, SourceRange } from './ledger-source.ts'

/** @throws OrreryError `invalid`/`wrong_network`. */
export async function checkPassphrase(source: LedgerSource, network: Network): Promise<void> {
  const passphrase = await source.passphrase()
  if (passphrase === null || passphrase === network.passphrase) return
  const message = `${capital(source.describe)} is of the network "${passphrase}", and the registry describes "${network.passphrase}". Nothing was read. Name the registry of that network, or its own source.`
  throw new OrreryError('invalid', 'wrong_network', message)
}

/**
 * First ledger of a new index: the one that was asked for, else the network's first, else the source's oldest if that is younger.
 * Starting young is allowed because a part of a recording or a node's window is what some want; the caller says it aloud.
 */
export function firstLedgerOf(network: Network, range: SourceRange, asked: number | undefined): number {
  return asked ?? Math.max(network.firstLedger, range.first)
}

/** @throws OrreryError `invalid`/`ledgers_out_of_range` when `next` cannot come from the source, with what is missing. */
export function checkRange(source: LedgerSource, range: SourceRange, next: number, isNewIndex: boolean): void {
  const has = `${capital(source.describe)} has ledgers ${range.first} to ${range.last ?? 'now'}`
  if (next < range.first) {
    const missing = next === range.first - 1 ? `ledger ${next}` : `ledgers ${next} to ${range.first - 1}`
    throw outOfRange(`${has}, and ${missing} would be missing.`, isNewIndex, next, range)
  }
  // One past the end is fine: everything was read, or the next ledger is about to close. A new index needs one ledger at least.
  const reach = range.last === null ? Number.POSITIVE_INFINITY : range.last + (isNewIndex && source.ends ? 0 : 1)
  if (source.ends && next > reach) {
    throw outOfRange(
      isNewIndex ? `${has}, and the index was to begin at ${next}.` : `${has}, but the log goes up to ${next - 1} already.`,
      isNewIndex,
      next,
      range,
    )
  }
}

function outOfRange(what: string, isNewIndex: boolean, next: number, range: SourceRange): OrreryError {
  const way = isNewIndex
    ? `Begin inside of it with --from-ledger, or name a source that has ledger ${next}.`
    : `Name a source that has ledger ${next}, or index into a new data folder.`
  const message = `${what} Nothing was changed. ${way}`
  return new OrreryError('invalid', 'ledgers_out_of_range', message, { context: { next, first: range.first, last: range.last } })
}

function capital(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1)
}
