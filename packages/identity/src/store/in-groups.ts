// Writes of many callers in few transactions: SQLite syncs the disk once for each of them, and blocks the process meanwhile.

const MOST = 100

/**
 * A function that resolves when its item is written. What is given during a write goes with the next one, in the order of giving; the first
 * waits for nothing. A write that fails rejects all of its items.
 */
export function inGroups<Item, Result>(write: (items: readonly Item[]) => Promise<readonly Result[]>): (item: Item) => Promise<Result> {
  const waiting: { readonly item: Item; readonly done: PromiseWithResolvers<Result> }[] = []
  let isWriting = false

  const writeAll = async (): Promise<void> => {
    isWriting = true
    while (waiting.length > 0) {
      const group = waiting.splice(0, MOST)
      try {
        const results = await write(group.map(({ item }) => item))
        for (const [n, { done }] of group.entries()) done.resolve(results[n] as Result)
      } catch (error) {
        for (const { done } of group) done.reject(error)
      }
    }
    isWriting = false
  }

  return (item) => {
    const done = Promise.withResolvers<Result>()
    waiting.push({ item, done })
    if (!isWriting) void writeAll()
    return done.promise
  }
}
