// Rewards by checkpoint, summed up. The pool stores the increment of each checkpoint in pages and a user's reward is a sum over the
// checkpoints since the user's last one, so only the sum of all increments is remembered, then and now.

import { integer, object, type ValueOf } from '@orrery/fold-kit'

/** Checkpoints in a page. */
const PAGE = 100n

/** Reward for one unit of working balance over all checkpoints that the index has seen, scale 10^22. Only differences mean something. */
export const rewardIndexValue = object({
  total: integer,
  /** The newest page, and the part of `total` that is in it. */
  page: integer,
  pageSum: integer,
})
export type RewardIndex = ValueOf<typeof rewardIndexValue>

/** Pages of one pool that a ledger changed, as they are at its end. */
export class RewardPages {
  readonly #cells = new Map<bigint, readonly bigint[]>()

  put(page: bigint, cells: readonly bigint[]): void {
    this.#cells.set(page, cells)
  }

  /** The index after these pages. A page that was known counts with what it gained, a new one as a whole. */
  after(known: RewardIndex | null): RewardIndex | null {
    let index = known
    for (const [page, cells] of [...this.#cells].sort(([a], [b]) => (a < b ? -1 : 1))) {
      const pageSum = cells.reduce((total, cell) => total + cell, 0n)
      const gained = index?.page === page ? pageSum - index.pageSum : pageSum
      index = { total: (index?.total ?? 0n) + gained, page, pageSum }
    }
    return index
  }

  /**
   * `total` as it was at checkpoint `block`, or null when that checkpoint predates the pages of this ledger. `newestBlock` null: the instance of a pool
   * that predates the index is not known yet, and so neither is the newest checkpoint.
   */
  totalAt(block: bigint, newestBlock: bigint | null, index: RewardIndex | null): bigint | null {
    // Nothing is summed up yet: of a pool without a checkpoint that is everything, of an older one its pages are not known.
    if (newestBlock !== null && block >= newestBlock) return index?.total ?? (newestBlock === 0n ? 0n : null)
    if (index === null || !this.#cells.has(block / PAGE)) return null
    let later = 0n
    for (const [page, cells] of this.#cells) {
      for (const [place, cell] of cells.entries()) if (page * PAGE + BigInt(place) > block) later += cell
    }
    return index.total - later
  }
}
