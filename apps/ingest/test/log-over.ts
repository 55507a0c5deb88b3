// An event log that wraps another one and overrides some calls, and one that fails one call once.

import { OrreryError } from '@orrery/errors'
import type { EventLog, LogPartition, LogRecord, Share, TopicSettings } from '@orrery/event-log'

export class LogOver implements EventLog {
  readonly #log: EventLog
  readonly #append: EventLog['append']

  /** `append` replaces that of the wrapped log. */
  constructor(log: EventLog, append: EventLog['append'] = (to, values) => log.append(to, values)) {
    this.#log = log
    this.#append = append
  }

  /** Every asynchronous call to the log passes here. */
  protected call<T>(call: () => Promise<T>): Promise<T> {
    return call()
  }

  ensureTopic(topic: string, settings: TopicSettings): Promise<void> {
    return this.call(() => this.#log.ensureTopic(topic, settings))
  }

  append(to: LogPartition, values: readonly Uint8Array[]): Promise<void> {
    return this.call(() => this.#append(to, values))
  }

  read(from: LogPartition, offset: bigint, signal: AbortSignal): AsyncIterable<readonly LogRecord[]> {
    return this.#log.read(from, offset, signal)
  }

  last(of: LogPartition): Promise<LogRecord | null> {
    return this.call(() => this.#log.last(of))
  }

  end(of: LogPartition): Promise<bigint> {
    return this.call(() => this.#log.end(of))
  }

  commit(group: string, at: LogPartition, nextOffset: bigint): Promise<void> {
    return this.call(() => this.#log.commit(group, at, nextOffset))
  }

  committed(group: string, at: LogPartition): Promise<bigint> {
    return this.call(() => this.#log.committed(group, at))
  }

  shares(topic: string, group: string, signal: AbortSignal): AsyncIterable<Share> {
    return this.#log.shares(topic, group, signal)
  }

  async close(): Promise<void> {
    await this.#log.close()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close()
  }
}

/** Fails its n-th call (from 1), once, before or after the call took effect. */
export class FaultyLog extends LogOver {
  readonly #call: number
  readonly #when: 'before' | 'after'
  #calls = 0

  constructor(log: EventLog, call: number, when: 'before' | 'after') {
    super(log)
    this.#call = call
    this.#when = when
  }

  get happened(): boolean {
    return this.#calls >= this.#call
  }

  protected override async call<T>(call: () => Promise<T>): Promise<T> {
    const fails = ++this.#calls === this.#call
    if (fails && this.#when === 'before') throw failure()
    const result = await call()
    if (fails) throw failure()
    return result
  }
}

function failure(): OrreryError {
  return new OrreryError('unavailable', 'log_unreachable', 'The log failed, as the test requested.')
}
