// A part of `orrery up` that is started again when it fails, so that one lost source or one failed fold does not end the API and the other parts.

import { setTimeout as delay } from 'node:timers/promises'
import { OrreryError, reasonOf } from '@orrery/errors'
import type { Logger, Metrics } from '@orrery/service-kit'

interface Part {
  /** Resolves when the part has stopped, rejects when it failed. */
  readonly finished: Promise<void>
  stop(): Promise<void>
}

export interface SupervisedOptions<P extends Part> {
  /** `ingest`, or a protocol. */
  readonly name: string
  readonly start: () => Promise<P>
  /** Whether the first start may fail like a later one: else its error is thrown by `started`. */
  readonly mayBeginLate: boolean
  /** Whether another start may help after this error. */
  readonly isRestartable: (error: unknown) => boolean
  /** Called with an error after which there is no other start. */
  readonly onFatal: (error: unknown) => void
  /** Called with each error that is followed by another start. */
  readonly onFailure?: (error: unknown) => void
  readonly logger: Logger
  readonly metrics: Metrics
  /** Before the second start in a row; doubled up to a minute. Default 1,000. */
  readonly firstPauseMs?: number
}

/** For `/status` on the internal port. */
export interface PartState {
  readonly part: string
  readonly state: 'running' | 'starting' | 'waiting'
  /** Of the last failure, null when it runs. */
  readonly error: string | null
  /** Since the process began. */
  readonly failures: number
}

const FIRST_PAUSE_MS = 1_000
const LONGEST_PAUSE_MS = 60_000
/** A part that ran for this long is started again as if it had not failed before. */
const STEADY_AFTER_MS = 300_000

export class SupervisedPart<P extends Part> {
  /** Resolves at the first start that succeeds. Rejects when there is none. */
  readonly started: Promise<void>
  readonly #options: SupervisedOptions<P>
  readonly #stopping = new AbortController()
  readonly #isStopped = Promise.withResolvers<null>()
  readonly #ended: Promise<void>
  #current: P | null = null
  #changed = Promise.withResolvers<void>()
  #error: unknown = null
  #state: PartState['state'] = 'starting'
  #failures = 0
  #pauseMs: number

  /** Begins at once. */
  constructor(options: SupervisedOptions<P>) {
    this.#options = options
    this.#pauseMs = options.firstPauseMs ?? FIRST_PAUSE_MS
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    this.started = promise
    promise.catch(() => undefined) // the caller may not wait for it
    this.#ended = this.#run(resolve, reject)
  }

  /** Null while it does not run. */
  get current(): P | null {
    return this.#current
  }

  get state(): PartState {
    const error = this.#error === null ? null : reasonOf(this.#error)
    return { part: this.#options.name, state: this.#state, error, failures: this.#failures }
  }

  /** The result of `work` on the running part. When the part fails meanwhile, `work` is repeated on the next one. */
  async outliving<T>(work: (part: P) => Promise<T>): Promise<T> {
    for (;;) {
      while (this.#current === null) await this.#changed.promise
      const part = this.#current
      try {
        return await work(part)
      } catch (error) {
        if (this.#stopping.signal.aborted) throw error
        // It rejects for the failure of the part, which ends a moment later.
        await part.finished.catch(() => undefined)
        if (this.#current === part) throw error
      }
    }
  }

  /** Stops the part, also while it starts. Rejects when stopping it failed. */
  async stop(): Promise<void> {
    this.#stopping.abort()
    this.#isStopped.resolve(null)
    await this.#current?.stop()
    await this.#ended
  }

  /** Never rejects. */
  async #run(onStarted: () => void, onNotStarted: (error: unknown) => void): Promise<void> {
    const { isRestartable, mayBeginLate, onFatal, onFailure } = this.#options
    let hasStarted = false
    while (!this.#stopping.signal.aborted) {
      const beganMs = performance.now()
      try {
        await this.#runOnce(() => {
          hasStarted = true
          onStarted()
        })
        return
      } catch (error) {
        const wasRunning = this.#current !== null
        this.#set(null, 'waiting', error)
        if (this.#stopping.signal.aborted) return
        if (!isRestartable(error) || !(hasStarted || mayBeginLate)) {
          onNotStarted(error)
          if (hasStarted || mayBeginLate) onFatal(error)
          return
        }
        onFailure?.(error)
        if (wasRunning && performance.now() - beganMs > STEADY_AFTER_MS) this.#pauseMs = this.#options.firstPauseMs ?? FIRST_PAUSE_MS
        await this.#pause(error)
      }
    }
  }

  async #runOnce(onStarted: () => void): Promise<void> {
    const starting = this.#options.start()
    const part = await Promise.race([starting, this.#isStopped.promise])
    if (part === null) {
      // A start that waits for its source may take minutes: it is not waited for.
      starting.then((late) => late.stop()).catch(() => undefined)
      return
    }
    this.#set(part, 'running', null)
    onStarted()
    await part.finished
  }

  async #pause(error: unknown): Promise<void> {
    const { name, logger, metrics } = this.#options
    this.#failures++
    metrics.partFailures.inc({ part: name })
    const fields = { part: name, failures: this.#failures, nextStartInSeconds: this.#pauseMs / 1000, err: error }
    logger.error(fields, 'A part failed and will be started again; the API and the other parts go on')
    await delay(this.#pauseMs, undefined, { signal: this.#stopping.signal }).catch(() => undefined)
    this.#pauseMs = Math.min(this.#pauseMs * 2, LONGEST_PAUSE_MS)
  }

  #set(part: P | null, state: PartState['state'], error: unknown): void {
    this.#current = part
    this.#state = state
    this.#error = error
    this.#options.metrics.partRunning.set({ part: this.#options.name }, part === null ? 0 : 1)
    const changed = this.#changed
    this.#changed = Promise.withResolvers<void>()
    changed.resolve()
  }
}

/** Whether a later start may help, as exit code 75 states of a process of its own. */
export function isTemporary(error: unknown): boolean {
  return error instanceof OrreryError && (error.kind === 'unavailable' || error.kind === 'rate_limited')
}

/** An adapter is started again after any error but a wrong configuration: a fold that fails must not end the other protocols. */
export function mayOtherPartsGoOn(error: unknown): boolean {
  return !(error instanceof OrreryError && (error.kind === 'invalid' || error.kind === 'not_found' || error.kind === 'unauthorized'))
}
