// Time as an argument: processes use a clock, folds never do, and tests pass one that they control.

export interface Clock {
  /** Unix milliseconds. */
  nowMs(): number
}

export const systemClock: Clock = { nowMs: () => Date.now() }
