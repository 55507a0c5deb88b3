// Storage of cached answers: in memory for one process, in Redis for several. Small and short-lived, because every answer can be computed again.

import type { Redis } from '@orrery/identity'
import { LRUCache } from 'lru-cache'
import type { WrittenAnswer } from './written-answer.ts'

/** Answers by key. */
export interface AnswerStore {
  /** Null: there is none. Rejects where the store fails or has something else. */
  get(key: string): Promise<WrittenAnswer | null>
  set(key: string, answer: WrittenAnswer): Promise<void>
  /** Whether the store responds. Never rejects. */
  answers(): Promise<boolean>
}

/** In UTF-16 units, so about twice as many bytes. */
const MEMORY_LENGTH = 32 * 1024 * 1024
/** A larger answer is rarely requested twice, and would evict many others. */
const ANSWER_LENGTH = 1024 * 1024
/** Keys cover everything that an answer depends on, so an old answer is never read again: the expiry only frees space. */
const KEPT_SECONDS = 30

/** About what the facts of an answer take. */
const FACTS_LENGTH = 1024

export function memoryStore(): AnswerStore {
  const lengthOf = ({ data, enrichment }: WrittenAnswer): number => data.length + enrichment.length + FACTS_LENGTH
  const kept = new LRUCache<string, WrittenAnswer>({ maxSize: MEMORY_LENGTH, sizeCalculation: lengthOf })
  return {
    get: async (key) => kept.get(key) ?? null,
    async set(key, answer) {
      if (lengthOf(answer) <= ANSWER_LENGTH) kept.set(key, answer)
    },
    answers: async () => true,
  }
}

/** Rejects at once while Redis is unreachable. */
export function redisStore(redis: Redis): AnswerStore {
  return {
    async get(key) {
      const text = await redis.get(`orrery:answers:${key}`)
      return text === null ? null : (JSON.parse(text) as WrittenAnswer)
    },
    async set(key, answer) {
      const text = JSON.stringify(answer)
      if (text.length <= ANSWER_LENGTH) await redis.set(`orrery:answers:${key}`, text, 'EX', KEPT_SECONDS)
    },
    answers: () =>
      redis.ping().then(
        () => true,
        () => false,
      ),
  }
}
