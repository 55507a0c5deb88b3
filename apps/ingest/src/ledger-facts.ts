// Facts of a ledger for adapters and the API: from its header, and whether it is the first of its UTC hour and day.

import { OrreryError } from '@orrery/errors'
import type { LedgerHeaderFacts } from '@orrery/ledger'

export interface LedgerFacts {
  readonly ledger: number
  /** 64 hex characters. */
  readonly hash: string
  /** Unix seconds. */
  readonly closeTimeSeconds: number
  readonly hourStart: boolean
  readonly dayStart: boolean
}

const HOUR_SECONDS = 3_600
const DAY_SECONDS = 86_400

/**
 * The facts of the ledger after `previous`. `previous` is null for the first ledger of the index, which starts an hour and a day.
 * A day's first ledger is an hour's first, too, because every day starts with an hour.
 * @throws OrreryError `corrupt`/`ledger_chain_broken` when the ledger does not follow `previous`.
 */
export function nextLedgerFacts(header: LedgerHeaderFacts, previous: LedgerFacts | null): LedgerFacts {
  if (previous) checkChain(header, previous)
  const { sequence: ledger, hash, closeTimeSeconds } = header
  const starts = (seconds: number): boolean =>
    previous === null || Math.floor(closeTimeSeconds / seconds) !== Math.floor(previous.closeTimeSeconds / seconds)
  return { ledger, hash, closeTimeSeconds, hourStart: starts(HOUR_SECONDS), dayStart: starts(DAY_SECONDS) }
}

/**
 * Compares a ledger that is read again with the one in the log.
 * @throws OrreryError `corrupt`/`ledger_chain_broken` when their hashes differ.
 */
export function checkRecordedLedger(header: LedgerHeaderFacts, recorded: LedgerFacts): void {
  if (header.hash === recorded.hash) return
  throw chainBroken(
    header.sequence,
    `The source has ledger ${header.sequence} with the hash ${header.hash}, and the log has it with ${recorded.hash}: they are of different networks, or the network was reset.`,
    recorded.hash,
    header.hash,
  )
}

function checkChain(header: LedgerHeaderFacts, previous: LedgerFacts): void {
  if (header.sequence !== previous.ledger + 1) {
    const problem = `The source returned ledger ${header.sequence} where ${previous.ledger + 1} was expected.`
    throw chainBroken(previous.ledger + 1, problem, previous.hash, header.previousHash)
  }
  if (header.previousHash === previous.hash) return
  const problem = `Ledger ${header.sequence} names the previous hash ${header.previousHash}, but ledger ${previous.ledger} has ${previous.hash}.`
  throw chainBroken(header.sequence, problem, previous.hash, header.previousHash)
}

function chainBroken(ledger: number, problem: string, expected: string, found: string): OrreryError {
  const message = `${problem} Everything up to ledger ${ledger - 1} is complete and stored. Check the source; after a reset of the network index into a new data folder.`
  return new OrreryError('corrupt', 'ledger_chain_broken', message, { context: { ledger, expected, found } })
}
