// Storage of cached answers: in memory for one process, in Redis for several. Small and short-lived, because every answer can be computed again.

import type { Redis } from '@orrery/identity'
import { LRUCache } from 'lru-cache'

/** Texts by key. */
export interface AnswerStore {
  get(key: string): Promise<string | null>
  set(key: string, text: string): Promise<void>
  /** Whether the store responds. Never rejects. */
  answers(): Promise<boolean>
}

/** In UTF-16 units, so about twice as many bytes. */
const MEMORY_LENGTH = 32 * 1024 * 1024
/** A larger answer is rarely requested twice, and would evict many others. */
const ANSWER_LENGTH = 1024 * 1024
/** Keys cover everything that an answer depends on, so an old answer is never read again: the expiry only frees space. */
const KEPT_SECONDS = 30

export function memoryStore(): AnswerStore {
  const kept = new LRUCache<string, string>({ maxSize: MEMORY_LENGTH, sizeCalculation: (text, key) => text.length + key.length })
  return {
    get: async (key) => kept.get(key) ?? null,
    async set(key, text) {
      if (text.length <= ANSWER_LENGTH) kept.set(key, text)
    },
    answers: async () => true,
  }
}

/** Rejects at once while Redis is unreachable. */
export function redisStore(redis: Redis): AnswerStore {
  return {
    get: (key) => redis.get(`orrery:answers:${key}`),
    async set(key, text) {
      if (text.length <= ANSWER_LENGTH) await redis.set(`orrery:answers:${key}`, text, 'EX', KEPT_SECONDS)
    },
    answers: () =>
      redis.ping().then(
        () => true,
        () => false,
      ),
  }
}
