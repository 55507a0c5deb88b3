// A ledger as the wire writes it.

import { z } from 'zod'
import { Timestamp, timestampOf } from './timestamp.ts'

export const Ledger = z
  .strictObject({
    ledger: z.int().nonnegative().describe('Ledger sequence.'),
    timestamp: Timestamp.describe('Close time of the ledger, UTC, whole seconds.'),
    hash: z.string().describe('Hash of the ledger header, 64 lowercase hex characters.'),
  })
  .meta({
    id: 'Ledger',
    example: { ledger: 1000000, timestamp: '2026-09-01T00:00:00Z', hash: '0'.repeat(64) },
  })

export function presentLedger(row: {
  readonly ledger: number
  readonly close_time_seconds: number
  readonly hash: string
}): z.input<typeof Ledger> {
  return { ledger: row.ledger, timestamp: timestampOf(row.close_time_seconds), hash: row.hash }
}
