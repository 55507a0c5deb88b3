// Decisions that nothing but their outcome judges: made the first way at first, and then, one after the other, in every other way.

/** Enough for any order of a handful of calls, and no more work than an operation is worth. */
const ATTEMPTS = 64

export class Choices {
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
