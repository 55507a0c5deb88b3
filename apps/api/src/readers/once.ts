// Functions of a key that compute each value once.

export function once<Key, Value>(compute: (key: Key) => Value): (key: Key) => Value {
  const known = new Map<Key, { readonly value: Value }>()
  return (key) => {
    const found = known.get(key) ?? { value: compute(key) }
    known.set(key, found)
    return found.value
  }
}

/**
 * `read` for lists of keys, which reads each key once: callers at the same time wait for the same reading. A key without a value has none in the
 * result. After a failure the keys are read again.
 */
export function eachOnce<Key, Value>(
  read: (keys: readonly Key[]) => Promise<ReadonlyMap<Key, Value>>,
): (keys: readonly Key[]) => Promise<ReadonlyMap<Key, Value>> {
  const known = new Map<Key, Promise<ReadonlyMap<Key, Value>>>()
  return async (keys) => {
    const unread = keys.filter((key) => !known.has(key))
    if (unread.length > 0) {
      const reading = read(unread)
      for (const key of unread) known.set(key, reading)
      reading.catch(() => {
        for (const key of unread) known.delete(key)
      })
    }
    const found = await Promise.all(keys.map(async (key) => ({ key, values: await known.get(key) })))
    return new Map(found.flatMap(({ key, values }) => (values?.has(key) ? [[key, values.get(key) as Value] as const] : [])))
  }
}
