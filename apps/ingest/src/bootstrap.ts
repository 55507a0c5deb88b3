// Finds the contracts that a ledger makes known, and reads bootstrap entries: entries whose last change predates the index, read once from an
// RPC. Needed by an index that begins in the middle of history, and for a token or an oracle that existed before the pool that names it.
// See docs/decisions/0010-entries-from-an-rpc-count-only-where-certain.md.

import type { BootstrapControl } from '@orrery/event-log'
import type { ContractId, LedgerExtract } from '@orrery/ledger'
import {
  balanceName,
  type EntryName,
  entryText,
  instanceName,
  type Network,
  type ProtocolId,
  type TrackedContract,
} from '@orrery/protocol-kit'
import type { Logger } from '@orrery/service-kit'
import { type BootstrapEntries, bootstrapRecord } from './bootstrap-entries.ts'
import { discoverBootstrapped, extractAndDiscover } from './discover.ts'
import type { EntryReader } from './entry-reader.ts'
import type { ProtocolTracking, Tracking } from './tracking.ts'

export interface BootstrapperParts {
  readonly tracking: Tracking
  readonly bootstrapped: BootstrapEntries
  /** Null without an RPC: only the bootstrap entries that the log has are used. */
  readonly reader: EntryReader | null
  /**
   * First ledger of each protocol that no partition has a slice of. Entries are requested from that ledger on: an answer changes slices, so
   * ledgers that were appended keep the answers that they were appended with.
   */
  readonly bootstrapFrom: ReadonlyMap<ProtocolId, number>
  readonly logger: Logger
}

export interface LedgerFindings {
  readonly extract: LedgerExtract
  /** Newly tracked contracts in the order they were found, and known contracts that were found to hold more tokens. */
  readonly found: readonly TrackedContract[]
  /** `bootstrapped`: all bootstrap entries of this ledger. `read`: those of them that the log does not have yet. */
  readonly bootstrapped: readonly BootstrapControl[]
  readonly read: readonly BootstrapControl[]
}

/** An entry that one protocol requests for one ledger. */
interface Requested {
  readonly protocol: ProtocolId
  readonly name: EntryName
}

/** The result of one round of requests. */
interface Step {
  readonly answers: readonly BootstrapControl[]
  readonly extract: LedgerExtract
  /** Contracts that the answers made known, and those that the ledger then made known. */
  readonly found: readonly TrackedContract[]
}

/** The root contracts of a registry, by protocol. A registry may name a contract that is created later. */
interface Roots {
  readonly network: Network
  readonly byProtocol: ReadonlyMap<ProtocolId, ReadonlySet<string>>
}

export class Bootstrapper {
  readonly #parts: BootstrapperParts
  #roots: Roots | null = null

  constructor(parts: BootstrapperParts) {
    this.#parts = parts
  }

  /**
   * @param followed Contracts that are tracked from this ledger on, known before the ledger is read.
   * @param priced Contracts that became oracles or price pools with this ledger and were tracked before: folds need their instances again.
   * @returns null when `signal` aborts during a read.
   * @throws the reader's errors. Nothing of the ledger was appended then.
   */
  async discover(
    ledger: number,
    bytes: Uint8Array,
    followed: readonly TrackedContract[],
    priced: readonly ContractId[],
    signal: AbortSignal,
  ): Promise<LedgerFindings | null> {
    const { bootstrapped, reader } = this.#parts
    const read: BootstrapControl[] = []
    const requested = new Set<string>()
    let step = this.#look(bytes, bootstrapped.at(ledger), null)
    const found = [...step.found]
    let roots = followed
    while (reader !== null) {
      const wanted = [...this.#wanted(ledger, step, roots), ...this.#pricedNow(ledger, priced)].filter(isNew(requested))
      if (wanted.length === 0) break
      const answers = await this.#read(reader, ledger, wanted, signal)
      if (answers === null) return null
      bootstrapped.add(answers)
      read.push(...answers)
      step = this.#look(bytes, answers, step.extract)
      found.push(...step.found)
      roots = []
    }
    return { extract: step.extract, found, bootstrapped: bootstrapped.at(ledger), read }
  }

  /** Contracts that the answers make known, and the ledger's records for them. `before`: the extract for the contracts known so far. */
  #look(bytes: Uint8Array, answers: readonly BootstrapControl[], before: LedgerExtract | null): Step {
    const { tracking } = this.#parts
    const named = discoverBootstrapped(answers, tracking)
    if (before !== null && named.length === 0) return { answers, extract: before, found: [] }
    const { extract, found } = extractAndDiscover(bytes, tracking)
    return { answers, extract, found: [...named, ...found] }
  }

