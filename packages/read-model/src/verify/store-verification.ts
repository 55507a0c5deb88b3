// Stores the verdict of a verification, which `/v1/health` and metrics show.

import type { ClickHouseConnection } from '../connection.ts'
import { encodeRows, sendInsert } from '../tables/insert.ts'
import { type VerificationRow, verificationsTable } from '../tables/verifications.ts'

/** Needs a user that may insert. */
export async function storeVerification(connection: ClickHouseConnection, row: VerificationRow): Promise<void> {
  await sendInsert(connection, encodeRows(verificationsTable, [row]))
}
