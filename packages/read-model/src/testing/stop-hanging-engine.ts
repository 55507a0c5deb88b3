// A process whose engine hangs when it is asked to stop: it prints `stopped` when the engine was killed instead.
// Usage: node stop-hanging-engine.ts <folder>

import { startClickHouseHost } from '../host/start-host.ts'

const host = await startClickHouseHost({ dir: process.argv[2] ?? '' })
process.kill(host.pid, 'SIGSTOP')
await host.stop()
process.stdout.write('stopped\n')
