// The recorded network, indexed and served for one run of Schemathesis, which creates and revokes keys.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { groundTruthRecording } from '@orrery/testkit'
import { Orrery, type Ready, upArguments } from '../orrery.ts'
import { type FuzzRun, runSchemathesis } from './schemathesis.ts'

/** @param examples The most requests of an operation in each phase of generated ones. */
export async function fuzzDemo(examples: number, seed: number): Promise<FuzzRun & { readonly errorLines: readonly string[] }> {
  const { registryFile, lakeDir } = groundTruthRecording()
  const folder = mkdtempSync(join(tmpdir(), 'orrery-fuzzed-'))
  try {
    const data = join(folder, 'data')
    await using up = new Orrery([...upArguments({ registry: registryFile, directory: lakeDir }, data), '--unsynced-clickhouse'])
    const ready = await up.result<Ready>()
    await up.result() // caught up
    const run = await runSchemathesis(ready, data, examples, seed)
    up.signal('SIGTERM')
    const code = await up.exited
    const failed = up.stderr.split('\n').filter((line) => /\b(?:ERROR|FATAL)\b|"level":"?(?:50|60|error|fatal)/.test(line))
    return { ...run, errorLines: code === 0 ? failed : [...failed, `orrery up ended with ${code}`] }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
