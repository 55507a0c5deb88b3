// The error of a state row that cannot be read. A fold has written the row, so the cause is a bug in Orrery or a damaged store, and the load stops.

import { OrreryError } from '@orrery/errors'
import type { StateRow } from '@orrery/protocol-kit'

/** @param member Of the row's JSON, or `key` or `value` as a whole. */
export function unreadableRow(row: StateRow, member: string, cause?: unknown): OrreryError {
  return new OrreryError(
    'corrupt',
    'state_unreadable',
    `A state row of ${row.protocol} cannot be read: ${member} of ${row.key}. Nothing was changed. Replay ${row.protocol} from its first ledger.`,
    { context: { contract: row.contract, key: row.key, ledger: row.ledger, member }, cause },
  )
}
