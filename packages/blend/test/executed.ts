// The deployed contracts of both versions, executed elsewhere call by call: every event, and every entry with its value before and after.
// They are beside the repository, not in it; without them the tests that use them are skipped.

import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ContractId, EntryRecord, EventRecord, LedgerExtract } from '@orrery/ledger'
import type { BlendDeployment, Network, Slice } from '@orrery/protocol-kit'
import { networkFromJson } from '@orrery/protocols'
import { Slicer, sharedDir } from '@orrery/testkit'
import { blend } from '../src/protocol.ts'

export interface ExecutedEntry {
  readonly contract: ContractId
  readonly durability: 'persistent' | 'temporary'
  readonly change: 'created' | 'updated' | 'removed'
  readonly key: string
  readonly key_decoded: unknown
  readonly before: string | null
  readonly after: string | null
  readonly after_decoded: unknown
}

export interface ExecutedStep {
  readonly step: string
  readonly contract: ContractId
  readonly fn: string
  readonly ledger: number
  readonly timestamp: number
  readonly result_decoded: unknown
  readonly error?: string
  readonly events?: readonly { readonly contract: ContractId; readonly topics: readonly string[]; readonly data: string }[]
  readonly entries?: readonly ExecutedEntry[]
}

export interface ExecutedFile {
  readonly version: 'v1' | 'v2'
  readonly roles: Readonly<Record<ContractId, string>>
  readonly steps: readonly ExecutedStep[]
  readonly final_state: readonly { readonly contract: ContractId; readonly key: unknown; readonly value: unknown }[]
}

/** Null where the vectors are not there. */
export function executedFile(version: 'v1' | 'v2'): ExecutedFile | null {
  const file = join(sharedDir() ?? '', `reference/vectors/blend-executed-${version}.json`)
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : null
}

/** A ledger of the execution: its steps are its transactions. */
export interface ExecutedLedger {
  readonly ledger: number
  readonly timestamp: number
  readonly steps: readonly ExecutedStep[]
}

export function ledgersOf({ steps }: ExecutedFile): ExecutedLedger[] {
  return [...Map.groupBy(steps, (step) => step.ledger)].map(([ledger, its]) => ({ ledger, timestamp: its[0]?.timestamp ?? 0, steps: its }))
}

/** The slices of the execution in one partition. */
export function slicesOf(file: ExecutedFile, network: Network): Slice[] {
  const slicer = new Slicer(network, blend.routing, 1)
  return ledgersOf(file).flatMap((ledger) => slicer.feed(extractOf(ledger)))
}

function extractOf({ ledger, timestamp, steps }: ExecutedLedger): LedgerExtract {
  const hashOf = (n: number) => (ledger * 1_000 + n).toString(16).padStart(64, '0')
  const records = steps.flatMap((step, tx) => [
    ...(step.entries ?? []).map((entry, index) => entryRecord(entry, tx, index)),
    ...(step.events ?? []).map((event, index) => eventRecord(event, tx, index)),
  ])
  return {
    header: { sequence: ledger, closeTimeSeconds: timestamp, hash: hashOf(0), previousHash: hashOf(0), protocolVersion: 23 },
    transactions: steps.map((_, n) => ({
      hash: hashOf(n + 1),
      txOrder: n + 1,
      source: SOURCE,
      feeSource: null,
      innerHash: null,
      feeCharged: null,
      memo: null,
    })),
    records,
  }
}

const SOURCE = 'GAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAWHF'

function entryRecord({ contract, durability, change, key, before, after }: ExecutedEntry, tx: number, index: number): EntryRecord {
  return {
    kind: 'entry',
    tx,
    opIndex: 0,
    index,
    change,
    contract,
    durability,
    key: base64(key),
    value: entryValue(after, key),
    before: entryValue(before, key),
    liveUntil: null,
  }
}

function eventRecord(event: NonNullable<ExecutedStep['events']>[number], tx: number, index: number): EventRecord {
  const { contract, topics, data } = event
  return { kind: 'event', tx, opIndex: 0, index, contract, type: 'contract', topics: topicsOf(topics), data: base64(data) }
}

const base64 = (text: string) => new Uint8Array(Buffer.from(text, 'base64'))

/** The value inside `LedgerEntryData`: type, extension and contract (44 bytes) and the key come before it, then the durability. */
export function entryValue(entry: string | null, key: string): Uint8Array | null {
  return entry === null ? null : base64(entry).subarray(44 + base64(key).length + 4)
}

/** `ScVal[]`: a count, then the values. */
function topicsOf(topics: readonly string[]): Uint8Array {
  const count = Buffer.alloc(4)
  count.writeUInt32BE(topics.length)
  return new Uint8Array(Buffer.concat([count, ...topics.map((topic) => Buffer.from(topic, 'base64'))]))
}

/** The network of the execution: one deployment, no oracle that could be read. */
export function networkOf({ version, roles }: ExecutedFile): Network {
  const contract = (role: string) => Object.entries(roles).find(([, it]) => it === role)?.[0] ?? ''
  const deployment: BlendDeployment = {
    version,
    factory: contract(`factory ${version}`),
    backstop: contract(`backstop ${version}`),
    emitter: contract('emitter'),
    backstopToken: contract('comet'),
    blnd: contract('token BLND'),
    usdc: contract('token USDC'),
    fromLedger: 1,
  }
  const empty = networkFromJson({
    network: 'vectors',
    passphrase: 'vectors',
    first_ledger: 1,
    protocols: {},
    oracles: [],
    price_pools: [],
    usd_pegs: [],
    assets: {},
  })
  return { ...empty, deployments: { ...empty.deployments, blend: [deployment] } }
}
