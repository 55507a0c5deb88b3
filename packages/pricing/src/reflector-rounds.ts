// The newest price rounds of a Reflector feed, in a ring: those that `lastprice` and the look-back of an aggregator can read.
// The ring is divided by time, not by rounds, so that it has the same few keys whatever the feed's resolution is, and
// a feed of ten years has no more rows to load than a feed of three hours.

/** Prices of one update. */
export interface Round {
  readonly timestampMs: number
  /** Live-until ledger of its temporary entry, 0 if unknown. */
  liveUntil: number
  /** Written in the form of code before v6: one entry per asset. */
  legacy: boolean
  /** Written in the form of v6: one entry per round. */
  update: boolean
  /** By index of the feed's assets; null if the update has no price of the asset. */
  prices: (bigint | null)[]
}

interface Window {
  readonly number: number
  readonly rounds: Map<number, Round>
}

const WINDOW_MS = 300_000
/**
 * 32 windows of 5 minutes: 2 h 40 min. An aggregator looks back at most twice its maximum age (to a price, and from there
 * to an older one to compare with), which its constructor bounds at an hour: oracle-aggregator, src/{contract,price_data}.rs.
 */
const WINDOWS = 32

export class ReflectorRounds {
  readonly #ring: (Window | undefined)[] = new Array(WINDOWS)

  static keys(): string[] {
    return Array.from({ length: WINDOWS }, (_, slot) => keyOf(slot))
  }

  get(timestampMs: number): Round | null {
    const number = Math.floor(timestampMs / WINDOW_MS)
    const window = this.#ring[number % WINDOWS]
    return window?.number === number ? (window.rounds.get(timestampMs) ?? null) : null
  }

  /** The round of that time, created if it is new. Null if it is older than the ring. */
  open(timestampMs: number): Round | null {
    const number = Math.floor(timestampMs / WINDOW_MS)
    const slot = number % WINDOWS
    let window = this.#ring[slot]
    if (window === undefined || window.number < number) window = this.#ring[slot] = { number, rounds: new Map() }
    if (window.number > number) return null
    let round = window.rounds.get(timestampMs)
    if (round === undefined) {
      round = { timestampMs, liveUntil: 0, legacy: false, update: false, prices: [] }
      window.rounds.set(timestampMs, round)
    }
    return round
  }

  remove(timestampMs: number): void {
    const number = Math.floor(timestampMs / WINDOW_MS)
    const window = this.#ring[number % WINDOWS]
    if (window?.number === number) window.rounds.delete(timestampMs)
  }

  /** State key of the part of the ring that contains a time. */
  keyAt(timestampMs: number): string {
    return keyOf(Math.floor(timestampMs / WINDOW_MS) % WINDOWS)
  }

  value(key: string): unknown {
    const window = this.#ring[slotOf(key)]
    if (window === undefined || window.rounds.size === 0) return null
    const rounds = [...window.rounds.values()].sort((a, b) => a.timestampMs - b.timestampMs)
    return rounds.map((round) => ({
      timestamp_ms: String(round.timestampMs),
      live_until: round.liveUntil,
      forms: [...(round.legacy ? ['legacy'] : []), ...(round.update ? ['update'] : [])],
      prices: Array.from(round.prices, (price) => (price === null || price === undefined ? null : String(price))),
    }))
  }

  restore(key: string, value: unknown): void {
    const rounds = (value as StoredRound[]).map(
      (stored): Round => ({
        timestampMs: Number(stored.timestamp_ms),
        liveUntil: stored.live_until,
        legacy: stored.forms.includes('legacy'),
        update: stored.forms.includes('update'),
        prices: stored.prices.map((price) => (price === null ? null : BigInt(price))),
      }),
    )
    const first = rounds[0]
    if (first === undefined) return
    this.#ring[slotOf(key)] = {
      number: Math.floor(first.timestampMs / WINDOW_MS),
      rounds: new Map(rounds.map((round) => [round.timestampMs, round])),
    }
  }
}

interface StoredRound {
  readonly timestamp_ms: string
  readonly live_until: number
  readonly forms: readonly string[]
  readonly prices: readonly (string | null)[]
}

const keyOf = (slot: number): string => `round:${String(slot).padStart(2, '0')}`
const slotOf = (key: string): number => Number(key.slice('round:'.length))
