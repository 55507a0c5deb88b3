// Indexes of all protocols that begin in the middle of the shipped recording, where the registry or the node is unusual.

import { OrreryError } from '@orrery/errors'
import type { EventLog } from '@orrery/event-log'
import { openLog } from '@orrery/event-log'
import type { Network, Rows } from '@orrery/protocol-kit'
import { loadNetwork, protocolsOf } from '@orrery/protocols'
import { createLogger, createMetrics } from '@orrery/service-kit'
import { type FakeRpc, recording, testContract } from '@orrery/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { foldedRows } from '../test/folded.ts'
import { lakeWith, temporaryFolders } from '../test/folders.ts'
import { ledgersOf, memorySource } from '../test/ledgers.ts'
import { aNode, entriesOf } from '../test/rpc.ts'
import type { EntryReader } from './entry-reader.ts'
import { lakeSource } from './lake-source.ts'
import type { LedgerSource } from './ledger-source.ts'
import { type IngestOptions, startIngest } from './start-ingest.ts'

/** The recording's third file: pools, pairs and vaults exist. */
const [FIRST, LAST] = [1_000_128, 1_000_135]
const aFolder = temporaryFolders()
const network = await loadNetwork(recording().registryFile)
let node: FakeRpc
let source: () => LedgerSource
let plain: readonly Rows[]

beforeAll(async () => {
  const ledgers = await ledgersOf(lakeSource(lakeWith(aFolder(), [2])))
  source = () => memorySource(ledgers.filter(({ sequence }) => sequence <= LAST))
  node = await aNode(LAST)
  plain = await rowsOf(await indexed({}))
})
afterAll(() => node[Symbol.asyncDispose]())

async function indexed(more: Partial<IngestOptions>, log?: EventLog): Promise<EventLog> {
  const into = log ?? (await openLog(`lmdb:${aFolder()}`))
  const ingest = await startIngest({
    network,
    routings: protocolsOf(more.network ?? network).map(({ routing }) => routing),
    source: source(),
    log: into,
    entries: entriesOf(node),
    logger: createLogger({ name: 'test', level: 'silent', json: true }),
    metrics: createMetrics(),
    ...more,
  })
  await ingest.finished
  return into
}

/** One of every protocol, in the order of the registry. */
async function rowsOf(log: EventLog, of: Network = network): Promise<readonly Rows[]> {
  const rows = await Promise.all(protocolsOf(of).map((protocol) => foldedRows(log, of, protocol, protocol.defaultPartitions)))
  await log.close()
  return rows
}

describe('contracts of the registry that do not exist', () => {
  const factory = testContract('a factory')
  const strange = (['blend', 'aquarius', 'soroswap'] as const).map((protocol) => ({
    protocol,
    contract: testContract(`no pool of ${protocol}`),
  }))
  const named: Network = {
    ...network,
    knownPools: [...network.knownPools, ...strange.map((pool) => ({ ...pool, fromLedger: 1, tokens: [], factory }))],
  }

  it('contracts of the registry that do not exist are logged by name, and change no row', async () => {
    const warnings: object[] = []
    const logger = createLogger({ name: 'test', level: 'silent', json: true })
    const warn = (fields: object) => void warnings.push(fields)
    const log = await indexed({ network: named, logger: Object.assign(Object.create(logger), { warn }) })
    // An oracle of the recording is created later, and logged as well.
    expect(warnings).toContainEqual({ ledger: FIRST, contracts: expect.arrayContaining(strange.map(({ contract }) => contract)) })
    expect(await rowsOf(log, named)).toEqual(plain)
  })
})

describe('a node whose entries are archived', () => {
  const archived: EntryReader = {
    read: async (names, signal) => (await entriesOf(node).read(names, signal)).map((entry) => ({ ...entry, liveUntilLedger: 0 })),
  }
  const withoutLife = (rows: readonly Rows[]) =>
    rows.map(({ state, ...rest }) => ({ ...rest, state: state.map(({ liveUntil: _liveUntil, ...row }) => row) }))

  it('archived entries of a node make the same contracts known, with the same values', async () => {
    const rows = await rowsOf(await indexed({ entries: archived }))
    expect(withoutLife(rows)).toEqual(withoutLife(plain))
  })
})

describe('a node that fails between requests', () => {
  it('a restart after any failed request for bootstrap entries leads to the same rows', async () => {
    let failing = 1
    for (; ; failing++) {
      let requests = 0
      const failingOnce: EntryReader = {
        read: (names, signal) => {
          if (++requests === failing) throw new OrreryError('unavailable', 'rpc_unreachable', 'The node is down.')
          return entriesOf(node).read(names, signal)
        },
      }
      const log = await openLog(`lmdb:${aFolder()}`)
      const error = await indexed({ entries: failingOnce }, log).then(
        () => null,
        (thrown: unknown) => thrown,
      )
      if (error !== null) {
        expect(error).toMatchObject({ code: 'rpc_unreachable' })
        await indexed({}, log)
      }
      expect(await rowsOf(log), `question ${failing}`).toEqual(plain)
      if (error === null) break
    }
    expect(failing).toBeGreaterThan(3) // a factory names pairs, pairs name tokens, and so on
  })
})
