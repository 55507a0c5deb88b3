// The time of a restart of ingest over a control topic with a year of records: one of each ledger at the tip, and one of the source's tip each 15 s.
// `node bench/control.ts [records]`. The first start reads the whole topic, as after an upgrade of a build without snapshots, and writes one; the
// second start uses it. Both continue with the demo's ledgers, over LMDB. Compared with Orrery's goal of 5 s. Filling takes some minutes.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import {
  type ControlRecord,
  controlTopic,
  type EventLog,
  encodeControl,
  encodeSlice,
  openLog,
  readControlSnapshot,
  sliceTopic,
} from '@orrery/event-log'
import { lakeSource, startIngest } from '@orrery/ingest'
import { readLedgerHeader } from '@orrery/ledger'
import type { Network } from '@orrery/protocol-kit'
import { loadNetwork } from '@orrery/protocols'
import { registryText } from '@orrery/registry'
import { createLogger, createMetrics } from '@orrery/service-kit'
import { soroswap } from '@orrery/soroswap'
import { recording } from '@orrery/testkit'
import { figure, printLine, printMachine } from './src/print.ts'

/** 6.3 million ledgers of 5 seconds and 2.1 million tips. */
const RECORDS = Number(process.argv[2] ?? 8_400_000)
const PARTITIONS = 4
const AT_ONCE = 20_000
const GOAL_SECONDS = 5

const { lakeDir, registryFile } = recording()
const network = await loadNetwork(registryFile)
const source = lakeSource(lakeDir)
const [firstLedger, hashBefore] = await firstOf()
const folder = mkdtempSync(join(tmpdir(), 'orrery-bench-control-'))

async function firstOf(): Promise<[ledger: number, hashBefore: string]> {
  for await (const { sequence, bytes } of source.read(network.firstLedger, new AbortController().signal))
    return [sequence, readLedgerHeader(bytes).previousHash]
  throw new Error('The recording has no ledger.')
}

/** The ledgers before the demo's first. There are fewer numbers than records, so numbers repeat: a log may repeat records. */
async function fill(log: EventLog): Promise<void> {
  const control = { topic: controlTopic(network.name), partition: 0 }
  const keep = { retentionSeconds: null, retentionBytes: null }
  await log.ensureTopic(control.topic, { partitions: 1, ...keep })
  const slices = sliceTopic(network.name, 'soroswap')
  await log.ensureTopic(slices, { partitions: PARTITIONS, ...keep })
  const { name, passphrase } = network as Network
  const start: ControlRecord = { kind: 'start', network: name, passphrase, firstLedger: 1, partitions: { soroswap: PARTITIONS } }
  await log.append(control, [encodeControl([start, { kind: 'registry', ledger: 1, document: registryText(network) }])])
  const closeTimeOf = (ledger: number): number => 1_700_000_000 - 5 * (firstLedger - ledger)
  for (let written = 0; written < RECORDS; ) {
    const values: Uint8Array[] = []
    for (; values.length < AT_ONCE && written < RECORDS; written++) {
      const ledger = Math.max(1, Math.floor(((written + 1) * (firstLedger - 1)) / RECORDS))
      const closeTimeSeconds = closeTimeOf(ledger)
      const hash = ledger === firstLedger - 1 ? hashBefore : ledger.toString(16).padStart(64, '0')
      const isTip = written % 4 === 3 && ledger < firstLedger - 1
      const record: ControlRecord = isTip
        ? { kind: 'source_tip', ledger, closeTimeSeconds, heardAtMs: closeTimeSeconds * 1000 }
        : { kind: 'ledger', ledger, hash, closeTimeSeconds, hourStart: false, dayStart: false }
      values.push(encodeControl([record]))
    }
    await log.append(control, values)
  }
  for (let partition = 0; partition < PARTITIONS; partition++) {
    const ledger = firstLedger - 1
    const flags = { hourStart: false, dayStart: false, ledgerHash: hashBefore, closeTimeSeconds: closeTimeOf(ledger) }
    const slice = {
      network: name,
      protocol: 'soroswap',
      partition,
      after: 0,
      ledger,
      ...flags,
      rollingHash: '0'.repeat(16),
      transactions: [],
      records: [],
    }
    await log.append({ topic: slices, partition }, encodeSlice(slice))
  }
}

/** Seconds until ingest reads ledgers, and until the first of them is in the log. */
async function restart(isDone: (log: EventLog) => Promise<boolean>): Promise<{ readonly started: number; readonly appended: number }> {
  await using log = await openLog(`lmdb:${folder}`)
  const logger = createLogger({ name: 'bench', level: 'silent', json: true })
  const beganMs = performance.now()
  const seconds = (): number => (performance.now() - beganMs) / 1000
  const gaps = async () => []
  const running = await startIngest({ ...{ network, source, log, logger, gaps }, routings: [soroswap.routing], metrics: createMetrics() })
  const started = seconds()
  const { tip } = running
  while (running.tip === tip) await delay(1)
  const appended = seconds()
  while (!(await isDone(log))) await delay(20)
  await running.stop()
  return { started, appended }
}

printMachine()
try {
  const fillingMs = performance.now()
  {
    await using log = await openLog(`lmdb:${folder}`)
    await fill(log)
  }
  printLine(`${RECORDS.toLocaleString('en-US')} control records, written in ${((performance.now() - fillingMs) / 1000).toFixed(0)} s`)
  const whole = await restart(async (log) => (await readControlSnapshot(log, network.name)) !== null)
  figure('from the whole topic: reads ledgers after', whole.started, 's')
  figure('first ledger in the log after', whole.appended, 's')
  const snapshot = await restart(async () => true)
  figure(
    'from a snapshot: reads ledgers after',
    snapshot.started,
    's',
    `goal ${GOAL_SECONDS} s: ${snapshot.started < GOAL_SECONDS ? 'reached' : 'missed'}`,
  )
  figure('first ledger in the log after', snapshot.appended, 's')
  figure('ratio, whole topic to snapshot', whole.started / snapshot.started, 'times')
} finally {
  rmSync(folder, { recursive: true, force: true })
}
