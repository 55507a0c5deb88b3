// Where answers are kept: in memory for one process, in Redis for several. Small and forgetful on purpose: everything in it can be computed anew.

import type { Redis } from '@orrery/identity'
import { LRUCache } from 'lru-cache'

/** Texts by key. */
export interface AnswerStore {
  get(key: string): Promise<string | null>
  set(key: string, text: string): Promise<void>
  /** Whether it can be asked. Never rejects. */
  answers(): Promise<boolean>
}

/** UTF-16 units, so about twice as many bytes. */
const MEMORY_LENGTH = 32 * 1024 * 1024
/** An answer that large is rarely asked for twice, and would push out many. */
const ANSWER_LENGTH = 1024 * 1024
/** Keys name everything that an answer depends on, so an old one is never asked for: this only makes room. */
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

/** Rejects at once while Redis is away. */
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
