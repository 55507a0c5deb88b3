// Finds what a ledger makes known, and reads once elsewhere what is older than the index: an index that begins in the middle of history,
// a token or an oracle that was there before the pool that names it. See docs/decisions/0010-what-an-rpc-may-tell.md.

import type { AdoptedControl } from '@orrery/event-log'
import type { LedgerExtract } from '@orrery/ledger'
import { balanceName, type EntryName, entryText, instanceName, type ProtocolId, type TrackedContract } from '@orrery/protocol-kit'
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

export class Adopter {
  readonly #parts: AdopterParts
  /** What the registry names, by protocol: it may name a contract that is made later. */
  readonly #roots: ReadonlyMap<ProtocolId, ReadonlySet<string>>

  constructor(parts: AdopterParts) {
    const { protocols, network } = parts.tracking
    this.#parts = parts
    this.#roots = new Map(protocols.map(({ routing }) => [routing.protocol, new Set(routing.roots(network).map((root) => root.contract))]))
  }

  /**
   * @param followed Contracts that are followed from this ledger on before anything of it was read.
   * Null when `signal` aborts while something is read.
   * @throws what the reader throws: nothing of the ledger was told.
   */
  async discover(
    ledger: number,
    bytes: Uint8Array,
    followed: readonly TrackedContract[],
    signal: AbortSignal,
  ): Promise<LedgerFindings | null> {
    const { tracking, adopted, reader } = this.#parts
    const read: AdoptedControl[] = []
    const asked = new Set<string>()
    let answers = adopted.at(ledger)
    const found = discoverAdopted(answers, tracking)
    let { extract, found: news } = extractAndDiscover(bytes, tracking)
    found.push(...news)
    news = found
    let roots = followed
    for (;;) {
      const isNothingNew = roots.length === 0 && news.length === 0 && answers.length === 0
      if (reader === null || isNothingNew) break
      const created = createdIn(extract)
      const wanted = tracking.protocols
        .flatMap((protocol) => [
          ...roots.flatMap((contract) => this.#usual(protocol, contract, ledger, this.#isOlderRoot(contract, ledger), created)),
          ...news.flatMap((contract) => this.#usual(protocol, contract, ledger, this.#isOlder(contract, ledger), created)),
          ...this.#named(protocol, answers),
        ])
        .filter(({ protocol, name }) => this.#mayAsk(protocol, ledger) && !adopted.has(protocol, name) && !created.has(entryText(name)))
        .filter(isNew(asked))
      if (wanted.length === 0) break
      const told = await this.#read(reader, ledger, wanted, signal)
      if (told === null) return null
      adopted.add(told)
      read.push(...told)
      answers = told
      roots = []
      news = discoverAdopted(told, tracking)
      if (news.length === 0) continue
      const again = extractAndDiscover(bytes, tracking)
      extract = again.extract
      news = [...news, ...again.found]
      found.push(...news)
    }
    return { extract, found, adopted: adopted.at(ledger), read }
  }

  #mayAsk(protocol: ProtocolId, ledger: number): boolean {
    return ledger >= (this.#parts.askFrom.get(protocol) ?? Number.POSITIVE_INFINITY)
  }

  #isOlderRoot(contract: TrackedContract, ledger: number): boolean {
    return contract.fromLedger < ledger || this.#isOlder(contract, ledger)
  }

  /** What was found in this ledger is older unless the ledger creates it; what is known longer, if it was older when it was found. */
  #isOlder({ protocol, contract, fromLedger }: TrackedContract, ledger: number): boolean {
    const isRoot = this.#roots.get(protocol)?.has(contract) === true
    return (fromLedger === ledger && !isRoot) || this.#parts.adopted.has(protocol, instanceName(contract))
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
      names.push(...routing.adopt(contract, null, network))
    }
    return names.map((name) => ({ protocol: routing.protocol, name }))
  }

  /** What the entries that were read name further. */
  #named({ routing, contracts }: ProtocolTracking, answers: readonly AdoptedControl[]): Asked[] {
    return answers.flatMap((answer) => {
      const source = answer.protocol === routing.protocol ? contracts.get(answer.contract) : undefined
      const names = source === undefined ? [] : routing.adopt(source, adoptedRecord(answer), this.#parts.tracking.network)
      return names.map((name) => ({ protocol: routing.protocol, name }))
    })
  }

  async #read(reader: EntryReader, ledger: number, wanted: readonly Asked[], signal: AbortSignal): Promise<AdoptedControl[] | null> {
    const names = new Map(wanted.map(({ name }) => [entryText(name), name]))
    const answer = await unlessStopped(reader.read([...names.values()], signal), signal)
    if (answer === null) return null
    const entries = new Map(answer.map((entry) => [entryText(entry), entry]))
    this.#parts.logger.info({ ledger, asked: names.size, read: entries.size }, 'Read entries that are older than the index')
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
