// The order of the wire: by address as plain text, whatever order a contract keeps.

/** What has the same address keeps its order. */
export function byAddress<T>(items: readonly T[], addressOf: (item: T) => string): T[] {
  return [...items].sort((a, b) => compareText(addressOf(a), addressOf(b)))
}

function compareText(a: string, b: string): number {
  return a === b ? 0 : a < b ? -1 : 1
}
