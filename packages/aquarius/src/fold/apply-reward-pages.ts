// Pages of rewards by checkpoint: summed up for the pool, and kept for the ledger so that its users can be summed up with them.

import type { KeyedRecord } from '@orrery/fold-kit'
import { readRewardPage, rewardPageOf } from '../chain/pool-entries.ts'
import { RewardPages } from '../math/reward-index.ts'
import { getOrMake } from '../state/get-or-make.ts'
import { rewardIndex } from '../state/rewards.ts'
import type { ApplyingRecords } from './applying-records.ts'

export function applyRewardPages(records: readonly KeyedRecord[], context: ApplyingRecords): void {
  const { directory, journal } = context
  const { rewardPages } = context.changes
  for (const record of records) {
    const pool = directory.pool(record.contract)
    const page = rewardPageOf(record.key)
    // A longer TTL changes nothing: the sum is a fact that does not expire.
    if (!pool?.owned || page === null || record.kind !== 'entry') continue
    if (record.change === 'bootstrap' && record.before === null) continue // written since: its next change brings what it holds now
    const before = record.before === null ? [] : readRewardPage(record.before)
    const now = record.change === 'bootstrap' ? before : record.value === null ? null : readRewardPage(record.value)
    if (before === null || now === null) {
      journal.notice(pool.pool, 'entry', 'unreadable page of rewards')
      continue
    }
    getOrMake(rewardPages, pool, () => new RewardPages()).put(page, now)
  }
  for (const [pool, pages] of rewardPages) {
    const index = pages.after(pool.rewardIndex)
    if (index !== null) rewardIndex.write(context, { contract: pool.pool }, index)
  }
}
