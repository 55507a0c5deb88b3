// Why an engine did not start, in words that help. Told from the numbers that ClickHouse writes to stderr.

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

/** What `output` (stderr of the engine) says of a start that failed. */
export function startError(output: string, dir: string, httpPort: number): OrreryError {
  const codes = new Set([...output.matchAll(/Code: (\d+)\./g)].map((match) => match[1]))
  if (codes.has('76')) {
    return new OrreryError(
      'unavailable',
      'data_folder_in_use',
      `The data folder ${dir} is in use: another Orrery works with it. Its data is safe. Stop that one first, or choose another folder.`,
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
  return new OrreryError(
    'unavailable',
    'engine_failed',
    `The embedded ClickHouse engine ended before it was ready. The data in ${dir} is untouched; what the engine said is in ${dir}/engine.log.`,
    { context: { dir, serverCodes: [...codes].join(' ') } },
  )
}
