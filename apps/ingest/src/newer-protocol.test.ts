// A network is upgraded to a protocol that this build does not know: from a lake in a folder, a lake behind http and a node.
// The newest protocol that the build reads is 30: CAP headers of stellar-core 26 and the layout in packages/ledger.

import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { zstdCompressSync } from 'node:zlib'
import { decodeControl } from '@orrery/event-log'
import { readBatch, XdrWriter } from '@orrery/ledger'
import { createLogger, createMetrics } from '@orrery/service-kit'
import { openRpc } from '@orrery/stellar-rpc'
import { readUnzipped, recording, startFakeLake, startFakeRpc } from '@orrery/testkit'
import { beforeAll, describe, expect, it } from 'vitest'
import { withArm, withProtocol, withWord } from '../test/altered-ledger.ts'
import { lakeWith, temporaryFolders } from '../test/folders.ts'
import { memorySource } from '../test/ledgers.ts'
import { storedValues } from '../test/log-content.ts'
import { aWorld, type World } from '../test/world.ts'
import { lakeHttp } from './lake-http.ts'
import { lakeSource } from './lake-source.ts'
import type { LedgerSource } from './ledger-source.ts'
import { rpcSource } from './rpc-source.ts'
import { startIngest } from './start-ingest.ts'

/** A ledger with transactions, after the first such ledger of the recording. */
const UPGRADED = 1_000_069

type Alter = (bytes: Uint8Array) => Uint8Array

const aFolder = temporaryFolders()
let world: World
beforeAll(async () => {
  world = await aWorld(aFolder)
})

/** A lake in a folder with files of the recording, one of their ledgers altered: the first one of the second file, or the one in `from`. */
async function folderWith(alter: Alter, from = UPGRADED, files: readonly number[] = [0, 1, 2]): Promise<LedgerSource> {
  const folder = lakeWith(aFolder(), files)
  const [partition = ''] = readdirSync(folder).filter((name) => name !== '.config.json')
  for (const name of readdirSync(join(folder, partition))) {
    const path = join(folder, partition, name)
    const { start, end, ledgers } = readBatch(await readUnzipped(path))
    const given = ledgers.map((bytes, n) => (start + n === from ? alter(bytes) : bytes))
    const writer = new XdrWriter().u32(start).u32(end)
    writer.array(given, (bytes) => writer.raw(bytes))
    writeFileSync(path, zstdCompressSync(writer.done()))
  }
  return lakeSource(folder)
}

/** Reads until ingest fails, and returns the failure with the newest ledger of the log. */
async function failureOf(source: LedgerSource): Promise<{ readonly error: unknown; readonly tip: number }> {
  await using log = await world.log()
  const running = await startIngest(world.optionsFor(log, { source }))
  const error = await running.finished.then(
    () => null,
    (failure: unknown) => failure,
  )
  return { error, tip: running.tip }
}

const SOURCES = ['a lake in a folder', 'a lake behind http', 'a node'] as const

async function failureOver(kind: (typeof SOURCES)[number], alter: Alter): Promise<{ readonly error: unknown; readonly tip: number }> {
  if (kind === 'a lake in a folder') return failureOf(await folderWith(alter))
  if (kind === 'a lake behind http') {
    await using lake = await startFakeLake({ ledgers: recording().lakeDir, ledgersPerBatch: 1, latest: UPGRADED + 2 })
    lake.alter(UPGRADED, alter)
    return await failureOf(lakeSource(lakeHttp(lake.url, { near: UPGRADED })))
  }
  await using node = await startFakeRpc({ ledgers: recording().lakeDir, latest: UPGRADED + 2 })
  node.alter(UPGRADED, alter)
  return await failureOf(rpcSource(openRpc({ urls: [node.url] })))
}

const UNIONS = [
  { type: 'LedgerCloseMeta', arm: 3 },
  { type: 'TransactionMeta', arm: 5 },
  { type: 'GeneralizedTransactionSet', arm: 2 },
  { type: 'TransactionPhase', arm: 2 },
  { type: 'LedgerEntryData', arm: 10 },
] as const

const WAY_OUT = 'Update Orrery, then start again: it continues with this ledger.'

