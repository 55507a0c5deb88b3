// The child process that is the engine: one call into libchdb, which runs ClickHouse and does not return while it runs.
// The statement after the listener never ends, so the engine stops when that statement is killed.
// Executed by launch-engine.ts, confined where the system can do that: what is imported here must be among what it allows.

import { Socket } from 'node:net'
import { DataType, load, open } from 'ffi-rs'
import { type EnginePlan, KEEPER_QUERY, PARENT, PORT_FILE, quoted } from './engine-plan.ts'
import { leaveThreadsUncounted } from './thread-statistics.ts'

const { folders, libchdb } = JSON.parse(process.argv[2] ?? '') as EnginePlan

// The parent has ended. Acknowledged writes are in the kernel already, so an immediate exit is safe;
// exit handlers are not: they would destroy the engine under its own threads.
const die = (): void => void process.kill(process.pid, 'SIGKILL')
new Socket({ fd: PARENT }).on('error', die).on('close', die).resume()

const statements = [
  'SYSTEM START LISTEN HTTP',
  `SELECT getServerPort('http_port') INTO OUTFILE ${quoted(`${folders.run}/${PORT_FILE}`)} TRUNCATE FORMAT TSV`,
  'SELECT sleepEachRow(0.2) FROM system.numbers SETTINGS max_block_size = 1, max_threads = 1, function_sleep_max_microseconds_per_block = 0, interactive_delay = 1000000, log_queries = 0 FORMAT Null',
]
const args = [
  'clickhouse',
  `--path=${folders.data}`,
  `--config-file=${folders.config}/config.xml`,
  // The level of config.xml has no effect in this mode, and the default logs every step.
  '--log-level=error',
  `--query_id=${KEEPER_QUERY}`,
  '--query',
  statements.join(';\n'),
]

open({ library: 'chdb', path: libchdb })
leaveThreadsUncounted(libchdb)
await load({
  library: 'chdb',
  // `clickhouse local` itself. ffi-rs runs it on a thread of its own; koffi's stack switching trips the engine's stack guard.
  funcName: 'chdb_query_cmdline',
  retType: DataType.External,
  runInNewThread: true,
  paramsType: [DataType.I32, DataType.StringArray],
  paramsValue: [args.length, args],
})
// It returns when it was asked to stop or could not start; its stderr shows which of the two.
process.exit(0)
