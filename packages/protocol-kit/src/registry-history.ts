// The registry of an index as of each ledger. It only grows: every version contains the previous one, with additions from its ledger on.
// Folds, routing and readers use the version of the ledger that they work on, so a replay of the log gives the same rows.

import { assert } from '@orrery/errors'
import type { Network } from './network.ts'

export interface RegistryVersion {
  /** First ledger that is folded and read with this registry. */
  readonly fromLedger: number
  /** The whole registry, not only the additions. Always the same object for one version. */
  readonly network: Network
}

export class RegistryHistory {
  readonly #versions: RegistryVersion[]

  /** @param versions In the order of their ledgers, at least one. The first one also applies to ledgers before its own. */
  constructor(versions: readonly RegistryVersion[]) {
    assert(versions.length > 0, 'A registry has at least one version.')
    this.#versions = [...versions]
  }

  /** The version that applies to a ledger: of several with the same ledger the last one. */
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
   * The history from the records in the order of the log. A record with a lower ledger than an earlier record is ignored: two ingest processes
   * with larger registries may record it at the same time, and readers that follow the log cannot go back.
   */
  static ofRecords(records: readonly RegistryVersion[]): RegistryHistory {
    const [first, ...rest] = records
    assert(first !== undefined, 'A registry has at least one version.')
    const history = new RegistryHistory([first])
    for (const record of rest) if (history.accepts(record)) history.add(record)
    return history
  }

  /** Whether a record that comes next in the log applies. */
  accepts({ fromLedger }: Pick<RegistryVersion, 'fromLedger'>): boolean {
    return fromLedger >= this.newest.fromLedger
  }

  /** Adds the version that applies from a later ledger on. */
  add(version: RegistryVersion): void {
    assert(version.fromLedger >= this.newest.fromLedger, 'Registry versions must be added in the order of their ledgers.', {
      fromLedger: version.fromLedger,
    })
    this.#versions.push(version)
  }
}
