// Finds what a ledger makes known, and reads once elsewhere what is older than the index: an index that begins in the middle of history,
// a token or an oracle that was there before the pool that names it. See docs/decisions/0010-what-an-rpc-may-tell.md.

import type { AdoptedControl } from '@orrery/event-log'
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
import { type AdoptedEntries, adoptedRecord } from './adopted-entries.ts'
import { discoverAdopted, extractAndDiscover } from './discover.ts'
import type { EntryReader } from './entry-reader.ts'
import type { ProtocolTracking, Tracking } from './tracking.ts'

export interface AdopterParts {
  readonly tracking: Tracking
  readonly adopted: AdoptedEntries
  /** Null: nobody can be asked, and only what the log has is adopted. */
  readonly reader: EntryReader | null
  /**
   * First ledger of each protocol of which no partition has a slice. From there on it is asked: an answer changes slices, so what is told
   * already keeps the answers that it was told with.
   */
  readonly askFrom: ReadonlyMap<ProtocolId, number>
  readonly logger: Logger
}

export interface LedgerFindings {
  readonly extract: LedgerExtract
  /** Newly tracked contracts in the order they were found. A contract that was found to hold more tokens is here, too. */
  readonly found: readonly TrackedContract[]
  /** Everything that was read elsewhere for this ledger, and the part of it that the log does not have yet. */
  readonly adopted: readonly AdoptedControl[]
  readonly read: readonly AdoptedControl[]
}

/** Of one protocol, for one ledger. */
interface Asked {
  readonly protocol: ProtocolId
  readonly name: EntryName
}

/** What one round of answers led to. */
interface Step {
  readonly answers: readonly AdoptedControl[]
  readonly extract: LedgerExtract
  /** Contracts that became known by the answers, and by the ledger because of them. */
  readonly found: readonly TrackedContract[]
}

/** What a registry names, by protocol: it may name a contract that is made later. */
interface Roots {
  readonly network: Network
  readonly byProtocol: ReadonlyMap<ProtocolId, ReadonlySet<string>>
}

export class Adopter {
  readonly #parts: AdopterParts
  #roots: Roots | null = null

  constructor(parts: AdopterParts) {
    this.#parts = parts
  }

  /**
   * @param followed Contracts that are followed from this ledger on before anything of it was read.
   * @param priced Contracts that became oracles or price pools with this ledger and were followed before: folds need their instances once more.
   * Null when `signal` aborts while something is read.
   * @throws what the reader throws: nothing of the ledger was told.
   */
  async discover(
    ledger: number,
    bytes: Uint8Array,
    followed: readonly TrackedContract[],
    priced: readonly ContractId[],
    signal: AbortSignal,
  ): Promise<LedgerFindings | null> {
    const { adopted, reader } = this.#parts
    const read: AdoptedControl[] = []
    const asked = new Set<string>()
    let step = this.#look(bytes, adopted.at(ledger), null)
    const found = [...step.found]
    let roots = followed
    while (reader !== null) {
      const wanted = [...this.#wanted(ledger, step, roots), ...this.#pricedNow(ledger, priced)].filter(isNew(asked))
      if (wanted.length === 0) break
      const answers = await this.#read(reader, ledger, wanted, signal)
      if (answers === null) return null
      adopted.add(answers)
      read.push(...answers)
      step = this.#look(bytes, answers, step.extract)
      found.push(...step.found)
      roots = []
    }
    return { extract: step.extract, found, adopted: adopted.at(ledger), read }
  }

  /** What the answers make known, and what the ledger has for that. `before` is what it had for what was known already. */
  #look(bytes: Uint8Array, answers: readonly AdoptedControl[], before: LedgerExtract | null): Step {
    const { tracking } = this.#parts
    const named = discoverAdopted(answers, tracking)
    if (before !== null && named.length === 0) return { answers, extract: before, found: [] }
    const { extract, found } = extractAndDiscover(bytes, tracking)
    return { answers, extract, found: [...named, ...found] }
  }

