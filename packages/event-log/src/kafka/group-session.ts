// The time from one change of a group to the next: sends heartbeats, and detects when this process must hand over or has lost its partitions.

import { setTimeout as delay } from 'node:timers/promises'
import type { KafkaConnection } from './kafka-connection.ts'
import { kafkaErrorType } from './kafka-error.ts'

/** Several heartbeats per session, so that a late one does no harm. */
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
  /** When the last acknowledged heartbeat was sent. */
  #acknowledgedMs = performance.now()

  constructor(connection: KafkaConnection, membership: Membership) {
    this.#connection = connection
    this.#membership = membership
    this.#running = this.#run()
  }

  /** Aborts when the group changes or `end` was called: store what is folded and hand over. */
  get changed(): AbortSignal {
    return this.#changed.signal
  }

  /** Aborts when other members may have the partitions. Uses the clock of this process, so that a suspended process notices it without an answer. */
  get lost(): AbortSignal {
    return this.#lost.signal
  }

  /** Requests a handover. */
  end(): void {
    this.#changed.abort()
  }

  /** Stops the heartbeats. */
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
      const leftMs = Math.ceil(sessionMs - (performance.now() - this.#acknowledgedMs))
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
      this.#acknowledgedMs = sentMs
    } catch (error) {
      const type = kafkaErrorType(error)
      if (type === 'REBALANCE_IN_PROGRESS') {
        this.#acknowledgedMs = sentMs // acknowledged, with a request to hand over: heartbeats continue until that is done
        this.#changed.abort()
      } else if (/^(UNKNOWN_MEMBER_ID|ILLEGAL_GENERATION|FENCED_INSTANCE_ID)$/.test(type)) {
        this.#lose()
      }
      // Anything else: no answer. The session timeout decides how long that may last.
    }
  }

  #lose(): void {
    this.#lost.abort()
    this.#changed.abort()
  }
}
