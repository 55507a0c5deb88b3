import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { type EventLog, openLog } from '@orrery/event-log'
import { loadNetwork } from '@orrery/protocols'
import { createLogger, createMetrics } from '@orrery/service-kit'
import { soroswap } from '@orrery/soroswap'
import { recording } from '@orrery/testkit'
import { expect, it } from 'vitest'
import { lakeWith, temporaryFolders } from '../test/folders.ts'
import { readLogContent } from '../test/log-content.ts'
import { lakeSource } from './lake-source.ts'
import { startIngest } from './start-ingest.ts'

const aFolder = temporaryFolders()
const { registryFile } = recording()
const program = fileURLToPath(new URL('../test/ingest-process.ts', import.meta.url))
const PARTITIONS = 4

/** Where the process is killed, on average every 40 ledgers: the same ledgers in every run, but not the same moment within them. */
const KILL_AT = [1_000_000, 1_000_004, 1_000_005, 1_000_061, 1_000_118, 1_000_170]

async function killedAt(ledger: number | null, url: string, lake: string): Promise<number | null> {
  const child = spawn(process.execPath, [program, url, lake, registryFile], { stdio: ['ignore', 'pipe', 'inherit'] })
  const exited = once(child, 'exit')
  for await (const line of createInterface({ input: child.stdout })) {
    if (ledger !== null && Number(line) >= ledger) child.kill('SIGKILL')
  }
  const [code] = await exited
  return code
}

const contentIn = (log: EventLog, network: string) => readLogContent(log, network, 'soroswap', PARTITIONS)

it('a process killed with -9 again and again leaves the log of one that never was', async () => {
  const network = await loadNetwork(registryFile)
  const lake = lakeWith(aFolder(), [0, 1, 2])
  await using clean = await openLog(`lmdb:${aFolder()}`)
  const source = lakeSource(lake)
  const options = {
    network,
    routings: [soroswap.routing],
    logger: createLogger({ name: 'test', level: 'silent', json: true }),
    metrics: createMetrics(),
  }
  const running = await startIngest({ ...options, source, log: clean })
  await running.finished

  const url = `lmdb:${aFolder()}`
  for (const ledger of KILL_AT) expect(await killedAt(ledger, url, lake)).toBeNull()
  expect(await killedAt(null, url, lake)).toBe(0)
  await using killed = await openLog(url)
  expect(await contentIn(killed, network.name)).toEqual(await contentIn(clean, network.name))
})
