// When keys were last used: noted in memory, written in batches, for each key at most once a minute. A write for every request would make
// each read wait for the disk.

import { LRUCache } from 'lru-cache'
import type { Identity } from './identity.ts'

export interface UseNotesOptions {
  /** How long a use may wait to be written with others. Default one second. */
  readonly writeWithinMs?: number
  /** Told when a batch could not be written. It is lost: the next use of each key, after its minute, is written again. */
  readonly onUnwritten?: (cause: unknown) => void
}

export interface UseNotes extends AsyncDisposable {
  /** `lastUsedAtMs`: what the database said last. Unix milliseconds. */
  note(apiKeyId: string, lastUsedAtMs: number | null, nowMs: number): void
  /** Writes what is noted, and waits for what is being written. */
  write(): Promise<void>
}

const NOTED_EVERY_MS = 60_000
/** Keys whose last note is remembered. */
const KEYS = 10_000

export function openUseNotes(identity: Pick<Identity, 'noteUses'>, options: UseNotesOptions): UseNotes {
  const { writeWithinMs = 1_000, onUnwritten = () => undefined } = options
  const notedAtMs = new LRUCache<string, number>({ max: KEYS })
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
      for (const [second, ids] of batch) await identity.noteUses(ids, second * 1000).catch(onUnwritten)
    })
    return writing
  }

  return {
    note(apiKeyId, lastUsedAtMs, nowMs) {
      const last = Math.max(notedAtMs.get(apiKeyId) ?? 0, lastUsedAtMs ?? 0)
      if (nowMs - last < NOTED_EVERY_MS) return
      notedAtMs.set(apiKeyId, nowMs)
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
