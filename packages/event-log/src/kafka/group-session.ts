// From one change of a group to the next: says every moment that this process lives, and hears when it has to hand over, or has lost.

import { setTimeout as delay } from 'node:timers/promises'
import type { KafkaConnection } from './kafka-connection.ts'
import { kafkaErrorType } from './kafka-error.ts'

/** Several signs of life in a session, so that one that is late costs nothing. */
const BEATS_A_SESSION = 5

export interface Membership {
  readonly groupId: string
  readonly memberId: string
  readonly generationId: number
  readonly sessionMs: number
}

export class GroupSession {
  readonly #connection: KafkaConnection
  readonly #membership: Membership
  readonly #closing = new AbortController()
  readonly #changed = new AbortController()
  readonly #lost = new AbortController()
  readonly #running: Promise<void>
  /** When the last sign of life that was heard was sent. */
  #heardMs = performance.now()

  constructor(connection: KafkaConnection, membership: Membership) {
    this.#connection = connection
    this.#membership = membership
    this.#running = this.#run()
  }

  /** Aborts when the group changes or `end` was called: what is folded is to be stored and handed over. */
  get changed(): AbortSignal {
    return this.#changed.signal
  }

  /** Aborts when others may have our partitions. By the clock of this process: one that was asleep knows it before anybody answers. */
  get lost(): AbortSignal {
    return this.#lost.signal
  }

  /** Asks the holder to hand over. */
  end(): void {
    this.#changed.abort()
  }

  /** No more signs of life. */
  async close(): Promise<void> {
    this.#closing.abort()
    await this.#running
  }

  async #run(): Promise<void> {
    const { sessionMs } = this.#membership
    const closing = this.#closing.signal
    while (!closing.aborted && !this.#lost.signal.aborted) {
      await delay(sessionMs / BEATS_A_SESSION, undefined, { signal: closing }).catch(() => undefined) // closing
      if (closing.aborted) return
      const leftMs = Math.ceil(sessionMs - (performance.now() - this.#heardMs))
      if (leftMs <= 0) return this.#lose()
      await this.#beat(AbortSignal.any([closing, AbortSignal.timeout(leftMs)]))
    }
  }

  async #beat(signal: AbortSignal): Promise<void> {
    const { groupId, memberId, generationId: groupGenerationId } = this.#membership
    const sentMs = performance.now()
    try {
      await this.#connection.atCoordinator(
        groupId,
        (coordinator) => coordinator.heartbeat({ groupId, memberId, groupGenerationId }),
        signal,
      )
      this.#heardMs = sentMs
    } catch (error) {
      const type = kafkaErrorType(error)
      if (type === 'REBALANCE_IN_PROGRESS') {
        this.#heardMs = sentMs // heard all the same, and asked to hand over: until we have, we say that we live
        this.#changed.abort()
      } else if (/^(UNKNOWN_MEMBER_ID|ILLEGAL_GENERATION|FENCED_INSTANCE_ID)$/.test(type)) {
        this.#lose()
      }
      // Anything else: nobody answered. The clock decides how long that may go on.
    }
  }

  #lose(): void {
    this.#lost.abort()
    this.#changed.abort()
  }
}
