// Records when keys were last used: collected in memory, written in batches, for each key at most once a minute. A write for every request
// would make each read wait for the disk.

import { LRUCache } from 'lru-cache'
import type { Identity } from './identity.ts'

export interface LastUsedRecorderOptions {
  /** How long a use may wait to be written with others. Default one second. */
  readonly writeWithinMs?: number
  /** Called when a batch could not be written. It is lost; the next use of each key, after its minute, is written. */
  readonly onUnwritten?: (cause: unknown) => void
}

export interface LastUsedRecorder extends AsyncDisposable {
  /** `lastUsedAtMs`: the value in the database. Unix milliseconds. */
  record(apiKeyId: string, lastUsedAtMs: number | null, nowMs: number): void
  /** Writes the collected uses, and waits for writes under way. */
  write(): Promise<void>
}

const RECORD_INTERVAL_MS = 60_000
/** Keys whose last recorded use is in memory. */
const KEYS = 10_000

export function openLastUsedRecorder(identity: Pick<Identity, 'recordUses'>, options: LastUsedRecorderOptions): LastUsedRecorder {
  const { writeWithinMs = 1_000, onUnwritten = () => undefined } = options
  const recordedAtMs = new LRUCache<string, number>({ maxSize: KEYS, sizeCalculation: () => 1 })
  /** Ids by the second of their use. */
  let waiting = new Map<number, string[]>()
  let timer: NodeJS.Timeout | undefined
  let writing = Promise.resolve()

  const write = (): Promise<void> => {
    clearTimeout(timer)
    timer = undefined
    const batch = waiting
    waiting = new Map()
    writing = writing.then(async () => {
      for (const [second, ids] of batch) await identity.recordUses(ids, second * 1000).catch(onUnwritten)
    })
    return writing
  }

  return {
    record(apiKeyId, lastUsedAtMs, nowMs) {
      const last = Math.max(recordedAtMs.get(apiKeyId) ?? 0, lastUsedAtMs ?? 0)
      if (nowMs - last < RECORD_INTERVAL_MS) return
      recordedAtMs.set(apiKeyId, nowMs)
      const second = Math.floor(nowMs / 1000)
      const ids = waiting.get(second)
      if (ids === undefined) waiting.set(second, [apiKeyId])
      else ids.push(apiKeyId)
      timer ??= setTimeout(write, writeWithinMs).unref()
    },
    write,
    [Symbol.asyncDispose]: write,
  }
}
