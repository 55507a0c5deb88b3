// The child process that is the engine: one call into libchdb, which runs ClickHouse and does not return while it runs.
// It reads its statements from two files: the first makes it listen, and the second is a pipe that stays empty, so that it waits without using CPU and
// ends when the parent closes the pipe.
// Executed by launch-engine.ts, confined where the system can do that: what is imported here must be among what it allows.

import { Socket } from 'node:net'
import { DataType, load, open } from 'ffi-rs'
import { type EnginePlan, KEEPER_PIPE, PARENT, START_FILE } from './engine-plan.ts'
import { leaveThreadsUncounted } from './thread-statistics.ts'

const { folders, libchdb } = JSON.parse(process.argv[2] ?? '') as EnginePlan

// The parent has ended. Acknowledged writes are in the kernel already, so an immediate exit is safe;
// exit handlers are not: they would destroy the engine under its own threads.
const die = (): void => void process.kill(process.pid, 'SIGKILL')
new Socket({ fd: PARENT }).on('error', die).on('close', die).resume()

const args = [
  'clickhouse',
  `--path=${folders.data}`,
  `--config-file=${folders.config}/config.xml`,
  // The level of config.xml has no effect in this mode, and the default logs every step.
  '--log-level=error',
  '--queries-file',
  `${folders.config}/${START_FILE}`,
  `${folders.config}/${KEEPER_PIPE}`,
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
