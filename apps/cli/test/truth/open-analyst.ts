// The engine of the shared index as an analyst asks it: `orrery up` gives its address to no other user.

import { type ClickHouseConnection, openClickHouse } from '@orrery/read-model'

/** An analyst's statement may take a quarter of the engine's 2 GiB. */
export const ANALYST_STATEMENT_BYTES = 512 * 1024 ** 2

/** As many statements at once as analysts have together on a machine with two cores. */
const CONNECTIONS = 2
/** A statement waits where files that run beside this one have all the places. */
const RETRY_FOR_MS = 300_000

export function openAnalyst(clickhouseUrl: string): ClickHouseConnection {
  const { origin, username, password } = new URL(clickhouseUrl)
  const address = { url: origin, user: username, password, database: 'orrery' }
  const own = openClickHouse({ ...address, maxConnections: CONNECTIONS })
  return { ...own, attempt: (name, work, options) => own.attempt(name, work, { ...options, retryForMs: RETRY_FOR_MS }) }
}
