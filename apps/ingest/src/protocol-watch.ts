// Watches the protocol version of the network. A newer version whose ledgers this build can read does not stop ingest: it is counted, logged
// once, and recorded in the control topic, from which `/v1/health` and `orrery status` show it.

import type { ControlRecord } from '@orrery/event-log'
import { type LedgerHeaderFacts, SUPPORTED_PROTOCOLS } from '@orrery/ledger'
import type { Logger, Metrics } from '@orrery/service-kit'

export class ProtocolWatch {
  readonly #logger: Logger
  readonly #metrics: Metrics
  #version: number | null
  #warned = 0

  /** @param version The version of the newest ledger in the log; null where the log does not record it. */
  constructor(version: number | null, { logger, metrics }: { readonly logger: Logger; readonly metrics: Metrics }) {
    this.#version = version
    this.#logger = logger
    this.#metrics = metrics
    if (version !== null) metrics.ingestProtocolVersion.set(version)
  }

  /** Takes the next ledger, and returns the records that the control topic does not have yet. */
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
