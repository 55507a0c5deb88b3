// Single ledgers of the public network, each served by a node that has no other: the whole pipeline with the shipped registry and the pools
// that it names. Records of slices are compared with those that another decoder made of the same ledgers, in the folder beside the repository.

import { join } from 'node:path'
import { controlTopic, decodeControl, openLog, sliceTopic } from '@orrery/event-log'
import { type LedgerRecord, readBatch, readLedgerHeader } from '@orrery/ledger'
import { type ActivityRow, balanceName, entryText, type Protocol, type Slice, type TrackedContract } from '@orrery/protocol-kit'
import { loadNetwork, protocolsOf } from '@orrery/protocols'
import { createLogger, createMetrics } from '@orrery/service-kit'
import { openRpc } from '@orrery/stellar-rpc'
import { readUnzipped, sharedDir, startFakeRpc } from '@orrery/testkit'
import { beforeAll, describe, expect, it } from 'vitest'
import {
  type DecodedEvent,
  decodedChanges,
  decodedEvents,
  decodedLiveUntil,
  entryAsDecoded,
  entryHash,
  eventAsDecoded,
} from '../test/decoded.ts'
import { foldedRows } from '../test/folded.ts'
import { temporaryFolders } from '../test/folders.ts'
import { storedSlices, storedValues } from '../test/log-content.ts'
import type { LedgerSource } from './ledger-source.ts'
import { rpcSource } from './rpc-source.ts'
import { startIngest } from './start-ingest.ts'

const aFolder = temporaryFolders()
const network = await loadNetwork('mainnet')
const protocols = protocolsOf(network)
const ledgers = join(sharedDir() ?? '', 'ledgers')

interface Received {
  readonly slices: readonly Slice[]
  /** Their records of the ledger itself, without bootstrap entries. */
  readonly records: readonly LedgerRecord[]
  readonly tracked: ReadonlyMap<string, TrackedContract>
  readonly activities: readonly ActivityRow[]
}

/** Slices, records and rows of each protocol from one ledger. */
async function receivedOf(bytes: Uint8Array): Promise<ReadonlyMap<Protocol<unknown>, Received>> {
  const { sequence } = readLedgerHeader(bytes)
  await using node = await startFakeRpc({ ledgers: [bytes], passphrase: network.passphrase })
  await using log = await openLog(`lmdb:${aFolder()}`)
  const ingest = await startIngest({
    network,
    routings: protocols.map(({ routing }) => routing),
    source: upTo(sequence, rpcSource(openRpc({ urls: [node.url] }))),
    fromLedger: sequence,
    log,
    logger: createLogger({ name: 'test', level: 'silent', json: true }),
    metrics: createMetrics(),
  })
  await ingest.finished
  const control = (await storedValues(log, { topic: controlTopic(network.name), partition: 0 })).flatMap(decodeControl)
  const received = new Map<Protocol<unknown>, Received>()
  for (const protocol of protocols) {
    const count = protocol.defaultPartitions
    const slices: Slice[] = []
    for (let partition = 0; partition < count; partition++)
      slices.push(...(await storedSlices(log, { topic: sliceTopic(network.name, protocol.id), partition })))
    const records = slices.flatMap((slice) => slice.records.map(({ record }) => record))
    received.set(protocol, {
      slices,
      records: records.filter((record) => !(record.kind === 'entry' && record.change === 'bootstrap')),
      tracked: new Map(
        control.flatMap((it) =>
          it.kind === 'tracked' && it.contract.protocol === protocol.id ? [[it.contract.contract, it.contract]] : [],
        ),
      ),
      activities: (await foldedRows(log, network, protocol, count)).activities,
    })
  }
  return received
}

/** A source that ends, although a node does not. */
function upTo(last: number, source: LedgerSource): LedgerSource {
  return {
    describe: source.describe,
    ends: true,
    entries: source.entries,
    passphrase: () => source.passphrase(),
    range: () => source.range(),
    async *read(from, signal) {
      for await (const ledger of source.read(from, signal)) {
        yield ledger
        if (ledger.sequence >= last) return
      }
    },
  }
}

/** Events by transaction, as each partition has them. */
function eventsByPartition({ slices }: Received): DecodedEvent[][] {
  return slices.flatMap(({ transactions, records }) =>
    transactions.map(({ hash }, tx) =>
      records.flatMap(({ record }) => (record.kind === 'event' && record.tx === tx ? [eventAsDecoded(record, hash)] : [])),
    ),
  )
}

