// Why an engine did not start, as a message that helps. Causes are recognized by the error codes that ClickHouse writes to stderr.

import { OrreryError } from '@orrery/errors'
import { tryResolveLibchdb } from 'chdb/libchdb'

/** @throws OrreryError `invalid`/`platform_unsupported` where the embedded engine does not exist. */
export function assertPlatform(): void {
  if (tryResolveLibchdb() !== undefined) return
  throw new OrreryError(
    'invalid',
    'platform_unsupported',
    `The embedded ClickHouse engine is not installed for ${process.platform} ${process.arch}. It exists for Linux with glibc and for macOS (x64, arm64). ` +
      'Run `npm install` again without `--omit=optional`, or give Orrery a ClickHouse server of your own.',
  )
}

/** The error of the listener of the analyst's address. */
export function gateError(cause: NodeJS.ErrnoException, port: number): OrreryError {
  const why = cause.code === 'EADDRINUSE' ? 'another program has it' : `the system refuses it (${cause.code ?? cause.message})`
  return new OrreryError(
    'invalid',
    'port_in_use',
    `The ClickHouse address for analysts cannot listen on port ${port} of 127.0.0.1: ${why}. Nothing was lost or changed.\nChoose another port with \`--clickhouse-port\` or ORRERY_CLICKHOUSE_PORT (0 takes any free one).`,
    { context: { port }, cause },
  )
}

/** The error of a failed start, from `output` (stderr of the engine). */
export function startError(output: string, dir: string, httpPort: number): OrreryError {
  const codes = new Set([...output.matchAll(/Code: (\d+)\./g)].map((match) => match[1]))
  // 76 is any file that cannot be opened; this one is the mark of the process that works with the folder.
  if (codes.has('76') && /Cannot lock file/.test(output)) {
    return new OrreryError(
      'unavailable',
      'data_folder_in_use',
      `The data folder ${dir} is in use: another Orrery process uses it. Its data is safe. Stop that process first, or choose another folder.`,
      { context: { dir } },
    )
  }
  if (codes.has('210') || /Address already in use/.test(output)) {
    return new OrreryError(
      'invalid',
      'port_in_use',
      `The embedded ClickHouse cannot listen on port ${httpPort}: another program has it. Choose another port, or 0 for any free one.`,
      { context: { port: httpPort } },
    )
  }
  const empty = /Empty query: Cannot parse definition from metadata file (\S+)\.sql\b/.exec(output)?.[1]?.split('/').at(-1)
  if (empty !== undefined) {
    return new OrreryError(
      'corrupt',
      'table_definition_empty',
      `The embedded ClickHouse cannot start: the definition of the table ${empty} is empty, because the disk of ${dir} was full when it was written. Nothing was changed. Restore a backup with \`orrery restore\`, or index again into a new folder with \`--data\`.`,
      { context: { dir, table: empty } },
    )
  }
  return new OrreryError(
    'unavailable',
    'engine_failed',
    `The embedded ClickHouse engine ended before it was ready. The data in ${dir} is untouched; the engine's output is in ${dir}/engine.log.`,
    { context: { dir, serverCodes: [...codes].join(' ') } },
  )
}
