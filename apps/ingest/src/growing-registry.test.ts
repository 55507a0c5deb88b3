// A log whose registry grows: what ingest records, from which ledger, and which bootstrap entries it reads.

import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { controlTopic, decodeControl, type EventLog, encodeControl, type RegistryControl } from '@orrery/event-log'
import type { Network, Rows } from '@orrery/protocol-kit'
import { PROTOCOLS } from '@orrery/protocols'
import { networkFromText } from '@orrery/registry'
import { createLogger } from '@orrery/service-kit'
import { soroswap } from '@orrery/soroswap'
import { StateTable } from '@orrery/testkit'
import { beforeAll, describe, expect, it } from 'vitest'
import { temporaryFolders } from '../test/folders.ts'
import { memorySource } from '../test/ledgers.ts'
import { storedSlices, storedValues } from '../test/log-content.ts'
import { aNode, entriesOf } from '../test/rpc.ts'
import { smallerRegistry } from '../test/smaller-registry.ts'
import { aWorld, PARTITIONS, type World } from '../test/world.ts'
import type { LedgerSource } from './ledger-source.ts'
import { type IngestOptions, startIngest } from './start-ingest.ts'

/** First ledger that the additions apply to: 100 ledgers are indexed with the smaller registry. */
const FROM = 1_000_100

const aFolder = temporaryFolders()
let world: World
let smaller: Network
let aggregator: string
let pool: string
beforeAll(async () => {
  world = await aWorld(aFolder)
  ;({ smaller, aggregator, pool } = smallerRegistry(world.network))
})

const before = () => memorySource(world.ledgers.slice(0, 100))

/** Indexes 100 ledgers with the smaller registry, and the rest with the complete one. */
async function grow(log: EventLog, more: Partial<IngestOptions> = {}): Promise<void> {
  await world.ingest(log, { network: smaller, source: before() })
  await world.ingest(log, more)
}

const controlOf = async (log: EventLog) =>
  (await storedValues(log, { topic: controlTopic(smaller.name), partition: 0 })).flatMap(decodeControl)
const registriesOf = async (log: EventLog) =>
  (await controlOf(log)).filter((record): record is RegistryControl => record.kind === 'registry')

/** Rows of all partitions, folded by the registry that the log names for each ledger. Where it changes, state is saved to rows and loaded. */
async function rowsByLedger(log: EventLog): Promise<{ readonly ledger: number; readonly rows: Rows }[]> {
  const versions = (await registriesOf(log)).map(({ ledger, document }) => ({
    ledger,
    network: networkFromText(PROTOCOLS, document, 'log'),
  }))
  const all: { ledger: number; rows: Rows }[] = []
  for (let partition = 0; partition < PARTITIONS; partition++) {
    const table = new StateTable()
    const slices = await storedSlices(log, world.slices(partition))
    for (const [n, { ledger, network }] of versions.entries()) {
      const end = versions[n + 1]?.ledger ?? Number.POSITIVE_INFINITY
      const adapter = soroswap.adapter(network)
      const state = adapter.load(table.asOf(ledger - 1), ledger - 1)
      for (const slice of slices.filter((one) => one.ledger >= ledger && one.ledger < end)) {
        const rows = adapter.fold(state, slice)
        table.write(rows.state)
        all.push({ ledger: slice.ledger, rows })
      }
    }
  }
  return all
}

describe('the control topic of a log whose registry grows', () => {
  it('the control topic has the first registry after its start record, and the larger one once, before the first ledger that it applies to', async () => {
    await using log = await world.log()
    await grow(log)
    await world.ingest(log) // a further start adds nothing
    const control = await controlOf(log)
    expect(control.slice(0, 2).map(({ kind }) => kind)).toEqual(['start', 'registry'])
    expect((await registriesOf(log)).map(({ ledger, document }) => [ledger, networkFromText(PROTOCOLS, document, 'log')])).toEqual([
      [1_000_000, smaller],
      [FROM, world.network],
    ])
    const place = control.findLastIndex(({ kind }) => kind === 'registry')
    expect(control.slice(0, place).filter((record) => record.kind === 'ledger' && record.ledger >= FROM)).toEqual([])
    const followed = control.filter((record) => record.kind === 'tracked' && record.contract.contract === aggregator)
    expect(followed).toMatchObject([{ ledger: FROM, contract: { role: 'oracle' } }])
  })

  it('to a log of an older build, which names no registry, untracked contracts are additions, and the other entries apply from the first ledger', async () => {
    await using old = await world.log()
    await using log = await world.log()
    await world.ingest(old, { network: smaller, source: before() })
    // The same log as an older build wrote it: without records of newer kinds.
    const control = { topic: controlTopic(smaller.name), partition: 0 }
    await log.ensureTopic(control.topic, { partitions: 1, retentionSeconds: null, retentionBytes: null })
    const known = (await controlOf(old)).filter(({ kind }) => kind !== 'registry' && kind !== 'protocol')
    await log.append(control, [encodeControl(known)])
    for (let partition = 0; partition < PARTITIONS; partition++) {
      const at = world.slices(partition)
      await log.ensureTopic(at.topic, { partitions: PARTITIONS, retentionSeconds: null, retentionBytes: null })
      await log.append(at, await storedValues(old, at))
    }
    await world.ingest(log)
    const registries = await registriesOf(log)
    expect(registries.map(({ ledger }) => ledger)).toEqual([1_000_000, FROM])
    // The pool is not among them: Soroswap tracks it as a pair of its own factory.
    const { oracles } = networkFromText(PROTOCOLS, registries[0]?.document ?? '', 'log')
    expect(oracles).toEqual(smaller.oracles)
    expect(networkFromText(PROTOCOLS, registries[1]?.document ?? '', 'log')).toEqual(world.network)
  })

  it('a registry that lost or changed an entry is refused, and nothing is appended', async () => {
    await using log = await world.log()
    await grow(log)
    const end = await log.end(world.control)
    await expect(world.ingest(log, { network: smaller })).rejects.toMatchObject({
      kind: 'invalid',
      code: 'log_other_registry',
      message: expect.stringMatching(
        new RegExp(
          `oracles\\[${aggregator}\\]: removed \\(was {.*}\\)\n.*price_pools\\[${pool}\\]: removed \\(was .*\\)\nNothing was changed\\.`,
        ),
      ),
    })
    expect(await log.end(world.control)).toBe(end)
  })
})

