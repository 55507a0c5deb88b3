// Instances of pools and gauges, and what both hold of their tokens.

import { applyTo, type EntryAccess, type KeyedRecord, readTokenBalance } from '@orrery/fold-kit'
import { type Address, type ContractId, sc, writeScVal } from '@orrery/ledger'
import type { Applying } from './apply-records.ts'
import { encode } from './encode.ts'
import { type GaugeInstance, readGaugeInstance } from './gauge-entries.ts'
import { type PoolInstance, readPoolInstance } from './pool-instance.ts'
import { namesKin, readPoolKin } from './pool-kin.ts'
import { endExchange, hasShareToken, knowsShareTokens, learnShareTokens } from './share-tokens.ts'
import { type PoolState, setInstance } from './state.ts'
import { stateKey } from './state-keys.ts'

const NO_BALANCE = writeScVal(sc.i128(0n))

export function applyPoolInstance(record: KeyedRecord, { state, journal, directory, changes }: Applying): void {
  const pool = directory.pool(record.contract)
  if (pool === undefined) return
  // Another partition's pool: its entry came because it is new, has new shares, or is a price pool.
  if (!pool.owned || pool.tokens.length === 0) learnKin(pool, record, { state, journal })
  if (!pool.owned) return
  const cell: EntryAccess<PoolInstance> = {
    row: { contract: pool.pool, key: stateKey.pool },
    get: () => pool.instance,
    set: (live, ledger) => setInstance(state, pool, live, ledger),
    read: (value) => readPoolInstance(value, pool.pool),
    encode: encode.pool,
  }
  const before = pool.instance?.value
  const outcome = applyTo(cell, record, journal)
  const instance = pool.instance?.value
  if (instance === undefined) return
  if (!knowsShareTokens(instance, state)) learnKin(pool, record, { state, journal })
  if (outcome.kind !== 'changed') return
  changes.pools.add(pool)
  if (outcome.before !== null && outcome.before.nextShareToken !== instance.nextShareToken)
    endExchange(pool, outcome.before, { journal, changes })
  if (instance.code === before?.code && instance.layout === before.layout) return
  if (instance.layout === 'other') journal.notice(pool.pool, 'entry', 'storage of a kind that we cannot read')
  else if (!instance.isKnownBuild) journal.notice(pool.pool, 'entry', `code ${instance.code.slice(0, 8)} is not a build that we know`)
}

export function applyGaugeInstance(record: KeyedRecord, { journal, directory, changes }: Applying): void {
  const pool = directory.poolOfGauge(record.contract)
  if (!pool?.owned) return
  const gauge = record.contract
  const cell: EntryAccess<GaugeInstance> = {
    row: { contract: pool.pool, key: stateKey.gauge(gauge) },
    get: () => pool.gauges.get(gauge) ?? null,
    set: (live) => pool.gauges.set(gauge, live),
    read: (value) => readGaugeInstance(value, gauge),
    encode: encode.gauge,
  }
  const outcome = applyTo(cell, record, journal)
  if (outcome.kind === 'unreadable') journal.notice(gauge, 'entry', 'unreadable instance of a gauge')
  if (outcome.kind === 'changed') changes.pools.add(pool)
}

/** Which tokens a pool has, and whose shares a token counts. All of it is known in every partition, where it was told to all of them. */
function learnKin(pool: PoolState, record: KeyedRecord, { state, journal }: Pick<Applying, 'state' | 'journal'>): void {
  const isToldToAll = namesKin(record)
  if (record.kind !== 'entry' || record.value === null || !(isToldToAll || pool.owned)) return
  const kin = readPoolKin(record.value, pool.pool)
  if (pool.tokens.length === 0) pool.tokens = kin.tokens
  // A bootstrap entry is of another day: it fills what is unknown, and never overwrites.
  if (record.change === 'adopted' && hasShareToken(pool, state)) return
  for (const row of learnShareTokens(pool, kin, state)) {
    if (record.change === 'adopted') journal.infer({ ...row, shared: isToldToAll })
    else journal.write({ ...row, shared: isToldToAll })
  }
}

/** What a pool or a gauge holds of a token. A token may drop an empty balance: that is a zero. */
export function applyBalance(holder: Address, record: KeyedRecord, { journal, directory, changes }: Applying): void {
  const token = record.contract
  const pool = directory.pool(holder)
  const gaugePool = pool === undefined ? directory.poolOfGauge(holder) : undefined
  const owner = pool ?? gaugePool
  if (!owner?.owned || !isFollowed(owner, holder, token)) return
  const balances = pool === undefined ? owner.gaugeBalances : owner.balances
  const place = pool === undefined ? holder : token
  const cell: EntryAccess<bigint> = {
    row: { contract: owner.pool, key: pool === undefined ? stateKey.gaugeBalance(holder) : stateKey.balance(token) },
    get: () => balances.get(place) ?? null,
    set: (live) => balances.set(place, live),
    read: readTokenBalance,
    encode: encode.amount,
  }
  const isGone = record.kind === 'entry' && record.value === null
  const outcome = applyTo(cell, isGone ? { ...record, value: NO_BALANCE } : record, journal)
  if (outcome.kind === 'unreadable') journal.notice(token, 'entry', 'unreadable balance of a token')
  if (outcome.kind === 'changed') changes.pools.add(owner)
}

function isFollowed(pool: PoolState, holder: Address, token: ContractId): boolean {
  if (holder === pool.pool) return pool.tokens.includes(token) || pool.instance?.value.rewards.token === token
  return pool.gauges.get(holder)?.value.rewardToken === token
}
