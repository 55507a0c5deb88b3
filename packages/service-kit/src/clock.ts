// Time as an argument. Shells ask a Clock, folds never do; tests hand in one that stands still.

export interface Clock {
  /** Unix milliseconds. */
  nowMs(): number
}

export const systemClock: Clock = { nowMs: () => Date.now() }