it('a registry too large for one message of a broker is refused before anything is written', async () => {
  await using log = await world.log()
  const assets = Object.fromEntries(
    Array.from({ length: 1_000 }, (_, n) => [`C${n}`, { code: 'X'.repeat(1_000), issuer: null, decimals: 7, tags: [] }]),
  )
  await expect(world.ingest(log, { network: { ...world.network, assets } })).rejects.toMatchObject({
    kind: 'invalid',
    code: 'registry_too_large',
  })
  expect(await log.end(world.control)).toBe(0n)
})

it('an ingest stops when another one records a larger registry, before it routes a ledger of that, and the log equals that of one ingest', async () => {
  await using log = await world.log()
  // The tip of a network: the first ingest has read 100 ledgers and waits for the next one.
  const isWaiting = Promise.withResolvers<void>()
  const source: LedgerSource = {
    ...before(),
    async *read(from, signal) {
      yield* before().read(from, signal)
      isWaiting.resolve()
      if (!signal.aborted) await once(signal, 'abort')
    },
  }
  const old = await startIngest(world.optionsFor(log, { network: smaller, source }))
  await isWaiting.promise
  while ((await world.contentOf(log)).partitions.some(({ covered }) => covered < FROM - 1)) await sleep(50)
  const renewed = await startIngest(world.optionsFor(log, { network: world.network }))
  await expect(old.finished).rejects.toMatchObject({
    kind: 'invalid',
    code: 'log_registry_grown',
    message: expect.stringMatching(
      new RegExp(`applies from ledger ${FROM} on and adds oracles\\[${aggregator}\\], price_pools\\[${pool}\\]\\. This ingest .* stops\\.`),
    ),
  })
  await renewed.finished

  await using clean = await world.log()
  await grow(clean)
  expect((await world.contentOf(log)).partitions).toEqual((await world.contentOf(clean)).partitions)
})

describe('the instance of an added oracle', () => {
  const source = (rows: readonly { readonly ledger: number; readonly rows: Rows }[]) =>
    rows.flatMap(({ rows: { prices } }) => prices.filter((price) => price.source === `oracle:${aggregator}`).map(({ ledger }) => ledger))

  it('the instance of an added oracle is read from an RPC once, for the first ledger that it applies to, and prices apply from there on', async () => {
    await using log = await world.log()
    await using node = await aNode()
    await grow(log, { entries: entriesOf(node) })
    const bootstrapped = (await controlOf(log)).filter((record) => record.kind === 'bootstrap')
    expect(bootstrapped.filter(({ contract }) => contract === aggregator)).toMatchObject([{ ledger: FROM, protocol: 'soroswap' }])
    expect(bootstrapped.filter(({ contract }) => contract === pool).map(({ ledger }) => ledger)).toEqual([FROM])
    const rows = await rowsByLedger(log)
    const priced = source(rows)
    expect(priced.length).toBeGreaterThan(0)
    expect(Math.min(...priced)).toBe(FROM)
    // Every partition stores it as a pre-image: an inferred row of the ledger before.
    const settings = rows.flatMap(({ rows: { state } }) => state.filter((row) => row.contract === aggregator))
    expect(settings.map(({ ledger, inferred }) => [ledger, inferred])).toEqual(Array.from({ length: PARTITIONS }, () => [FROM - 1, true]))
  })

  it('without an RPC the instance of an added oracle is unknown until it is written, and ingest logs that', async () => {
    await using log = await world.log()
    const lines: string[] = []
    const logger = createLogger({ name: 'test', level: 'warn', json: true, to: { write: (line) => void lines.push(line) } })
    await grow(log, { logger })
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      {
        fromLedger: FROM,
        additions: [`oracles[${aggregator}]`, `price_pools[${pool}]`],
        msg: `The registry has grown: its additions apply from ledger ${FROM}, and rows of earlier ledgers stay as they are. Without an RPC an added oracle or pool has no price until it is written next, and what needs it is unpriced and partial until then`,
      },
    ])
    expect((await controlOf(log)).filter(({ kind }) => kind === 'bootstrap')).toEqual([])
    expect(source(await rowsByLedger(log))).toEqual([])
  })
})
