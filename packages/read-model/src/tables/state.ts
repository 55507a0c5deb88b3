// State rows: written to state_v1; materialized views fill the copies by owner, of the latest and of the last in each bucket.

import type { StateRow } from '@orrery/protocol-kit'
import { flag, seconds, table, text, unsigned } from './column.ts'

export const stateTable = table<StateRow>('state_v1', {
  protocol: text((row) => row.protocol),
  contract: text((row) => row.contract),
  key: text((row) => row.key),
  ledger: unsigned(32, (row) => row.ledger),
  close_time: seconds((row) => row.closeTimeSeconds),
  owner: text((row) => row.owner),
  scope: unsigned(16, (row) => row.scope),
  live_until: unsigned(32, (row) => row.liveUntil),
  durability: text((row) => row.durability),
  removed: flag((row) => row.removed),
  inferred: flag((row) => row.inferred),
  value: text((row) => row.value),
})
