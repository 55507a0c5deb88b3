// A process that is one shard of a test's cluster: the embedded engine, with the native protocol on, by which the shards of a cluster ask each other.
// The embedded engine of Orrery has it off, because requests by it carry no secret; so this process is for tests alone.

import { Socket } from 'node:net'
import { DataType, load, open } from 'ffi-rs'
import { PARENT } from '../host/engine-plan.ts'

const { libchdb, folder } = JSON.parse(process.argv[2] ?? '') as { readonly libchdb: string; readonly folder: string }

const die = (): void => void process.kill(process.pid, 'SIGKILL')
new Socket({ fd: PARENT }).on('error', die).on('close', die).resume()

const statements = [
  'SYSTEM START LISTEN TCP',
  'SYSTEM START LISTEN HTTP',
  'SELECT sleepEachRow(0.2) FROM system.numbers SETTINGS max_block_size = 1, max_threads = 1, function_sleep_max_microseconds_per_block = 0, log_queries = 0 FORMAT Null',
]
const args = [
  'clickhouse',
  `--path=${folder}/data`,
  `--config-file=${folder}/config.xml`,
  '--log-level=error',
  '--query',
  statements.join(';\n'),
]

open({ library: 'chdb', path: libchdb })
await load({
  library: 'chdb',
  funcName: 'chdb_query_cmdline',
  retType: DataType.External,
  runInNewThread: true,
  paramsType: [DataType.I32, DataType.StringArray],
  paramsValue: [args.length, args],
})
process.exit(0)
