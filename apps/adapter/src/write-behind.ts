// Gathers what a loop makes and stores it while the loop goes on: one batch on its way, one being gathered, never two on their way.
// So the order of batches is the order of the loop, and storing batch n overlaps making batch n + 1.
// A failed batch is final: everything after it throws the same error, and nothing behind it is stored.

export interface BatchLimits {
  /** A batch of this weight is stored at once, and adding waits while one before it is on its way. */
  readonly maxWeight: number
  /** A batch older than this is stored, full or not. */
  readonly maxAgeMs: number
  /** A batch that has not grown for this long is stored: at the tip of the log nothing more is coming. */
  readonly quietMs: number
}

export class WriteBehind<T> {
  readonly #store: (batch: readonly T[]) => Promise<void>
  readonly #limits: BatchLimits
  readonly #onFailure: () => void
  #gathered: T[] = []
  #weight = 0
  #timer: NodeJS.Timeout | null = null
  #quietTicks = 0
  #gatheredAtTick = 0
  #onItsWay: Promise<void> | null = null
  #failure: { readonly error: unknown } | null = null

  /** `onFailure` tells a loop that waits for news elsewhere; the error itself is thrown by `add` and `drain`. */
  constructor(store: (batch: readonly T[]) => Promise<void>, limits: BatchLimits, onFailure: () => void) {
    this.#store = store
    this.#limits = limits
    this.#onFailure = onFailure
  }

  /** Adds to the batch being gathered. Waits while that batch is full and the one before it is still on its way. */
  async add(item: T, weight: number): Promise<void> {
    this.#throwFailure()
    this.#gathered.push(item)
    this.#weight += weight
    if (this.#weight >= this.#limits.maxWeight) {
      await this.#onItsWay
      this.#throwFailure()
      this.#send()
    } else {
      this.#timer ??= this.#startTimer()
    }
  }

  /** Resolves when everything added is stored. */
  async drain(): Promise<void> {
    await this.#onItsWay
    this.#throwFailure()
    this.#send()
    await this.#onItsWay
    this.#throwFailure()
  }

  /** Forgets what is gathered and waits for what is on its way, however that ends: the caller has another error to tell. */
  async abandon(): Promise<void> {
    this.#clear()
    await this.#onItsWay
  }

  #send(): void {
    const batch = this.#gathered
    this.#clear()
    if (batch.length === 0) return
    this.#onItsWay = this.#store(batch)
      .catch((error: unknown) => {
        this.#failure = { error }
        this.#clear()
        this.#onFailure()
      })
      .finally(() => {
        this.#onItsWay = null
      })
  }

  // One timer for both limits: it ticks once a quiet time and sees whether the batch grew since the tick before.
  #startTimer(): NodeJS.Timeout {
    return setInterval(() => {
      this.#quietTicks++
      const isQuiet = this.#gathered.length === this.#gatheredAtTick
      const isOld = this.#quietTicks * this.#limits.quietMs >= this.#limits.maxAgeMs
      this.#gatheredAtTick = this.#gathered.length
      if ((isQuiet || isOld) && this.#onItsWay === null) this.#send()
    }, this.#limits.quietMs)
  }

  #clear(): void {
    if (this.#timer !== null) clearInterval(this.#timer)
    this.#timer = null
    this.#gathered = []
    this.#weight = 0
    this.#quietTicks = 0
    this.#gatheredAtTick = 0
  }

  #throwFailure(): void {
    if (this.#failure !== null) throw this.#failure.error
  }
}