const text = (value: unknown): string => JSON.stringify(value)
const unique = (values: readonly unknown[]): string[] => [...new Set(values.map(text))].sort()

/** The activities, by the events of the other decoder. */
const DONE: Readonly<Record<number, Readonly<Partial<Record<string, readonly string[]>>>>> = {
  // One XLM -> USDC hop through the pair.
  63092990: { soroswap: ['swap'], blend: [], aquarius: [], fxdao: [] },
  // 100 USDC supplied through a vault; three trades, one of them through the router.
  63092996: { soroswap: [], blend: ['deposit'], aquarius: ['swap', 'swap', 'swap'], fxdao: [] },
}

describe.runIf(sharedDir() !== null).each([63_092_990, 63_092_996])('mainnet ledger %i', (sequence) => {
  const events = join(ledgers, 'events', `ledger-${sequence}.soroban-events.json`)
  const changes = join(ledgers, 'events', `ledger-${sequence}.contractdata-changes.json`)
  let received: ReadonlyMap<Protocol<unknown>, Received>
  beforeAll(async () => {
    received = await receivedOf(await readUnzipped(join(ledgers, 'mainnet', `ledger-${sequence}.xdr.gz`)))
  })

  it.each(protocols)('$id receives every event of the operations that touch its contracts', (protocol) => {
    const of = received.get(protocol) as Received
    const decoded = decodedEvents(events)
    const isOwn = ({ contractId }: DecodedEvent): boolean => (of.tracked.get(contractId)?.home ?? null) !== null
    const touched = new Set(decoded.filter(isOwn).map(({ txHash }) => txHash))
    const expected = [...touched].map((hash) => decoded.filter(({ txHash }) => txHash === hash))
    expect(unique(eventsByPartition(of).filter((list) => list.length > 0))).toEqual(unique(expected))
  })

  it.each(protocols)('$id receives every change of its contracts and of the balances of its pools, with the value before', (protocol) => {
    const of = received.get(protocol) as Received
    const balances = new Set(
      [...of.tracked.values()].flatMap((pool) => pool.balances.map((token) => entryText(balanceName(token, pool.contract)))),
    )
    const expected = decodedChanges(changes).filter(
      ({ contract, key }) =>
        of.tracked.has(contract) || balances.has(entryText({ contract, key: Buffer.from(key, 'base64'), durability: 'persistent' })),
    )
    expect(unique(of.records.flatMap((record) => (record.kind === 'entry' ? [entryAsDecoded(record)] : [])))).toEqual(unique(expected))
  })

  it.each(protocols)('$id receives the live-until ledgers that the ledger set', (protocol) => {
    const lives = decodedLiveUntil(changes)
    for (const record of (received.get(protocol) as Received).records)
      if (record.kind === 'ttl') expect(lives.get(entryHash(record)), entryText(record)).toBe(record.liveUntil)
  })

  it.each(protocols)('$id has the activities of the ledger', (protocol) => {
    const actions = new Map((received.get(protocol) as Received).activities.map((row) => [row.actionId, row.activityType]))
    expect([...actions.values()].sort()).toEqual(DONE[sequence]?.[protocol.id])
  })
})

describe.runIf(sharedDir() !== null)('an older mainnet ledger', () => {
  it('a mainnet ledger of protocol 21 has a round of the DEX feed, which emitted no event', async () => {
    const [bytes] = readBatch(await readUnzipped(join(ledgers, 'mainnet', 'FCD285FF--53312000.xdr.zstd'))).ledgers
    for (const ofProtocol of (await receivedOf(bytes as Uint8Array)).values()) {
      // Nine assets in as many temporary entries, and the instance: stellar/go's test data, decoded by its readers.
      const entries = unique(
        ofProtocol.records.flatMap((record) =>
          record.kind === 'entry' ? [`${record.contract} ${record.durability} ${Buffer.from(record.key).toString('hex')}`] : [],
        ),
      )
      expect(
        entries.filter((entry) => entry.startsWith('"CALI2BYU2JE6WVRUFYTS6MSBNEHGJ35P4AVCZYF3B6QOE3QKOB2PLE6M temporary')),
      ).toHaveLength(9)
      expect(ofProtocol.records.filter((record) => record.kind === 'event')).toEqual([])
    }
  })

  it('a mainnet ledger of protocol 20, before the pools were created, has no record', async () => {
    const bytes = await readUnzipped(join(ledgers, 'mainnet', 'ledger-51000294.xdr.gz'))
    for (const ofProtocol of (await receivedOf(bytes)).values()) expect(ofProtocol.activities).toEqual([])
  })
})
