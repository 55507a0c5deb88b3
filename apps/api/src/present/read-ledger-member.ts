// The member `as_of_ledger` of a `metadata`.

import { z } from 'zod'

/** Description of the member. */
export const READ_LEDGER =
  'Present only if the item was read from a Stellar RPC: the ledger of the RPC response. All other items are as of `last_indexed_ledger`.'

/** A member of a `metadata` that is always present. */
export const ReadLedger = z.int().optional().describe(READ_LEDGER)
