// Entries of pools, their share tokens, their gauges and the tokens that both hold, beside instances: which state entry each is.

import type { KeyedRecord } from '@orrery/fold-kit'
import type { Address, ContractId } from '@orrery/ledger'
import { readGaugeUserKey } from '../chain/gauge-entries.ts'
import { readPoolKey } from '../chain/pool-entries.ts'
import { readShareKey } from '../chain/share-entries.ts'
import { balance, gaugeBalance } from '../state/balance.ts'
import { gaugeUser } from '../state/gauge.ts'
import { range, user } from '../state/range.ts'
import { optedIn, reward, workingBalance } from '../state/rewards.ts'
import { nextShares, shares } from '../state/shares.ts'
import type { PoolState } from '../state/state.ts'
import { ticks } from '../state/ticks.ts'
import type { ApplyingRecords } from './applying-records.ts'

/** Entries of one user each. */
const OF_USER = { UserRewardData: reward, WorkingBalance: workingBalance, UserRewardsState: optedIn, User: user }

export function applyPoolEntry({ pool: contract, instance }: PoolState, record: KeyedRecord, context: ApplyingRecords): void {
  const key = readPoolKey(record.key)
  switch (key?.name) {
    case 'Position': {
      const [owner, lower, upper] = key.values
      range.apply(record, { contract, owner, lower: `${lower}`, upper: `${upper}` }, context)
      return
    }
    case 'UserRewardData':
    case 'WorkingBalance':
    case 'UserRewardsState':
    case 'User':
      OF_USER[key.name].apply(record, { contract, owner: key.values[0] }, context)
      return
    case 'TickChunk':
      ticks.apply(record, { contract, chunk: `${key.values[0]}` }, context)
      return
    case undefined:
      // A pool of an unknown layout has unknown keys: its instance was counted once.
      if (instance?.value.layout !== 'other') context.journal.notice(contract, 'entry', 'unknown key of a pool')
  }
}

export function applyGaugeEntry({ pool: contract }: PoolState, record: KeyedRecord, context: ApplyingRecords): void {
  const owner = readGaugeUserKey(record.key)
  if (owner === null) context.journal.notice(record.contract, 'entry', 'unknown key of a gauge')
  else gaugeUser.apply(record, { contract, owner, gauge: record.contract }, context)
}

export function applyShareEntry(pool: PoolState, record: KeyedRecord, context: ApplyingRecords): void {
  const key = readShareKey(record.key)
  if (key === null) context.journal.notice(record.contract, 'entry', 'unknown key of a share token')
  if (key?.name !== 'Balance') return
  const at = { contract: pool.pool, owner: key.values[0] }
  const instance = pool.instance?.value
  // Of two share tokens that a pool has had, the one that its instance names counts; the next one waits, and the last one is no longer used.
  if (instance?.nextShareToken === record.contract) nextShares.apply(record, at, context)
  if (instance !== undefined && instance.shareToken !== '' && instance.shareToken !== record.contract) return
  shares.apply(record, at, context)
}

/** What a pool or a gauge holds of a token. */
export function applyBalance(holder: Address, record: KeyedRecord, context: ApplyingRecords): void {
  const { directory } = context
  const token = record.contract
  const pool = directory.pool(holder)
  const gaugePool = pool === undefined ? directory.poolOfGauge(holder) : undefined
  if (pool?.owned && holdsToken(pool, token)) balance.apply(record, { contract: holder, token }, context)
  if (gaugePool?.owned && gaugePool.gauges.get(holder)?.value.rewardToken === token)
    gaugeBalance.apply(record, { contract: gaugePool.pool, gauge: holder }, context)
}

function holdsToken({ tokens, instance }: PoolState, token: ContractId): boolean {
  return tokens.includes(token) || instance?.value.rewards.token === token
}
