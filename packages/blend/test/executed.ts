// The deployed contracts of one version, executed elsewhere step by step: what each call emitted and wrote, as ledgers of a made-up network.
// The files lie beside the repository, not in it; without them there is nothing to run.

import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { EntryRecord, EventRecord, LedgerExtract, LedgerRecord } from '@orrery/ledger'
import type { Network } from '@orrery/protocol-kit'
import { networkFromJson } from '@orrery/registry'
import { sharedDir, testAccount } from '@orrery/testkit'
import type { BlendVersion } from '../src/chain.ts'

export interface ExecutedEntry {
  readonly contract: string
  readonly durability: 'persistent' | 'temporary'
  readonly change: 'created' | 'updated' | 'removed'
  readonly key: string
  readonly key_decoded: unknown
  readonly before: string | null
  readonly after: string | null
  readonly before_decoded: unknown
  readonly after_decoded: unknown
}

export interface ExecutedEvent {
  readonly contract: string
  /** `pool v1`, `backstop v2`, `comet`, … */
  readonly role: string
  readonly topics: readonly string[]
  readonly data: string
  readonly decoded: { readonly topics: readonly unknown[]; readonly data: unknown }
}

export interface ExecutedStep {
  readonly step: string
  readonly ledger: number
  readonly timestamp: number
  /** Absent where the contract refused. */
  readonly events?: readonly ExecutedEvent[]
  readonly entries?: readonly ExecutedEntry[]
}

interface Vectors {
  readonly roles: Readonly<Record<string, string>>
  readonly steps: readonly ExecutedStep[]
}

const base64 = (text: string) => new Uint8Array(Buffer.from(text, 'base64'))

export class Executed {
  readonly version: BlendVersion
  readonly #vectors: Vectors

  constructor(version: BlendVersion, vectors: Vectors) {
    this.version = version
    this.#vectors = vectors
  }

  get steps(): readonly ExecutedStep[] {
    return this.#vectors.steps
  }

  /** The contract of a role: `comet`, `emitter`; with the version of `factory`, `backstop` and `pool`. */
  contract(role: string): string {
    const names = [role, `${role} ${this.version}`, `token ${role}`]
    return Object.entries(this.#vectors.roles).find(([, name]) => names.includes(name))?.[0] ?? ''
  }

  network(): Network {
    const [first] = this.steps
    const deployment = {
      version: this.version,
      factory: this.contract('factory'),
      backstop: this.contract('backstop'),
      emitter: this.contract('emitter'),
      backstop_token: this.contract('comet'),
      blnd: this.contract('BLND'),
      usdc: this.contract('USDC'),
      from_ledger: first?.ledger ?? 0,
    }
    return networkFromJson({
      network: 'executed',
      passphrase: 'Executed',
      first_ledger: first?.ledger ?? 0,
      protocols: { blend: { deployments: [deployment] } },
    })
  }

  /** The ledgers in their order: a transaction for every step that the contract did not refuse. */
  ledgers(): LedgerExtract[] {
    return [...Map.groupBy(this.steps, ({ ledger }) => ledger)].map(([sequence, steps]) => {
      const done = steps.filter(({ events }) => events !== undefined)
      const hash = sequence.toString(16).padStart(64, '0')
      return {
        header: { sequence, closeTimeSeconds: steps[0]?.timestamp ?? 0, hash, previousHash: hash, protocolVersion: 22 },
        transactions: done.map((_, n) => ({
          hash: `${sequence}${n}`.padStart(64, '0'),
          txOrder: n + 1,
          source: testAccount('source'),
          feeSource: null,
          innerHash: null,
        })),
        records: done.flatMap(recordsOf),
      }
    })
  }
}

/** Null where the folder with the vectors is absent. */
export function executed(version: BlendVersion): Executed | null {
  const file = join(sharedDir() ?? '', `reference/vectors/blend-executed-${version}.json`)
  return existsSync(file) ? new Executed(version, JSON.parse(readFileSync(file, 'utf8')) as Vectors) : null
}

function recordsOf({ events = [], entries = [] }: ExecutedStep, tx: number): LedgerRecord[] {
  return [
    ...entries.map(
      (entry, index): EntryRecord => ({
        kind: 'entry',
        tx,
        opIndex: 0,
        index,
        change: entry.change,
        contract: entry.contract,
        key: base64(entry.key),
        durability: entry.durability,
        value: entry.after === null ? null : valueIn(entry.after, entry.key),
        before: entry.before === null ? null : valueIn(entry.before, entry.key),
        liveUntil: null,
      }),
    ),
    ...events.map(
      (event, index): EventRecord => ({
        kind: 'event',
        tx,
        opIndex: 0,
        index,
        contract: event.contract,
        type: 'contract',
        topics: topicsOf(event.topics),
        data: base64(event.data),
      }),
    ),
  ]
}

/** XDR of `ScVal[]`. */
export function topicsOf(topics: readonly string[]): Uint8Array {
  const count = Buffer.alloc(4)
  count.writeUInt32BE(topics.length)
  return new Uint8Array(Buffer.concat([count, ...topics.map(base64)]))
}

/** The value of a LedgerEntryData of contract data: after arm, extension, address of a contract, key and durability. */
function valueIn(entry: string, key: string): Uint8Array {
  return base64(entry).subarray(4 + 4 + 4 + 32 + base64(key).length + 4)
}
