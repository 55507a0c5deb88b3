// Checks that a source has the ledger that is needed next, so that the log never gets a gap.

import { OrreryError } from '@orrery/errors'
import type { Network } from '@orrery/protocol-kit'
import type { LedgerSource, SourceRange } from './ledger-source.ts'
import { capital, outOfRange, spanText } from './out-of-range.ts'

/** @throws OrreryError `invalid`/`wrong_network`. */
export async function checkPassphrase(source: LedgerSource, network: Network): Promise<void> {
  const passphrase = await source.passphrase()
  if (passphrase === null || passphrase === network.passphrase) return
  const message = `${capital(source.describe)} is of the network "${passphrase}", and the registry describes "${network.passphrase}". Nothing was read. Name the registry of that network, or its own source.`
  throw new OrreryError('invalid', 'wrong_network', message)
}

/**
 * First ledger of a new index without `--from-ledger`: the network's first, or the source's oldest where that is later.
 * A late start is allowed because some want a part of a recording or a node's window; the caller logs it.
 */
export function firstLedgerOf(network: Network, oldest: number): number {
  return Math.max(network.firstLedger, oldest)
}

/** @throws OrreryError `invalid`/`ledgers_out_of_range`, with the missing ledgers, when the source does not have `next`. */
export function checkRange(source: LedgerSource, range: SourceRange, next: number, isNewIndex: boolean): void {
  const { first, last, gap } = range
  const has = `${capital(source.describe)} has ledgers ${first} to ${last ?? 'now'}`
  const answer = range.refusal === undefined ? '' : ` A request for ledgers before ${first} was refused: ${range.refusal}.`
  if (next < first) {
    const missing = spanText({ first: next, last: first - 1 })
    throw outOfRange(`${has}, and ${missing} would be missing.${answer}`, wayOut(source, next, first, isNewIndex), next, range)
  }
  if (gap && next <= gap.last) {
    const missing = spanText(gap)
    const way = `Wait until the lake has them, name one that does, or a node that keeps more. Or index into a new data folder, with --from-ledger ${gap.last + 1} or later.`
    throw outOfRange(`${has}, but not ${missing}: neither source has them.${answer}`, way, next, range)
  }
  // One past the end is fine: everything was read, or the next ledger is about to close. A new index needs one ledger at least.
  const reach = last === null ? Number.POSITIVE_INFINITY : last + (isNewIndex ? 0 : 1)
  if ((source.ends || isNewIndex) && next > reach) {
    throw outOfRange(
      isNewIndex ? `${has}, and the index was to begin at ${next}.` : `${has}, but the log goes up to ${next - 1} already.`,
      wayOut(source, next, first, isNewIndex),
      next,
      range,
    )
  }
}

function wayOut({ ends }: LedgerSource, next: number, first: number, isNewIndex: boolean): string {
  if (isNewIndex) return `Begin inside of it with --from-ledger, or name a source that has ledger ${next}.`
  if (ends) return `Name a source that has ledger ${next}, or index into a new data folder.`
  return `Name a lake that has ledger ${next} with --lake, together with --rpc, which continues from its end. Or index into a new data folder, with --from-ledger ${first} or later.`
}
