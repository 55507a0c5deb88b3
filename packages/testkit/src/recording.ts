// Recorded networks: a lake, a registry and answers of the contracts themselves.
// The shipped one is in `recordings/`; more may be in a folder beside the repository, and tests that use those name it.

import { createReadStream, existsSync, readdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { createZstdDecompress, gunzipSync, zstdDecompressSync } from 'node:zlib'
import { assert } from '@orrery/errors'
import { readBatch } from '@orrery/ledger'

/** One answer of a contract, as of the end of `ledger`. `ANSWERS.md` of the recording describes the other members. */
export interface ExpectedAnswer {
  readonly ledger: number
  /** Unix seconds. */
  readonly close_time: number
  readonly kind: string
  readonly contract: string
  readonly [member: string]: unknown
}

export interface Recording {
  readonly dir: string
  /** The registry, for the indexer. */
  readonly registryFile: string
  /** The scenario: accounts by role, pools by label. For tests, never for the indexer. */
  readonly networkFile: string
  readonly lakeDir: string
  /** The recorded answers, line by line. */
  expected(): AsyncIterable<ExpectedAnswer>
  /** Files of the lake, oldest ledgers first. */
  batchFiles(): readonly string[]
}

/** A recording by the name of its folder under `recordings/`, or by a path. */
export function recording(nameOrDir = 'forge-a'): Recording {
  const dir = nameOrDir.includes('/') ? nameOrDir : join(repositoryDir(), 'recordings', nameOrDir)
  const lakeDir = join(dir, 'lake')
  assert(existsSync(lakeDir), 'the recording has no lake', { dir })
  return {
    dir,
    lakeDir,
    registryFile: join(dir, 'registry.json'),
    networkFile: join(dir, 'network.json'),
    expected: () => jsonLines(join(dir, 'expected.jsonl.zst')),
    batchFiles: () => batchFilesOf(lakeDir),
  }
}

/** The folder `shared` beside the repository, with more ledgers to test on, or null. */
export function sharedDir(): string | null {
  const dir = join(repositoryDir(), '..', 'shared')
  return existsSync(join(dir, 'ledgers')) ? dir : null
}

/** The ledgers of one file of a lake. */
export async function readBatchFile(file: string): Promise<readonly Uint8Array[]> {
  return readBatch(await readUnzipped(file)).ledgers
}

/** A file's bytes, unzipped according to its extension. */
export async function readUnzipped(file: string): Promise<Uint8Array> {
  const bytes = await readFile(file)
  if (/\.zstd?$/.test(file)) return new Uint8Array(zstdDecompressSync(bytes))
  return new Uint8Array(file.endsWith('.gz') ? gunzipSync(bytes) : bytes)
}

/** Names begin with 2^32 - 1 minus the first ledger, so they sort from the newest to the oldest. */
export function batchFilesOf(lakeDir: string): string[] {
  const names = readdirSync(lakeDir, { recursive: true, encoding: 'utf8' })
  const files = names.filter((name) => /\.xdr\.zstd?$/.test(name))
  return files
    .sort()
    .reverse()
    .map((name) => join(lakeDir, name))
}

async function* jsonLines(file: string): AsyncGenerator<ExpectedAnswer> {
  const lines = createInterface({ input: createReadStream(file).pipe(createZstdDecompress()), crlfDelay: Number.POSITIVE_INFINITY })
  for await (const line of lines) if (line !== '') yield JSON.parse(line)
}

function repositoryDir(): string {
  return fileURLToPath(new URL('../../..', import.meta.url))
}
