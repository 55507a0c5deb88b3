// The child process that is the engine: one call into libchdb, which runs ClickHouse and does not return while it lives.
// The statement after the listeners never ends, so the engine stops when that statement is killed.
// Usage: node engine-process.ts <data folder> <folder of config.xml> <listeners: HTTP | HTTP,TCP>

import libchdb from 'chdb/libchdb'
import { DataType, load, open } from 'ffi-rs'

const [dataFolder = '', configFolder = '', listeners = 'HTTP'] = process.argv.slice(2)

// The parent is gone, however it went. What was acknowledged is in the kernel's hands already, so the shortest way out is safe;
// exit handlers are not: they would tear the engine down under its own threads.
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'))

const quoted = (value: string): string => `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
const statements = [
  ...listeners.split(',').map((kind) => `SYSTEM START LISTEN ${kind}`),
  `SELECT getServerPort('http_port') INTO OUTFILE ${quoted(`${configFolder}/port`)} TRUNCATE FORMAT TSV`,
  'SELECT sleepEachRow(0.2) FROM system.numbers SETTINGS max_block_size = 1, max_threads = 1, function_sleep_max_microseconds_per_block = 0, log_queries = 0 FORMAT Null',
]
const args = [
  'clickhouse',
  `--path=${dataFolder}`,
  `--config-file=${configFolder}/config.xml`,
  // The level of config.xml is not heard in this mode, and the default is to write every step.
  '--log-level=error',
  '--query_id=host-keeper',
  '--query',
  statements.join(';\n'),
]

open({ library: 'chdb', path: libchdb.libchdbPath() })
await load({
  library: 'chdb',
  // `clickhouse local` itself. ffi-rs runs it on a thread of its own; koffi's stack switching trips the engine's stack guard.
  funcName: 'chdb_query_cmdline',
  retType: DataType.External,
  runInNewThread: true,
  paramsType: [DataType.I32, DataType.StringArray],
  paramsValue: [args.length, args],
})
// It returns when it was asked to stop or could not start; which of the two stands in what it wrote to stderr.
process.exit(0)
