// TVL of days that are over, kept for all clients: no later ledger changes it. Requests that arrive while a window is read wait for the same reading.

import type { DecimalText, ProtocolId } from '@orrery/protocol-kit'
import type { ReadModel } from '@orrery/read-model'
import { LRUCache } from 'lru-cache'

export interface DayTvl {
  /** Start of the day, unix seconds. */
  readonly start: number
  /** Ledger of the value, and its close time in unix seconds. */
  readonly ledger: number
  readonly seconds: number
  readonly tvlUsd: DecimalText
  /** An asset without a price is not in it. */
  readonly isUnpriced: boolean
}

/** Consecutive days, all of them over at the last indexed ledger. */
export interface PastDays {
  readonly protocol: ProtocolId
  /** Start of the first one, unix seconds. */
  readonly first: number
  readonly days: number
  /** The end of the last one, unix seconds. */
  readonly end: number
}

/** `isShared`: for other requests as well, so that a client that disconnects does not end the reading. */
type ReadDays = (isShared: boolean) => Promise<readonly DayTvl[]>
type Model = Pick<ReadModel, 'tip' | 'watermark'>

export interface KeptDays {
  /** What `read` would give, which only runs if the days are not kept. */
  tvl(asked: PastDays, readModel: Model, read: ReadDays): Promise<readonly DayTvl[]>
  /** Protocols with too many rows for `pool_days` in so many days, which it is not asked for again for an hour. 0 days: in any window. */
  readonly large: { has(protocol: ProtocolId, days: number): boolean; add(protocol: ProtocolId, days: number): void }
}

/** Days are read again after that time: an operator may have repaired rows. */
const KEPT_MS = 60_000
/** In all windows together; about 200 bytes each. */
const MOST_DAYS = 100_000
/** After that time the engine is asked again: another version may have fewer rows. */
const LARGE_FOR_MS = 3_600_000
const MOST_PROTOCOLS = 100

export function openKeptDays(): KeptDays {
  const windows = new LRUCache<string, Promise<readonly DayTvl[]>>({ maxSize: MOST_DAYS, ttl: KEPT_MS })
  const large = new LRUCache<ProtocolId, number>({ max: MOST_PROTOCOLS, ttl: LARGE_FOR_MS })
  return {
    large: {
      has: (protocol, days) => days >= (large.get(protocol) ?? Number.POSITIVE_INFINITY),
      add: (protocol, days) => void large.set(protocol, Math.min(days, large.get(protocol) ?? days)),
    },
    async tvl(asked, readModel, read) {
      const version = await lastingVersion(asked, readModel)
      if (version === null) return read(false)
      const { protocol, first, days } = asked
      const key = JSON.stringify([protocol, version, first, days])
      const known = windows.get(key)
      if (known !== undefined) return known
      const reading = read(true)
      windows.set(key, reading, { size: days })
      const forget = (): void => {
        if (windows.peek(key) === reading) windows.delete(key)
      }
      /** What was read while another version became active may be of either. After a failure the next request reads again. */
      const check = async (): Promise<void> => {
        await reading
        if ((await lastingVersion(asked, readModel)) !== version) forget()
      }
      check().catch(forget)
      return reading
    },
  }
}

/**
 * The active version of the protocol's adapter. Null where rows of the days are still to come: it is behind them, or those of a quarantined partition
 * are missing.
 */
async function lastingVersion({ protocol, end }: PastDays, readModel: Model): Promise<number | null> {
  const [{ adapters }, { closeTimeSeconds }] = await Promise.all([readModel.tip(), readModel.watermark([protocol])])
  const own = adapters.find((adapter) => adapter.protocol === protocol)
  return own === undefined || own.quarantined.length > 0 || closeTimeSeconds < end ? null : own.version
}

/** Keeps nothing. */
export const noKeptDays: KeptDays = {
  tvl: (_asked, _readModel, read) => read(false),
  large: { has: () => false, add: () => undefined },
}
