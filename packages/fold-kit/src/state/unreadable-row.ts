// The error of a state row that cannot be read. A fold has written the row, so the cause is a bug in Orrery or a damaged store, and the load stops.

import { OrreryError } from '@orrery/errors'
import type { StateRow } from '@orrery/protocol-kit'
import { decodeValue, type Members, UnreadableMember } from './stored-value.ts'

/** @param member Of the row's JSON, or `key` or `value` as a whole. */
export function unreadableRow(row: StateRow, member: string, cause?: unknown): OrreryError {
  return new OrreryError(
    'corrupt',
    'state_unreadable',
    `A state row of ${row.protocol} cannot be read: ${member} of ${row.key}. Nothing was changed. Index ${row.protocol} again from its first ledger, into a new data folder or database.`,
    { context: { contract: row.contract, key: row.key, ledger: row.ledger, member }, cause },
  )
}

/** The value of a row. @throws OrreryError `corrupt`/`state_unreadable` naming contract, key and ledger. */
export function decodeRow<T>(value: Members<T>, row: StateRow): T {
  try {
    return decodeValue(value, row.value)
  } catch (error) {
    throw error instanceof UnreadableMember ? unreadableRow(row, error.member, error) : error
  }
}
