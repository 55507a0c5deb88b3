// Writes of many callers in few transactions: SQLite syncs the disk once for each of them, and blocks the process meanwhile.

const MOST = 100

interface Waiting<Item, Result> {
  readonly item: Item
  readonly done: PromiseWithResolvers<Result>
}

/**
 * A function that resolves when its item is written. Items of one key that are given during a write go with the next one, in the order of giving;
 * the first waits for nothing. Keys do not wait for each other. A write that fails rejects all of its items.
 */
export function inGroups<Item, Result>(
  keyOf: (item: Item) => string,
  write: (items: readonly Item[]) => Promise<readonly Result[]>,
): (item: Item) => Promise<Result> {
  /** By key, while a write of the key runs. */
  const writing = new Map<string, Waiting<Item, Result>[]>()

  const writeAll = async (key: string, waiting: Waiting<Item, Result>[]): Promise<void> => {
    while (waiting.length > 0) {
      const group = waiting.splice(0, MOST)
      try {
        const results = await write(group.map(({ item }) => item))
        for (const [n, { done }] of group.entries()) done.resolve(results[n] as Result)
      } catch (error) {
        for (const { done } of group) done.reject(error)
      }
    }
    writing.delete(key)
  }

  return (item) => {
    const one = { item, done: Promise.withResolvers<Result>() }
    const key = keyOf(item)
    const waiting = writing.get(key)
    if (waiting === undefined) {
      const first = [one]
      writing.set(key, first)
      void writeAll(key, first)
    } else waiting.push(one)
    return one.done.promise
  }
}
