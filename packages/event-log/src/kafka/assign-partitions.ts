// Who gets which partitions: as even as can be, and whoever has one keeps it where that is fair, because its state is loaded there.

export interface Member {
  readonly id: string
  /** Partitions that it had until now. Two members may claim the same one: a member that was away does not know better. */
  readonly had: readonly number[]
}

/** Every partition of 0 to `partitions` - 1 goes to exactly one member; no member gets two more than another. The same for any order of members. */
export function assignPartitions(members: readonly Member[], partitions: number): ReadonlyMap<string, readonly number[]> {
  const sorted = members.toSorted((a, b) => (a.id < b.id ? -1 : 1))
  const least = Math.floor(partitions / sorted.length)
  let larger = partitions % sorted.length // so many members get one more than the least
  const free = new Set(Array.from({ length: partitions }, (_, partition) => partition))
  const shares = new Map<string, number[]>()
  // Whoever had most keeps most: the larger shares go to those who can fill them.
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
