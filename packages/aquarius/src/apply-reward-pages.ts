// Pages of rewards by checkpoint: summed up for the pool, and kept for the ledger so that its users can be summed up with them.

import type { KeyedRecord } from '@orrery/fold-kit'
import type { Applying } from './apply-records.ts'
import { encode } from './encode.ts'
import { readPoolKey, readRewardPage } from './pool-entries.ts'
import { RewardPages } from './reward-index.ts'
import type { PoolState } from './state.ts'
import { stateKey } from './state-keys.ts'

export function applyRewardPages(records: readonly KeyedRecord[], { directory, journal, rewardPages }: Applying): void {
  const earlier = new Map<PoolState, Map<bigint, readonly bigint[]>>()
  for (const record of records) {
    const pool = directory.pool(record.contract)
    const key = readPoolKey(record.key)
    // Higher powers hold sums of these. A longer life says nothing: the sum is a fact that does not expire.
    if (!pool?.owned || key.kind !== 'reward_page' || key.power !== 0 || record.kind !== 'entry') continue
    if (record.change === 'bootstrap' && record.before === null) continue // written since: its next change brings what it holds now
    const before = record.before === null ? [] : readRewardPage(record.before)
    const now = record.change === 'bootstrap' ? before : record.value === null ? null : readRewardPage(record.value)
    if (before === null || now === null) {
      journal.notice(pool.pool, 'entry', 'unreadable page of rewards')
      continue
    }
    const ofPool = earlier.get(pool) ?? new Map<bigint, readonly bigint[]>()
    earlier.set(pool, ofPool)
    if (!ofPool.has(key.page)) ofPool.set(key.page, before)
    const pages = rewardPages.get(pool) ?? new RewardPages()
    rewardPages.set(pool, pages)
    pages.put(key.page, now)
  }
  for (const [pool, pages] of rewardPages) {
    const index = pages.after(pool.rewardIndex, (page) => earlier.get(pool)?.get(page) ?? [])
    if (index === null) continue
    pool.rewardIndex = index
    journal.write({ contract: pool.pool, key: stateKey.rewardIndex, value: encode.rewardIndex(index), durability: 'fact' })
  }
}
