// The instance of a pool: its value, the contracts that it names, and what an exchange of its share token ends with.

import type { KeyedRecord } from '@orrery/fold-kit'
import { changesShareToken, readPoolContracts } from '../chain/pool-contracts.ts'
import type { PoolInstance } from '../chain/pool-instance.ts'
import { pool as entry } from '../state/pool.ts'
import type { PoolState } from '../state/state.ts'
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
  const outcome = entry.apply(record, { contract: pool.pool }, context)
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
