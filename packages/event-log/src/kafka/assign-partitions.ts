// Assigns partitions to members as evenly as possible. A member keeps a partition where that is fair, because it has loaded its state.

export interface Member {
  readonly id: string
  /** Partitions that it had until now. Two members may claim the same one: a member whose session expired may not know that yet. */
  readonly had: readonly number[]
}

/** Assigns every partition of 0 to `partitions` - 1 to exactly one member; no member gets two more than another. Independent of the order of members. */
export function assignPartitions(members: readonly Member[], partitions: number): ReadonlyMap<string, readonly number[]> {
  const sorted = members.toSorted((a, b) => (a.id < b.id ? -1 : 1))
  const least = Math.floor(partitions / sorted.length)
  let larger = partitions % sorted.length // this number of members gets one more than the others
  const free = new Set(Array.from({ length: partitions }, (_, partition) => partition))
  const shares = new Map<string, number[]>()
  // The larger shares go to the members that had the most partitions.
  for (const { id, had } of sorted.toSorted((a, b) => b.had.length - a.had.length)) {
    const size = had.length > least && larger > 0 ? least + 1 : least
    const kept = had.filter((partition) => free.has(partition)).slice(0, size)
    if (kept.length > least) larger--
    for (const partition of kept) free.delete(partition)
    shares.set(id, kept)
  }
  for (const { id } of sorted) {
    const share = shares.get(id) ?? []
    for (const partition of free) {
      if (share.length >= least + (larger > 0 ? 1 : 0)) break
      if (share.length === least) larger--
      share.push(partition)
      free.delete(partition)
    }
    share.sort((a, b) => a - b)
  }
  return shares
}
