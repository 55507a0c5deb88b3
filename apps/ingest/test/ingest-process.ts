// A process that reads a lake into a log, ledger by ledger, and prints each one that it begins with. Tests kill it.
// Arguments: the log's URL, the lake's folder, the registry file.

import { openLog } from '@orrery/event-log'
import { loadNetwork } from '@orrery/protocols'
import { createLogger, createMetrics } from '@orrery/service-kit'
import { soroswap } from '@orrery/soroswap'
import { lakeSource } from '../src/lake-source.ts'
import { startIngest } from '../src/start-ingest.ts'
import { ledgersOf, memorySource } from './ledgers.ts'

const [url = '', lake = '', registry = ''] = process.argv.slice(2)
await using log = await openLog(url)
const ingest = await startIngest({
  network: await loadNetwork(registry),
  routings: [soroswap.routing],
  source: memorySource(await ledgersOf(lakeSource(lake)), { last: null, before: (ledger) => void process.stdout.write(`${ledger}\n`) }),
  log,
  logger: createLogger({ name: 'test', level: 'silent', json: true }),
  metrics: createMetrics(),
})
await ingest.finished
