// Records of one pool: its instance with the contracts that it names, its pages of rewards, its entries, and those of its share tokens, its gauges
// and the tokens that both hold.

import { getOrMake, type KeyedRecord } from '@orrery/fold-kit'
import type { Address, ContractId } from '@orrery/ledger'
import { readGaugeUserKey } from '../chain/gauge-entries.ts'
import { changesShareToken, readPoolContracts } from '../chain/pool-contracts.ts'
import { readPoolKey, readRewardPage, rewardPageOf } from '../chain/pool-entries.ts'
import type { PoolInstance } from '../chain/pool-instance.ts'
import { readShareKey } from '../chain/share-entries.ts'
import { RewardPages } from '../math/reward-index.ts'
import { balance, gaugeBalance } from '../state/balance.ts'
import { gaugeUser } from '../state/gauge.ts'
import { pool as poolEntry } from '../state/pool.ts'
import { range, user } from '../state/range.ts'
import { optedIn, reward, rewardIndex, workingBalance } from '../state/rewards.ts'
import { nextShares, shares } from '../state/shares.ts'
import type { PoolState } from '../state/state.ts'
import { ticks } from '../state/ticks.ts'
import type { ApplyingRecords } from './applying-records.ts'
import { endExchange, hasShareToken, knowsShareTokens, learnShareTokens } from './share-tokens.ts'

export function applyPoolInstance(record: KeyedRecord, context: ApplyingRecords): void {
  const { state, directory } = context
  const pool = directory.pool(record.contract)
  if (pool === undefined) return
  // Another partition's pool: its entry came because it is new, has new shares, or is a price pool.
  if (!pool.owned || pool.tokens.length === 0) learnContracts(pool, record, context)
  if (!pool.owned) return
  const before = pool.instance?.value
  const outcome = poolEntry.apply(record, { contract: pool.pool }, context)
  const instance = pool.instance?.value
  if (instance === undefined) return
  if (!knowsShareTokens(instance, state)) learnContracts(pool, record, context)
  if (outcome.kind !== 'changed') return
  if (outcome.before !== null && outcome.before.nextShareToken !== instance.nextShareToken) endExchange(pool, outcome.before, context)
  if (instance.code !== before?.code || instance.layout !== before.layout) noticeBuild(pool, instance, context)
}

function noticeBuild({ pool }: PoolState, { layout, isKnownBuild, code }: PoolInstance, { journal }: ApplyingRecords): void {
  if (layout === 'other') journal.notice(pool, 'entry', 'storage of a kind that we cannot read')
  else if (!isKnownBuild) journal.notice(pool, 'entry', `code ${code.slice(0, 8)} is not a build that we know`)
}

/** Which tokens a pool has, and whose shares a token counts. Every partition knows all of it, where the record was shared. */
function learnContracts(pool: PoolState, record: KeyedRecord, context: ApplyingRecords): void {
  const isShared = changesShareToken(record)
  if (record.kind !== 'entry' || record.value === null || !(isShared || pool.owned)) return
  const contracts = readPoolContracts(record.value, pool.pool)
  if (pool.tokens.length === 0) pool.tokens = contracts.tokens
  const isBootstrap = record.change === 'bootstrap'
  // A bootstrap entry is younger than the ledger: it fills what is unknown, and never overwrites.
  if (isBootstrap && hasShareToken(pool, context.state)) return
  learnShareTokens(pool, contracts, context, { isInferred: isBootstrap, isShared })
}

/** Sums up pages of rewards for the pool, and keeps them for the ledger so that its users can be summed up with them. */
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
