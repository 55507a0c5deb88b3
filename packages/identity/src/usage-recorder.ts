// Counts requests and their cost: in memory, written in batches. A write for every request would make each read wait for the disk.

import type { DayUsage, Identity, UsageCount } from './identity.ts'
import { utcDayOf } from './utc-day.ts'

/** The caller of a request, whose organization and key it counts for. */
export interface UsageOf {
  readonly organizationId: string
  /** Undefined for an access token. */
  readonly apiKeyId?: string
}

export interface UsageRecorder extends AsyncDisposable {
  /** Only counts in memory. `cost`: units of the rate limit. */
  add(of: UsageOf, count: { readonly requests: number; readonly cost: number }): void
  /**
   * The current UTC day, with all requests of this process. Those of other processes are included up to their last batch.
   * Rejects when the database is not reachable.
   */
  today(organizationId: string): Promise<DayUsage>
}

export interface UsageRecorderOptions {
  readonly identity: Pick<Identity, 'addUsage' | 'usageOfDay'>
  /** Unix milliseconds. */
  readonly now: () => number
  /** How long a request may wait to be written with others. Default five seconds. */
  readonly writeWithinMs?: number
  /** Called when a batch could not be written. Its counts stay in memory and are written with the next batch. */
  readonly onUnwritten?: (cause: unknown) => void
}

interface Sums {
  requests: number
  cost: number
}

/** A process that is killed loses the counts of the last `writeWithinMs`. */
export function openUsageRecorder({
  identity,
  now,
  writeWithinMs = 5_000,
  onUnwritten = () => undefined,
}: UsageRecorderOptions): UsageRecorder {
  /** By day, organization and key. */
  let waiting = new Map<string, UsageCount & Sums>()
  let timer: NodeJS.Timeout | undefined
  let writing: Promise<unknown> = Promise.resolve()

  const count = ({ day, organizationId, apiKeyId, requests, cost }: UsageCount): void => {
    // Ids and days contain no space.
    const name = `${day} ${organizationId} ${apiKeyId}`
    const sums = waiting.get(name)
    if (sums === undefined) waiting.set(name, { day, organizationId, apiKeyId, requests, cost })
    else {
      sums.requests += requests
      sums.cost += cost
    }
    timer ??= setTimeout(() => void write().catch(onUnwritten), writeWithinMs).unref()
  }

  const write = (): Promise<void> => {
    clearTimeout(timer)
    timer = undefined
    const batch = waiting
    waiting = new Map()
    const counts = [...batch.values()]
    const written = writing
      .then(() => identity.addUsage(counts))
      .catch((cause: unknown) => {
        for (const one of counts) count(one)
        throw cause
      })
    writing = written.catch(() => undefined)
    return written
  }

  return {
    add: ({ organizationId, apiKeyId = null }, sums) => count({ day: utcDayOf(now()), organizationId, apiKeyId, ...sums }),
    async today(organizationId) {
      await write()
      return identity.usageOfDay(organizationId, utcDayOf(now()))
    },
    async [Symbol.asyncDispose]() {
      await write().catch(onUnwritten)
      clearTimeout(timer)
    },
  }
}
