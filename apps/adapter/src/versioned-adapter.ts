// An adapter that writes the index version that is due: when an operator activates another one of the same code, or repairs its rows, the
// worker stores what it has folded and another one begins from the checkpoints.

import { OrreryError } from '@orrery/errors'
import type { Adapter, ProtocolId } from '@orrery/protocol-kit'
import { foldedLedger, type IndexVersion } from '@orrery/read-model'
import { type Clock, type Readiness, systemClock } from '@orrery/service-kit'
import { type FollowedVersion, findVersion, isHeld, untilOther } from './followed-version.ts'
import type { AdapterOptions, PartitionStatus, RunningAdapter } from './running-adapter.ts'
import { VERSIONS_EVERY_MS } from './version-readings.ts'
import { Worker } from './worker.ts'

export class VersionedAdapter<State> implements RunningAdapter {
  readonly finished: Promise<void>
  readonly #options: AdapterOptions<State>
  readonly #adapter: Adapter<State>
  readonly #clock: Clock
  readonly #stopping = new AbortController()
  #followed: FollowedVersion
  #worker: Worker<State> | null = null
  #changed = Promise.withResolvers<void>()
  /** Rows of workers that have ended. */
  #rowsBefore = 0
  #lastStatus: readonly PartitionStatus[] = []

  /** Begins at once. */
  constructor(options: AdapterOptions<State>, adapter: Adapter<State>, followed: FollowedVersion) {
    this.#options = options
    this.#adapter = adapter
    this.#clock = options.clock ?? systemClock
    this.#followed = followed
    this.finished = this.#run()
    this.finished.catch(() => this.#notify()) // callers that await it see the error; it must not be an unhandled rejection
  }

  get protocol(): ProtocolId {
    return this.#options.protocol.id
  }

  get version(): number {
    return this.#adapter.version
  }

  get indexVersion(): number {
    return this.#followed.version.indexVersion
  }

  status(): readonly PartitionStatus[] {
    return this.#worker?.status() ?? this.#lastStatus
  }

  rowsStored(): number {
    return this.#rowsBefore + (this.#worker?.rowsStored() ?? 0)
  }

  readiness(): Readiness {
    const why = `The rows of ${this.protocol} are being repaired; its adapter goes on afterwards.`
    return this.#worker?.readiness() ?? { ok: false, why }
  }

  async reached(ledger: number): Promise<void> {
    for (;;) {
      const worker = await this.#running()
      try {
        await worker.reached(ledger)
      } catch (error) {
        if (this.#stopping.signal.aborted || !wasStopped(error)) throw error
        // Another worker has followed it, or will: the caller waits for that one.
        await worker.finished
        continue
      }
      if (!this.#isUpgrade() || (await this.#activate())) return
    }
  }

  async stop(): Promise<void> {
    this.#stopping.abort()
    await this.#worker?.stop()
    await this.finished
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopping
    try {
      while (!signal.aborted) {
        if (!isHeld(this.#followed.version, this.#clock)) await this.#runWorker()
        else await this.#wait()
        if (!signal.aborted) this.#followed = await this.#findVersion()
      }
    } finally {
      this.#stopping.abort()
      this.#notify()
    }
  }

  /** Until it fails, is stopped, or another version is due. */
  async #runWorker(): Promise<void> {
    const { store } = this.#options
    const { version } = this.#followed
    const group = `${this.protocol}-v${this.version}`
    const worker = new Worker({ ...this.#options, indexVersion: version.indexVersion, group }, this.#adapter)
    this.#worker = worker
    this.#notify()
    const ending = new AbortController()
    const signal = AbortSignal.any([this.#stopping.signal, ending.signal])
    const other = untilOther({ store, clock: this.#clock, signal }, version, (versions) => this.#onVersions(versions))
    try {
      const due = await Promise.race([worker.finished.then(() => null), other])
      await worker.stop(due !== null && isHeld(due, this.#clock))
    } finally {
      ending.abort()
      this.#rowsBefore += worker.rowsStored()
      this.#lastStatus = worker.status()
      this.#worker = null
      this.#notify()
    }
  }

  async #onVersions(versions: readonly IndexVersion[]): Promise<void> {
    const active = versions.find(({ isActive }) => isActive) ?? null
    const version = versions.find(({ indexVersion }) => indexVersion === this.indexVersion) ?? this.#followed.version
    this.#followed = { version, active }
    const isComplete = active !== null && foldedLedger(version) >= foldedLedger(active)
    if (this.#isUpgrade() && isComplete) await this.#activate().catch(() => false)
  }

  /** Whether this adapter shall make readers see its version, and they do not yet. One that an operator replaced is not activated again. */
  #isUpgrade(): boolean {
    const { purpose, isActive, wasActive } = this.#followed.version
    return this.#options.activatesUpgrade === true && purpose === 'upgrade' && !isActive && !wasActive
  }

  async #activate(): Promise<boolean> {
    const { store, logger } = this.#options
    const { version, active } = this.#followed
    if (!(await store.activateIfComplete(version))) {
      await this.#wait()
      return false
    }
    this.#followed = await this.#findVersion()
    logger.info(
      { protocol: this.protocol, version: this.version, indexVersion: version.indexVersion, before: active?.indexVersion },
      'Readers see the rows of the new adapter version. `orrery retire` deletes those of the earlier one',
    )
    return true
  }

  #findVersion(): Promise<FollowedVersion> {
    const { store, control } = this.#options
    const partitions = control.start.partitions[this.protocol] ?? 0
    return findVersion(store, { protocol: this.protocol, adapterVersion: this.version, partitions })
  }

  async #running(): Promise<Worker<State>> {
    while (this.#worker === null) {
      if (this.#stopping.signal.aborted) {
        await this.finished
        throw new OrreryError('unavailable', 'adapter_stopped', `The ${this.protocol} adapter was stopped.`)
      }
      await this.#changed.promise
    }
    return this.#worker
  }

  async #wait(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    const timer = setTimeout(resolve, VERSIONS_EVERY_MS)
    this.#stopping.signal.addEventListener('abort', () => resolve(), { once: true })
    await promise.finally(() => clearTimeout(timer))
  }

  #notify(): void {
    const changed = this.#changed
    this.#changed = Promise.withResolvers<void>()
    changed.resolve()
  }
}

/** Whether a worker ended because it was stopped, not because it or its last report failed. */
function wasStopped(error: unknown): boolean {
  return error instanceof OrreryError && error.code === 'adapter_stopped'
}
