// The registry of an index as of each ledger. It only grows: every version has what the one before has, and more from its ledger on.
// Folds, routing and readers take the version of the ledger that they work on, so a log that is replayed gives the same rows.

import { assert } from '@orrery/errors'
import type { Network } from './network.ts'

export interface RegistryVersion {
  /** First ledger that is folded and read with this registry. */
  readonly fromLedger: number
  /** The whole registry, not only what was added. The same object for as long as the history lives. */
  readonly network: Network
}

export class RegistryHistory {
  readonly #versions: RegistryVersion[]

  /** @param versions In the order of their ledgers, at least one. The first one also counts for ledgers before its own. */
  constructor(versions: readonly RegistryVersion[]) {
    assert(versions.length > 0, 'A registry has at least one version.')
    this.#versions = [...versions]
  }

  /** The version in force at a ledger: of several with the same ledger the last one. */
  versionAt(ledger: number): RegistryVersion {
    return this.#versions.findLast(({ fromLedger }) => fromLedger <= ledger) ?? this.first
  }

  at(ledger: number): Network {
    return this.versionAt(ledger).network
  }

  get first(): RegistryVersion {
    return this.#versions[0] as RegistryVersion
  }

  get newest(): RegistryVersion {
    return this.#versions.at(-1) as RegistryVersion
  }

  get versions(): readonly RegistryVersion[] {
    return this.#versions
  }

  /**
   * What records say in the order of the log. One that names an older ledger than one before it says nothing: two ingests that grow at once may
   * record it, and readers that follow the log cannot go back.
   */
  static ofRecords(records: readonly RegistryVersion[]): RegistryHistory {
    const [first, ...rest] = records
    assert(first !== undefined, 'A registry has at least one version.')
    const history = new RegistryHistory([first])
    for (const record of rest) if (history.accepts(record)) history.add(record)
    return history
  }

  /** Whether a record that comes next in the log says something. */
  accepts({ fromLedger }: Pick<RegistryVersion, 'fromLedger'>): boolean {
    return fromLedger >= this.newest.fromLedger
  }

  /** Adds the version that counts from a later ledger on. */
  add(version: RegistryVersion): void {
    assert(version.fromLedger >= this.newest.fromLedger, 'Registry versions follow each other.', { fromLedger: version.fromLedger })
    this.#versions.push(version)
  }
}