describe.each(SOURCES)('%s of a network that was upgraded', (kind) => {
  it.each(UNIONS)(
    'a ledger of protocol 31 with arm $arm of $type ends ingest with the protocol, what the build reads and the way out',
    async ({ type, arm }) => {
      const { error, tip } = await failureOver(kind, (bytes) => withArm(withProtocol(bytes, 31), type, arm))
      expect(error).toMatchObject({
        kind: 'invalid',
        code: 'ledger_newer_than_build',
        message: `Ledger ${UPGRADED} is of protocol 31, and this build reads protocols 20 to 30: it holds arm ${arm} of ${type}, which this build does not know. Everything before this ledger is complete and stored. ${WAY_OUT}`,
        context: { ledger: UPGRADED, protocolVersion: 31, supportedUpTo: 30, type, arm },
      })
      // Also in a file of several ledgers everything before that one is indexed.
      expect(tip).toBe(UPGRADED - 1)
    },
  )

  it('an unknown arm under a protocol that the build knows ends ingest with both explanations', async () => {
    const { error } = await failureOver(kind, (bytes) => withArm(bytes, 'TransactionMeta', 5))
    expect(error).toMatchObject({
      code: 'ledger_newer_than_build',
      message: `Ledger ${UPGRADED} holds arm 5 of TransactionMeta, which this build does not know. Its header names protocol 27, and this build reads protocols 20 to 30. A newer stellar-core wrote it, or this copy is damaged. Everything before this ledger is complete and stored. ${WAY_OUT} If the newest Orrery reports the same, fetch the ledger again.`,
    })
  })

  it('damaged bytes are reported as damaged, whatever protocol the header names', async () => {
    const cut: Alter = (bytes) => withProtocol(bytes, 31).subarray(0, bytes.length - 8)
    const noise: Alter = (bytes) => withWord(bytes, 0, 0x4b1d_c0de)
    const code = kind === 'a node' ? 'ledger_unreadable' : 'lake_file_broken'
    const names =
      kind === 'a node'
        ? new RegExp(`^Ledger ${UPGRADED} of .+ cannot be read \\(.+\\)\\. Name another source`)
        : /^Ledgers? \d+( to \d+)? cannot be read: the lake file .+ is broken/
    for (const alter of [noise, ...(kind === 'a node' ? [cut] : [])])
      expect((await failureOver(kind, alter)).error).toMatchObject({ kind: 'corrupt', code, message: expect.stringMatching(names) })
  })
})

it('a lake whose newest file begins with a ledger of a newer protocol is indexed up to that ledger, also after a restart', async () => {
  // The second file has ledgers 1,000,064 to 1,000,127 of the recording.
  const source = () => folderWith((bytes) => withArm(withProtocol(bytes, 31), 'LedgerCloseMeta', 3), 1_000_064, [0, 1])
  await using log = await world.log()
  for (let start = 0; start < 2; start++) {
    const running = await startIngest(world.optionsFor(log, { source: await source() }))
    await expect(running.finished).rejects.toMatchObject({ code: 'ledger_newer_than_build', context: { ledger: 1_000_064 } })
    expect(running.tip).toBe(1_000_063)
  }
})

it('a newer protocol whose ledgers can be read is counted, logged once and recorded with its first ledger; indexing continues, and the metric is set after a restart', async () => {
  await using log = await world.log()
  const lines: string[] = []
  const logger = createLogger({ name: 'test', level: 'warn', json: true, to: { write: (line) => void lines.push(line) } })
  const metrics = createMetrics()
  const ledgers = world.ledgers.map((ledger) =>
    ledger.sequence < UPGRADED ? ledger : { ...ledger, bytes: withProtocol(ledger.bytes, 31) },
  )
  await world.ingest(log, { source: memorySource(ledgers), logger, metrics })
  expect((await world.contentOf(log)).partitions).toEqual(world.expected.partitions)
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { ledger: UPGRADED, protocolVersion: 31, supportedUpTo: 30, code: 'protocol_newer_than_build' },
  ])
  const control = (await storedValues(log, world.control)).flatMap(decodeControl)
  expect(control.filter(({ kind }) => kind === 'protocol')).toEqual([
    { kind: 'protocol', ledger: 1_000_000, version: 27 },
    { kind: 'protocol', ledger: UPGRADED, version: 31 },
  ])
  // Ledgers 1,000,069 to 1,000,191.
  expect((await metrics.ingestNewerProtocol.get()).values).toMatchObject([{ value: 123 }])
  expect((await metrics.ingestProtocolVersion.get()).values).toMatchObject([{ value: 31 }])
  const restarted = createMetrics()
  await world.ingest(log, { source: memorySource(ledgers), metrics: restarted })
  expect((await restarted.fetchLedgers.get()).values).toMatchObject([{ value: 0 }]) // nothing new to read
  expect((await restarted.ingestProtocolVersion.get()).values).toMatchObject([{ value: 31 }])
})

it('a truncated file is reported as broken, in a sentence with one full stop', async () => {
  const folder = lakeWith(aFolder(), [0, 1])
  const [partition = ''] = readdirSync(folder).filter((name) => name !== '.config.json')
  const [newest = ''] = readdirSync(join(folder, partition)).sort()
  const path = join(folder, partition, newest)
  const bytes = readFileSync(path)
  writeFileSync(path, bytes.subarray(0, bytes.length - 40))
  const { error } = await lakeSource(folder)
    .range()
    .then(
      () => ({ error: null }),
      (failure: unknown) => ({ error: failure }),
    )
  expect(error).toMatchObject({ code: 'lake_file_broken' })
  expect(String(error)).not.toContain('..')
})
