// Which protocol version the network runs. A version that this build does not know, in ledgers that it can read, is no reason to stop: it is
// counted, logged once, and recorded in the control topic, from where `/v1/health` and `orrery status` show it.

import type { ControlRecord } from '@orrery/event-log'
import { type LedgerHeaderFacts, SUPPORTED_PROTOCOLS } from '@orrery/ledger'
import type { Logger, Metrics } from '@orrery/service-kit'

export class ProtocolWatch {
  readonly #logger: Logger
  readonly #metrics: Metrics
  #version: number | null
  #warned = 0

  /** @param version That of the newest ledger in the log, as far as the log says it. */
  constructor(version: number | null, { logger, metrics }: { readonly logger: Logger; readonly metrics: Metrics }) {
    this.#version = version
    this.#logger = logger
    this.#metrics = metrics
    if (version !== null) metrics.ingestProtocolVersion.set(version)
  }

  /** Takes the next ledger, and returns what the control topic does not say yet. */
  next({ sequence: ledger, protocolVersion: version }: LedgerHeaderFacts): ControlRecord[] {
    this.#metrics.ingestProtocolVersion.set(version)
    if (version > SUPPORTED_PROTOCOLS.newest) this.#isNewer(ledger, version)
    if (version === this.#version) return []
    this.#version = version
    return [{ kind: 'protocol', ledger, version }]
  }

  #isNewer(ledger: number, version: number): void {
    this.#metrics.ingestNewerProtocol.inc()
    if (version === this.#warned) return
    this.#warned = version
    this.#logger.warn(
      { ledger, protocolVersion: version, supportedUpTo: SUPPORTED_PROTOCOLS.newest, code: 'protocol_newer_than_build' },
      'The network runs a newer protocol than this build knows; indexing continues. Update Orrery',
    )
  }
}
