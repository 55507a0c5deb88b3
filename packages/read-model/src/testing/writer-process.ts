// A process that a test kills: it starts an engine, then writes ledger after ledger and prints the acknowledged ones.
// Usage: node writer-process.ts <folder>

import { NO_ROWS } from '@orrery/protocol-kit'
import { openStore } from '../clickhouse-store.ts'
import { openClickHouse } from '../connection.ts'
import { startClickHouseHost } from '../host/start-host.ts'
import { migrate } from '../schema/migrate.ts'
import { stateRow } from './example-rows.ts'

const host = await startClickHouseHost({ dir: process.argv[2] ?? '' })
await migrate(host.address('admin'))
process.stdout.write(`${JSON.stringify({ enginePid: host.pid })}\n`)
const store = openStore(openClickHouse(host.address('writer')))
for (let ledger = 1; ; ledger++) {
  await store.write([{ ...NO_ROWS, state: [stateRow({ ledger })] }], 1)
  process.stdout.write(`${JSON.stringify({ acknowledged: ledger })}\n`)
}