  #wanted(ledger: number, { answers, extract, found }: Step, roots: readonly TrackedContract[]): Asked[] {
    if (roots.length === 0 && found.length === 0 && answers.length === 0) return []
    const { tracking, adopted, askFrom } = this.#parts
    const created = createdIn(extract)
    return tracking.protocols
      .filter(({ routing }) => ledger >= (askFrom.get(routing.protocol) ?? Number.POSITIVE_INFINITY))
      .flatMap((protocol) => [
        ...roots.flatMap((contract) => this.#usual(protocol, contract, ledger, this.#isOlderRoot(contract, ledger), created)),
        ...found.flatMap((contract) => this.#usual(protocol, contract, ledger, this.#isOlder(contract, ledger), created)),
        ...this.#named(protocol, answers),
      ])
      .filter(({ protocol, name }) => !adopted.has(protocol, name) && !created.has(entryText(name)))
  }

  /** Instances of what prices are made of from this ledger on, of the protocols that followed it before. */
  #pricedNow(ledger: number, priced: readonly ContractId[]): Asked[] {
    const { tracking, adopted, askFrom } = this.#parts
    return tracking.protocols
      .filter(({ routing }) => ledger >= (askFrom.get(routing.protocol) ?? Number.POSITIVE_INFINITY))
      .flatMap(({ routing, contracts }) =>
        priced.flatMap((contract) => (contracts.has(contract) ? [{ protocol: routing.protocol, name: instanceName(contract) }] : [])),
      )
      .filter(({ protocol, name }) => !adopted.hasSince(protocol, name, ledger))
  }

  #isOlderRoot(contract: TrackedContract, ledger: number): boolean {
    return contract.fromLedger < ledger || this.#isOlder(contract, ledger)
  }

  /** What was found in this ledger is older unless the ledger creates it; what is known longer, if it was older when it was found. */
  #isOlder({ protocol, contract, fromLedger }: TrackedContract, ledger: number): boolean {
    const isRoot = this.#rootsNow().get(protocol)?.has(contract) === true
    return (fromLedger === ledger && !isRoot) || this.#parts.adopted.has(protocol, instanceName(contract))
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

  /** What is asked of every contract: its instance and balances, whatever its protocol names, and who its tokens are. */
  #usual(protocol: ProtocolTracking, contract: TrackedContract, ledger: number, isOlder: boolean, created: ReadonlySet<string>): Asked[] {
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

  /** What the entries that were read name further. */
  #named({ routing, contracts }: ProtocolTracking, answers: readonly AdoptedControl[]): Asked[] {
    return answers.flatMap((answer) => {
      const source = answer.protocol === routing.protocol ? contracts.get(answer.contract) : undefined
      const names = source === undefined ? [] : routing.bootstrap(source, adoptedRecord(answer), this.#parts.tracking.network)
      return names.map((name) => ({ protocol: routing.protocol, name }))
    })
  }

  async #read(reader: EntryReader, ledger: number, wanted: readonly Asked[], signal: AbortSignal): Promise<AdoptedControl[] | null> {
    const names = new Map(wanted.map(({ name }) => [entryText(name), name]))
    const answer = await unlessStopped(reader.read([...names.values()], signal), signal)
    if (answer === null) return null
    const entries = new Map(answer.map((entry) => [entryText(entry), entry]))
    this.#parts.logger.info({ ledger, asked: names.size, read: entries.size }, 'Read entries that are older than the index')
    const contracts = [...names].filter(([text, { contract }]) => text === entryText(instanceName(contract)) && !entries.has(text))
    if (contracts.length > 0)
      this.#parts.logger.warn(
        { ledger, contracts: contracts.map(([, { contract }]) => contract) },
        'The RPC knows no such contracts. They are followed if they are made later; else the registry names what does not exist',
      )
    return wanted.flatMap(({ protocol, name }) => {
      const entry = entries.get(entryText(name))
      return entry === undefined ? [] : [{ kind: 'adopted', ledger, protocol, ...entry } satisfies AdoptedControl]
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

/** True for the first of its kind. */
function isNew(asked: Set<string>): (one: Asked) => boolean {
  return ({ protocol, name }) => {
    const text = `${protocol} ${entryText(name)}`
    const isFirst = !asked.has(text)
    asked.add(text)
    return isFirst
  }
}
