// Collects the output of a loop and stores it while the loop continues: one batch is being stored, one is being collected.
// So batches are stored in the order of the loop, and storing batch n overlaps collecting batch n + 1.
// A failed batch is final: every later call throws the same error, and no later batch is stored.

export interface BatchLimits {
  /** A batch of this weight, or batches of a `group` that have it together, are stored at once; adding waits while the one before is being stored. */
  readonly maxWeight: number
  /** A batch older than this is stored, full or not, with those of its `group`. */
  readonly maxAgeMs: number
  /** A batch that has not grown for this long is stored, as at the tip of the log; not while `isWritingHistory`. */
  readonly quietMs: number
  /** Default: one for the loop alone. */
  readonly group?: BatchGroup
}

/** Stores a batch, or remembers to when the one before it is stored. */
type SendBatch = (isFull: boolean) => void

/**
 * The batches of several loops, full and old together: their rows then share inserts, whose number is what the engine's time depends on, and the rows that
 * wait in memory do not grow with the number of loops, as long as these progress evenly.
 */
export class BatchGroup {
  /** By the function that stores a batch: weights of those that are being collected. */
  readonly #weights = new Map<SendBatch, number>()
  #weight = 0

  /** `send` is called for all batches when they have `maxWeight` together. */
  grow(send: SendBatch, weight: number, maxWeight: number): void {
    this.#weights.set(send, (this.#weights.get(send) ?? 0) + weight)
    this.#weight += weight
    if (this.#weight < maxWeight) return
    // They count no longer, also those that are stored later: `add` waits until they are.
    const full = [...this.#weights.keys()]
    this.#weights.clear()
    this.#weight = 0
    for (const each of full) each(true)
  }

  /** Stores all batches, full or not. */
  sendAll(): void {
    for (const each of [...this.#weights.keys()]) each(false)
  }

  /** The batch is empty again. */
  clear(send: SendBatch): void {
    this.#weight -= this.#weights.get(send) ?? 0
    this.#weights.delete(send)
  }
}

/** How long the newest ledger of the log waits before it is stored: long enough that the partitions of a process share inserts. */
const NEWEST_WAITS_MS = 20

export class WriteBehind<T> {
  readonly #store: (batch: readonly T[]) => Promise<void>
  readonly #limits: BatchLimits
  readonly #onFailure: () => void
  readonly #isWritingHistory: () => boolean
  readonly #group: BatchGroup
  readonly #sendTogether: SendBatch = (isFull) => {
    this.#isFull ||= isFull
    this.#sendWhenFree()
  }
  #collected: T[] = []
  #timer: NodeJS.Timeout | null = null
  #newestTimer: NodeJS.Timeout | null = null
  /** What is collected is stored as soon as the batch before it is. */
  #isDue = false
  /** Adding waits until it is being stored. */
  #isFull = false
  #quietTicks = 0
  #collectedAtTick = 0
  #storing: Promise<void> | null = null
  #failure: { readonly error: unknown } | null = null

  /**
   * `onFailure` wakes a loop that waits for the log; the error itself is thrown by `add` and `drain`. While `isWritingHistory`, more is known to
   * come, and a pause of the log ends no batch.
   */
  constructor(
    store: (batch: readonly T[]) => Promise<void>,
    limits: BatchLimits,
    onFailure: () => void,
    isWritingHistory: () => boolean = () => false,
  ) {
    this.#store = store
    this.#limits = limits
    this.#onFailure = onFailure
    this.#isWritingHistory = isWritingHistory
    this.#group = limits.group ?? new BatchGroup()
  }

  /**
   * Adds to the batch being collected. Waits while that batch is full and the one before it is still being stored.
   * @param isNewest Nothing after it is known: it is stored soon, however few its rows are.
   */
  async add(item: T, weight: number, isNewest = false): Promise<void> {
    if (this.#isFull) await this.#storing // filled by another loop of the group
    this.#throwFailure()
    this.#collected.push(item)
    this.#group.grow(this.#sendTogether, weight, this.#limits.maxWeight)
    if (this.#isFull) {
      await this.#storing
      this.#throwFailure()
    } else if (this.#collected.length === 0) {
      // It has been sent.
    } else if (isNewest) {
      this.#newestTimer ??= setTimeout(() => this.#sendWhenFree(), NEWEST_WAITS_MS)
    } else {
      this.#timer ??= this.#startTimer()
    }
  }

  /** Resolves when everything added is stored. */
  async drain(): Promise<void> {
    await this.#storing
    this.#throwFailure()
    this.#send()
    await this.#storing
    this.#throwFailure()
  }

  /** Discards what is collected and waits until the batch being stored ends, without its error: the caller has another one to throw. */
  async abandon(): Promise<void> {
    this.#clear()
    await this.#storing
  }

  #sendWhenFree(): void {
    if (this.#storing === null) this.#send()
    else this.#isDue = true
  }

  #send(): void {
    const batch = this.#collected
    this.#clear()
    if (batch.length === 0) return
    this.#storing = this.#store(batch)
      .catch((error: unknown) => {
        this.#failure = { error }
        this.#clear()
        this.#onFailure()
      })
      .finally(() => {
        this.#storing = null
        if (this.#isDue) this.#send()
      })
  }

  // One timer for both limits: it ticks once per `quietMs` and checks whether the batch has grown since the last tick.
  #startTimer(): NodeJS.Timeout {
    return setInterval(() => {
      this.#quietTicks++
      const isQuiet = this.#collected.length === this.#collectedAtTick && !this.#isWritingHistory()
      const isOld = this.#quietTicks * this.#limits.quietMs >= this.#limits.maxAgeMs
      this.#collectedAtTick = this.#collected.length
      if (this.#storing !== null) return
      if (isOld) this.#group.sendAll()
      else if (isQuiet) this.#send()
    }, this.#limits.quietMs)
  }

  #clear(): void {
    if (this.#timer !== null) clearInterval(this.#timer)
    this.#timer = null
    if (this.#newestTimer !== null) clearTimeout(this.#newestTimer)
    this.#newestTimer = null
    this.#isDue = false
    this.#isFull = false
    this.#collected = []
    this.#group.clear(this.#sendTogether)
    this.#quietTicks = 0
    this.#collectedAtTick = 0
  }

  #throwFailure(): void {
    if (this.#failure !== null) throw this.#failure.error
  }
}
