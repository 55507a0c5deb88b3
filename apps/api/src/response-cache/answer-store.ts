// Storage of cached answers: in memory for one process, in Redis for several. Small and short-lived, because every answer can be computed again.

import type { Redis } from '@orrery/identity'
import { LRUCache } from 'lru-cache'
import { type PackedAnswer, pack, unpack } from './packed-answer.ts'
import type { WrittenAnswer } from './written-answer.ts'

/** Answers by key. */
export interface AnswerStore {
  /** Null: there is none. Rejects where the store fails or has something else. */
  get(key: string): Promise<WrittenAnswer | null>
  set(key: string, answer: WrittenAnswer): Promise<void>
  /** Whether the store responds. Never rejects. */
  answers(): Promise<boolean>
}

/** In bytes; large answers are compressed. */
const MEMORY_LENGTH = 32 * 1024 * 1024
/** A larger answer is rarely requested twice, and would evict many others. Compressed, it has about ten times as much text. */
const ANSWER_LENGTH = 1024 * 1024
/** Keys cover everything that an answer depends on, so an old answer is never read again: the expiry only frees space. */
const KEPT_SECONDS = 30

/** About what the facts of an answer take. */
const FACTS_LENGTH = 1024

export function memoryStore(): AnswerStore {
  const lengthOf = ({ data, enrichment }: PackedAnswer): number => data.length + enrichment.length + FACTS_LENGTH
  const kept = new LRUCache<string, PackedAnswer>({ maxSize: MEMORY_LENGTH, sizeCalculation: lengthOf })
  return {
    async get(key) {
      const packed = kept.get(key)
      return packed === undefined ? null : unpack(packed)
    },
    async set(key, answer) {
      const packed = await pack(answer)
      if (lengthOf(packed) <= ANSWER_LENGTH) kept.set(key, packed)
    },
    answers: async () => true,
  }
}

/** As JSON. */
type StoredAnswer = Omit<PackedAnswer, 'data' | 'enrichment' | 'isCompressed'> & {
  readonly data: string | { readonly zstd: string }
  readonly enrichment: string
}

/** Rejects at once while Redis is unreachable. */
export function redisStore(redis: Redis): AnswerStore {
  return {
    async get(key) {
      const text = await redis.get(`orrery:answers:${key}`)
      if (text === null) return null
      const { data, ...answer } = JSON.parse(text) as StoredAnswer
      if (typeof data === 'string') return { ...answer, data }
      return unpack({ ...answer, data: Buffer.from(data.zstd, 'base64'), enrichment: Buffer.from(answer.enrichment), isCompressed: true })
    },
    async set(key, answer) {
      const { data, enrichment, isCompressed, ...packed } = await pack(answer)
      const texts = { data: isCompressed ? { zstd: data.toString('base64') } : data.toString(), enrichment: enrichment.toString() }
      const stored: StoredAnswer = { ...packed, ...texts }
      const text = JSON.stringify(stored)
      if (text.length <= ANSWER_LENGTH) await redis.set(`orrery:answers:${key}`, text, 'EX', KEPT_SECONDS)
    },
    answers: () =>
      redis.ping().then(
        () => true,
        () => false,
      ),
  }
}
