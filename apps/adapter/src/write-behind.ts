// Collects the output of a loop and stores it while the loop continues: one batch is being stored, one is being collected.
// So batches are stored in the order of the loop, and storing batch n overlaps collecting batch n + 1.
// A failed batch is final: every later call throws the same error, and no later batch is stored.

export interface BatchLimits {
  /** A batch of this weight is stored at once, and adding waits while the one before it is being stored. */
  readonly maxWeight: number
  /** A batch older than this is stored, full or not. */
  readonly maxAgeMs: number
  /** A batch that has not grown for this long is stored, as at the tip of the log; not while `isWritingHistory`. */
  readonly quietMs: number
}

/** How long the newest ledger of the log waits before it is stored: long enough that the partitions of a process share inserts. */
const NEWEST_WAITS_MS = 20

export class WriteBehind<T> {
  readonly #store: (batch: readonly T[]) => Promise<void>
  readonly #limits: BatchLimits
  readonly #onFailure: () => void
  readonly #isWritingHistory: () => boolean
  #collected: T[] = []
  #weight = 0
  #timer: NodeJS.Timeout | null = null
  #newestTimer: NodeJS.Timeout | null = null
  /** What is collected is stored as soon as the batch before it is. */
  #isDue = false
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
  }

  /**
   * Adds to the batch being collected. Waits while that batch is full and the one before it is still being stored.
   * @param isNewest Nothing after it is known: it is stored soon, however few its rows are.
   */
  async add(item: T, weight: number, isNewest = false): Promise<void> {
    this.#throwFailure()
    this.#collected.push(item)
    this.#weight += weight
    if (this.#weight >= this.#limits.maxWeight) {
      await this.#storing
      this.#throwFailure()
      this.#send()
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
      if ((isQuiet || isOld) && this.#storing === null) this.#send()
    }, this.#limits.quietMs)
  }

  #clear(): void {
    if (this.#timer !== null) clearInterval(this.#timer)
    this.#timer = null
    if (this.#newestTimer !== null) clearTimeout(this.#newestTimer)
    this.#newestTimer = null
    this.#isDue = false
    this.#collected = []
    this.#weight = 0
    this.#quietTicks = 0
    this.#collectedAtTick = 0
  }

  #throwFailure(): void {
    if (this.#failure !== null) throw this.#failure.error
  }
}
