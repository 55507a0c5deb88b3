// A process of Orrery under a supervisor: killed, or ended with "try again later" (75), it is started again. Any other end is an error.

import { setTimeout as delay } from 'node:timers/promises'
import { Orrery } from '../orrery.ts'

const TRY_LATER = 75
/** Supervisors wait before they start something again: one that cannot start would otherwise do nothing else. */
const RESTART_AFTER_MS = 200

export class Supervised implements AsyncDisposable {
  readonly #args: readonly string[]
  readonly #env: Readonly<Record<string, string>>
  #run: Orrery
  #isStopping = false
  #restarts = 0
  #restarted = Promise.withResolvers<void>()
  readonly #supervising: Promise<void>

  constructor(args: readonly string[], env: Readonly<Record<string, string>>) {
    this.#args = args
    this.#env = env
    this.#run = new Orrery(args, env)
    this.#supervising = this.#supervise()
    this.#supervising.catch(() => undefined) // reported by `stop`
  }

  get restarts(): number {
    return this.#restarts
  }

  /** Id of the running process. */
  get pid(): number {
    return this.#run.pid
  }

  /** The stderr of the running process. */
  get stderr(): string {
    return this.#run.stderr
  }

  /** The first group of `pattern` in it, after its first `heard` characters, now or later. */
  waitForStderr(pattern: RegExp, heard = 0): Promise<string> {
    return this.#run.waitForStderr(pattern, heard)
  }

  /** Resolves when it has been started again. */
  async restarted(): Promise<void> {
    await this.#restarted.promise
  }

  signal(signal: NodeJS.Signals): void {
    this.#run.signal(signal)
  }

  /** Resolves when it has ended by itself with nothing left to do. */
  async done(): Promise<void> {
    await this.#supervising
  }

  /** Stops it. @throws the error with which it has ended by itself. */
  async stop(): Promise<void> {
    this.#isStopping = true
    this.#run.signal('SIGCONT')
    this.#run.signal('SIGTERM')
    await this.#supervising
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isStopping = true
    await this.#run[Symbol.asyncDispose]()
  }

  async #supervise(): Promise<void> {
    for (;;) {
      const code = await this.#run.exited
      if (code === 0) return
      const isKilled = code === null
      if (this.#isStopping || !(isKilled || code === TRY_LATER))
        throw new Error(`orrery ${this.#args.join(' ')} ended with ${code}:\n${this.#run.stderr.slice(-4_000)}`)
      await delay(RESTART_AFTER_MS)
      if (this.#isStopping) return
      this.#restarts++
      this.#run = new Orrery(this.#args, this.#env)
      this.#restarted.resolve()
    }
  }
}