  #wanted(ledger: number, { answers, extract, found }: Step, roots: readonly TrackedContract[]): Requested[] {
    if (roots.length === 0 && found.length === 0 && answers.length === 0) return []
    const { tracking, bootstrapped, bootstrapFrom } = this.#parts
    const created = createdIn(extract)
    return tracking.protocols
      .filter(({ routing }) => ledger >= (bootstrapFrom.get(routing.protocol) ?? Number.POSITIVE_INFINITY))
      .flatMap((protocol) => [
        ...roots.flatMap((contract) => this.#usual(protocol, contract, ledger, this.#isOlderRoot(contract, ledger), created)),
        ...found.flatMap((contract) => this.#usual(protocol, contract, ledger, this.#isOlder(contract, ledger), created)),
        ...this.#named(protocol, answers),
      ])
      .filter(({ protocol, name }) => !bootstrapped.has(protocol, name) && !created.has(entryText(name)))
  }

  /** Instances of the contracts in `priced`, for the protocols that tracked them before. */
  #pricedNow(ledger: number, priced: readonly ContractId[]): Requested[] {
    const { tracking, bootstrapped, bootstrapFrom } = this.#parts
    return tracking.protocols
      .filter(({ routing }) => ledger >= (bootstrapFrom.get(routing.protocol) ?? Number.POSITIVE_INFINITY))
      .flatMap(({ routing, contracts }) =>
        priced.flatMap((contract) => (contracts.has(contract) ? [{ protocol: routing.protocol, name: instanceName(contract) }] : [])),
      )
      .filter(({ protocol, name }) => !bootstrapped.hasSince(protocol, name, ledger))
  }

  #isOlderRoot(contract: TrackedContract, ledger: number): boolean {
    return contract.fromLedger < ledger || this.#isOlder(contract, ledger)
  }

  /** Whether the contract predates the index. A contract found in this ledger does, unless the ledger creates it; for a known one its bootstrap entry decides. */
  #isOlder({ protocol, contract, fromLedger }: TrackedContract, ledger: number): boolean {
    const isRoot = this.#rootsNow().get(protocol)?.has(contract) === true
    return (fromLedger === ledger && !isRoot) || this.#parts.bootstrapped.has(protocol, instanceName(contract))
  }

  #rootsNow(): Roots['byProtocol'] {
    const { protocols, network } = this.#parts.tracking
    if (this.#roots?.network !== network) {
      const roots = protocols.map(
        ({ routing }) => [routing.protocol, new Set(routing.roots(network).map((root) => root.contract))] as const,
      )
      this.#roots = { network, byProtocol: new Map(roots) }
    }
    return this.#roots.byProtocol
  }

  /** The entries requested for every contract: its instance and balances, the entries that its protocol names, and the instances of its tokens. */
  #usual(
    protocol: ProtocolTracking,
    contract: TrackedContract,
    ledger: number,
    isOlder: boolean,
    created: ReadonlySet<string>,
  ): Requested[] {
    const { network } = this.#parts.tracking
    const { routing, contracts } = protocol
    if (contract.protocol !== routing.protocol || (!isOlder && contract.fromLedger > ledger)) return []
    const instance = instanceName(contract.contract)
    const unnamed = contract.balances.filter((token) => network.assets[token] === undefined && !contracts.has(token))
    const names = unnamed.map(instanceName)
    if (isOlder && !created.has(entryText(instance))) {
      names.push(instance, ...contract.balances.map((token) => balanceName(token, contract.contract)))
      names.push(...routing.bootstrap(contract, null, network))
    }
    return names.map((name) => ({ protocol: routing.protocol, name }))
  }

  /** Further entries, named by the entries that were read. */
  #named({ routing, contracts }: ProtocolTracking, answers: readonly BootstrapControl[]): Requested[] {
    return answers.flatMap((answer) => {
      const source = answer.protocol === routing.protocol ? contracts.get(answer.contract) : undefined
      const names = source === undefined ? [] : routing.bootstrap(source, bootstrapRecord(answer), this.#parts.tracking.network)
      return names.map((name) => ({ protocol: routing.protocol, name }))
    })
  }

  async #read(reader: EntryReader, ledger: number, wanted: readonly Requested[], signal: AbortSignal): Promise<BootstrapControl[] | null> {
    const names = new Map(wanted.map(({ name }) => [entryText(name), name]))
    const answer = await unlessStopped(reader.read([...names.values()], signal), signal)
    if (answer === null) return null
    const entries = new Map(answer.map((entry) => [entryText(entry), entry]))
    this.#parts.logger.info({ ledger, requested: names.size, read: entries.size }, 'Read bootstrap entries from the RPC')
    const contracts = [...names].filter(([text, { contract }]) => text === entryText(instanceName(contract)) && !entries.has(text))
    if (contracts.length > 0)
      this.#parts.logger.warn(
        { ledger, contracts: contracts.map(([, { contract }]) => contract) },
        'The RPC has no such contracts. They are tracked once they are created; otherwise correct the registry',
      )
    return wanted.flatMap(({ protocol, name }) => {
      const entry = entries.get(entryText(name))
      return entry === undefined ? [] : [{ kind: 'bootstrap', ledger, protocol, ...entry } satisfies BootstrapControl]
    })
  }
}

async function unlessStopped<T>(answer: Promise<T>, signal: AbortSignal): Promise<T | null> {
  try {
    return await answer
  } catch (error) {
    if (signal.aborted && error === signal.reason) return null
    throw error
  }
}

function createdIn({ records }: LedgerExtract): ReadonlySet<string> {
  return new Set(records.flatMap((record) => (record.kind === 'entry' && record.change === 'created' ? [entryText(record)] : [])))
}

/** True for the first request of an entry. */
function isNew(requested: Set<string>): (one: Requested) => boolean {
  return ({ protocol, name }) => {
    const text = `${protocol} ${entryText(name)}`
    const isFirst = !requested.has(text)
    requested.add(text)
    return isFirst
  }
}
