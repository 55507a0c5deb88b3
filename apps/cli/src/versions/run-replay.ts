// Folds the whole log of a protocol again into an index version of its own, beside the one that readers see, from its first ledger or from where
// an earlier run ended.

import { setTimeout as delay } from 'node:timers/promises'
import { type ControlFollower, type RunningAdapter, startControlFollower, startReplay } from '@orrery/adapter'
import { OrreryError } from '@orrery/errors'
import { type EventLog, sliceTopic } from '@orrery/event-log'
import type { Network, Protocol } from '@orrery/protocol-kit'
import { foldedLedger, type IndexVersion, type Store } from '@orrery/read-model'
import type { Logger, Metrics } from '@orrery/service-kit'

export interface ReplayRun {
  readonly network: Network
  readonly protocol: Protocol<unknown>
  readonly log: EventLog
  readonly store: Store
  /** The version to continue; null: the one that an earlier run began, else a new one. */
  readonly indexVersion: IndexVersion | null
  /** Make readers see it when it has caught up. */
  readonly activates: boolean
  /** Go on following the log, until another process makes readers see the version or `stop` aborts. */
  readonly follows: boolean
  readonly stop: AbortSignal
  readonly onProgress: (done: number, total: number, ledger: number) => void
  readonly logger: Logger
  readonly metrics: Metrics
}

export interface ReplayResult {
  readonly version: IndexVersion
  /** Everything up to this ledger is folded. */
  readonly ledger: number
  readonly rows: number
  /** `stopped`: the same command goes on from here. */
  readonly outcome: 'caught_up' | 'activated' | 'stopped'
}

const LOOK_EVERY_MS = 250

/**
 * @throws OrreryError `corrupt`/`log_incomplete` when the log no longer begins with the first ledger of the index, and errors of log, ClickHouse
 * and fold. What was folded stays: another run goes on from there.
 */
export async function runReplay(run: ReplayRun): Promise<ReplayResult> {
  const { network, protocol, log, store, stop } = run
  await using stack = new AsyncDisposableStack()
  const ending = new AbortController()
  stack.defer(() => ending.abort())
  const control = await startControlFollower({
    network,
    protocols: [protocol.id],
    log,
    store,
    signal: AbortSignal.any([stop, ending.signal]),
  })
  stack.defer(() => control.stop())
  const total = control.start.partitions[protocol.id] ?? 0
  const version = await versionOf(run, total)
  const { logger, metrics } = run
  const partitions = Array.from({ length: total }, (_, n) => n)
  const adapter = startReplay({ protocol, network, partitions, control, log, store, logger, metrics, indexVersion: version.indexVersion })
  stack.defer(() => adapter.stop())
  const outcome = await new Replaying(run, control, adapter, version).run()
  await adapter.stop()
  return { version, ledger: leastOf(adapter), rows: adapter.rowsStored(), outcome }
}

/** An unfinished replay of this code is continued. */
async function versionOf({ protocol, network, store, indexVersion }: ReplayRun, partitions: number): Promise<IndexVersion> {
  const { version: adapterVersion } = protocol.adapter(network)
  if (indexVersion !== null) {
    if (indexVersion.adapterVersion !== adapterVersion) throw otherAdapter(indexVersion, adapterVersion)
    return indexVersion
  }
  return store.findOrCreateIndexVersion({ protocol: protocol.id, adapterVersion, partitions, purpose: 'replay' })
}

class Replaying {
  readonly #run: ReplayRun
  readonly #control: ControlFollower
  readonly #adapter: RunningAdapter
  readonly #version: IndexVersion

  constructor(run: ReplayRun, control: ControlFollower, adapter: RunningAdapter, version: IndexVersion) {
    this.#run = run
    this.#control = control
    this.#adapter = adapter
    this.#version = version
  }

  async run(): Promise<ReplayResult['outcome']> {
    const failed = Promise.race([this.#adapter.finished, this.#control.finished])
    failed.catch(() => undefined) // thrown by the race below
    for (;;) {
      await Promise.race([failed, delay(LOOK_EVERY_MS, undefined, { ref: true })])
      this.#report()
      if (this.#run.stop.aborted) return 'stopped'
      await this.#checkGap()
      if (!(await this.#hasCaughtUp())) continue
      if (this.#run.activates && (await this.#run.store.activateIfComplete(this.#version))) return 'activated'
      if (this.#run.activates) continue
      if (!this.#run.follows) return 'caught_up'
      if ((await this.#now())?.isActive === true) return 'activated'
    }
  }

  #report(): void {
    const { firstLedger } = this.#control.start
    const done = Math.max(0, leastOf(this.#adapter) - firstLedger + 1)
    this.#run.onProgress(done, Math.max(done, this.#control.seen.ledger - firstLedger + 1), leastOf(this.#adapter))
  }

  /** Everything that the log held when it was last looked at, and everything that readers see. */
  async #hasCaughtUp(): Promise<boolean> {
    const { seen } = this.#control
    if (seen.ledger === 0 || leastOf(this.#adapter) < seen.ledger) return false
    const active = (await this.#run.store.indexVersions(this.#run.protocol.id)).find(({ isActive }) => isActive)
    return active === undefined || leastOf(this.#adapter) >= foldedLedger(active)
  }

  async #now(): Promise<IndexVersion | undefined> {
    const versions = await this.#run.store.indexVersions(this.#run.protocol.id)
    return versions.find(({ indexVersion }) => indexVersion === this.#version.indexVersion)
  }

  /** A gap that was filled later is followed by its ledgers. One that is still open at the end of the log lies where retention removed records. */
  async #checkGap(): Promise<void> {
    const { log, network, protocol } = this.#run
    const found = this.#adapter.status().find(({ gap }) => gap !== null)
    if (found?.gap == null) return
    const { after, before } = found.gap
    if (found.readOffset < (await log.end({ topic: sliceTopic(network.name, protocol.id), partition: found.partition }))) return
    throw new OrreryError(
      'corrupt',
      'log_incomplete',
      `The event log of ${protocol.id}/${found.partition} lacks ledgers ${after + 1} to ${before}, so it cannot be folded again. Readers see what they saw before.\nFill the log from a source that has these ledgers, as docs/operations/replay.md describes, and run the command again.`,
      { context: { partition: found.partition, after, before } },
    )
  }
}

function leastOf(adapter: RunningAdapter): number {
  return Math.min(...adapter.status().map(({ checkpointLedger }) => checkpointLedger ?? 0))
}

function otherAdapter({ indexVersion, adapterVersion }: IndexVersion, own: number): OrreryError {
  return new OrreryError(
    'invalid',
    'version_differs',
    `Index version ${indexVersion} is written by adapter version ${adapterVersion}, and this build has adapter version ${own}. Nothing was changed. Use the build that began it, or begin another one by leaving out --index-version.`,
  )
}
