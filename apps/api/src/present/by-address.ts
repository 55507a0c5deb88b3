// Lists in `/v1` are sorted by address as plain text, not in the order that a contract keeps.

/** Items with the same address keep their order. */
export function byAddress<T>(items: readonly T[], addressOf: (item: T) => string): T[] {
  return [...items].sort((a, b) => compareText(addressOf(a), addressOf(b)))
}

function compareText(a: string, b: string): number {
  return a === b ? 0 : a < b ? -1 : 1
}
