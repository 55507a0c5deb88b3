// Backtracking over decisions that only their result can judge: the first option at each decision first, then all others in turn.

/** Enough for any order of a few calls, and a bound on the work for one operation. */
const ATTEMPTS = 64

export class BacktrackingChoices {
  readonly #made: { readonly option: number; readonly of: number }[] = []
  #at = 0
  #attempts = 1

  /** Which of `of` options this attempt takes at the next decision. */
  take(of: number): number {
    if (of <= 1) return 0
    const made = this.#made[this.#at++]
    if (made === undefined) this.#made.push({ option: 0, of })
    return made?.option ?? 0
  }

  /** To the next attempt, which differs from this one as late as it can. False after the last. */
  next(): boolean {
    this.#at = 0
    if (this.#attempts++ >= ATTEMPTS) return false
    for (let last = this.#made.pop(); last !== undefined; last = this.#made.pop()) {
      if (last.option + 1 >= last.of) continue
      this.#made.push({ ...last, option: last.option + 1 })
      return true
    }
    return false
  }
}
