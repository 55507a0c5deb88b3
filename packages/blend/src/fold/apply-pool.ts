// One entry of a lending pool, applied to the pool's state.

import type { KeyedRecord, Outcome } from '@orrery/fold-kit'
import type { Address, ContractId } from '@orrery/ledger'
import * as read from '../chain/pool-entries.ts'
import { type AuctionType, NO_BACKSTOP_SHARES, NO_POSITIONS, type Positions } from '../chain/values.ts'
import { type AccountBefore, changesOf, type ReserveBefore } from '../state/changes.ts'
import * as codec from '../state/row-codecs.ts'
import { item, member, put } from '../state/slot.ts'
import { accountOf, emissionOf, type PoolState, reserveOf, setPositions } from '../state/state.ts'
import { stateKey } from '../state/state-rows.ts'
import type { ApplyContext } from './apply-records.ts'

export function applyPoolEntry(pool: PoolState, key: read.PoolKey, record: KeyedRecord, context: ApplyContext): void {
  switch (key.kind) {
    case 'instance':
      applyInstance(pool, record, context)
      return
    case 'reserve_list':
      applyReserveList(pool, record, context)
      return
    case 'data':
      applyData(pool, key.asset, record, context)
      return
    case 'config':
      applyConfig(pool, key.asset, record, context)
      return
    case 'queued':
      applyQueued(pool, key.asset, record, context)
      return
    case 'positions':
      applyPositions(pool, key.user, record, context)
      return
    case 'user_emission':
      applyUserEmission(pool, key.user, key.tokenId, record, context)
      return
    case 'auction':
      applyAuction(pool, key.user, key.type, record, context)
      return
    case 'emission':
    case 'emission_config':
      applyEmission(pool, key.kind, key.tokenId, record, context)
      return
    case 'emission_shares':
      applyEmissionShares(pool, record, context)
      return
    case 'proposed_admin':
      return
    case 'unknown':
      context.journal.notice(pool.pool, 'entry', 'unknown key of a pool')
  }
}

function applyInstance(pool: PoolState, record: KeyedRecord, context: ApplyContext): void {
  const { pool: contract } = pool
  const filing = {
    row: { contract, key: stateKey.pool },
    what: 'pool instance',
    maySayNothing: true,
    read: (value: Uint8Array) => read.readPoolInstance(value, contract),
    codec: codec.poolInstance,
  }
  const outcome = put(member(pool, 'instance'), filing, record, context.journal)
  if (noteChange(pool, outcome, context)) changesOf(context.changes, pool).instanceBefore ??= before(outcome)
  const backstop = pool.instance?.value.backstop
  if (backstop !== undefined) pool.deployment ??= context.directory.deploymentOf(backstop)
}

function applyReserveList(pool: PoolState, record: KeyedRecord, context: ApplyContext): void {
  const row = { contract: pool.pool, key: stateKey.reserveList }
  const filing = { row, what: 'list of reserves', read: read.readReserveList, codec: codec.contracts }
  noteChange(pool, put(member(pool, 'reserveList'), filing, record, context.journal), context)
}

function applyData(pool: PoolState, asset: ContractId, record: KeyedRecord, context: ApplyContext): void {
  const row = { contract: pool.pool, key: stateKey.data(asset) }
  const filing = { row, what: 'reserve data', read: read.readReserveData, codec: codec.reserveData }
  const reserve = reserveOf(pool, asset)
  const outcome = put(member(reserve, 'data'), filing, record, context.journal)
  if (!noteChange(pool, outcome, context)) return
  noteReserve(pool, asset, { data: before(outcome), config: reserve.config?.value ?? null }, context)
}

function applyConfig(pool: PoolState, asset: ContractId, record: KeyedRecord, context: ApplyContext): void {
  const row = { contract: pool.pool, key: stateKey.config(asset) }
  const filing = { row, what: 'reserve config', read: read.readReserveConfig, codec: codec.reserveConfig }
  const reserve = reserveOf(pool, asset)
  const outcome = put(member(reserve, 'config'), filing, record, context.journal)
  if (!noteChange(pool, outcome, context)) return
  noteReserve(pool, asset, { data: reserve.data?.value ?? null, config: before(outcome) }, context)
}

function applyQueued(pool: PoolState, asset: ContractId, record: KeyedRecord, { journal }: ApplyContext): void {
  const row = { contract: pool.pool, key: stateKey.queued(asset) }
  const filing = { row, durability: 'temporary', what: 'queued config', read: read.readQueuedConfig, codec: codec.queuedConfig } as const
  put(member(reserveOf(pool, asset), 'queued'), filing, record, journal)
}

function applyPositions(pool: PoolState, user: Address, record: KeyedRecord, context: ApplyContext): void {
  const row = { contract: pool.pool, key: stateKey.positions(user), owner: user }
  const slot = {
    get: () => pool.accounts.get(user)?.positions ?? null,
    set: (live: { value: Positions; liveUntil: number } | null) => setPositions(pool, user, live),
  }
  const outcome = put(slot, { row, what: 'positions', read: read.readPositions, codec: codec.positions }, record, context.journal)
  if (outcome.kind !== 'changed' && outcome.kind !== 'removed') return
  // The filler of an interest auction gets an entry of nothing: nobody's position.
  if (outcome.kind === 'changed' && outcome.before === null && isEmpty(outcome.now)) return
  noteAccount(pool, user, { positions: outcome.before ?? NO_POSITIONS }, context)
}

function isEmpty({ supply, collateral, liabilities }: Positions): boolean {
  return supply.size === 0 && collateral.size === 0 && liabilities.size === 0
}

function applyUserEmission(pool: PoolState, user: Address, tokenId: number, record: KeyedRecord, { journal }: ApplyContext): void {
  const account = accountOf(pool, user)
  account.emissions ??= new Map()
  const row = { contract: pool.pool, key: stateKey.userEmission(user, tokenId), owner: user }
  put(
    item(account.emissions, tokenId),
    { row, what: 'user emission', read: read.readUserEmission, codec: codec.userEmission },
    record,
    journal,
  )
}

function applyAuction(pool: PoolState, user: Address, type: AuctionType, record: KeyedRecord, { journal }: ApplyContext): void {
  const account = accountOf(pool, user)
  account.auctions ??= new Map()
  const row = { contract: pool.pool, key: stateKey.auction(user, type), owner: user }
  const filing = { row, durability: 'temporary', what: 'auction', read: read.readAuction, codec: codec.auction } as const
  put(item(account.auctions, type), filing, record, journal)
}

function applyEmission(
  pool: PoolState,
  kind: 'emission' | 'emission_config',
  tokenId: number,
  record: KeyedRecord,
  context: ApplyContext,
): void {
  const emission = emissionOf(pool, tokenId)
  const contract = pool.pool
  const { journal } = context
  if (kind === 'emission') {
    const filing = {
      row: { contract, key: stateKey.emission(tokenId) },
      what: 'emission',
      read: read.readEmissionData,
      codec: codec.emissionData,
    }
    noteChange(pool, put(member(emission, 'data'), filing, record, journal), context)
  } else {
    const row = { contract, key: stateKey.emissionConfig(tokenId) }
    const filing = { row, what: 'emission config', read: read.readEmissionConfig, codec: codec.emissionConfig }
    noteChange(pool, put(member(emission, 'config'), filing, record, journal), context)
  }
}

function applyEmissionShares(pool: PoolState, record: KeyedRecord, context: ApplyContext): void {
  const row = { contract: pool.pool, key: stateKey.emissionShares }
  const filing = { row, what: 'emission shares', read: read.readEmissionShares, codec: codec.emissionShares }
  noteChange(pool, put(member(pool, 'emissionShares'), filing, record, context.journal), context)
}

/** Whether a value of the pool itself is new; then the pool has a snapshot at this ledger. */
export function noteChange(pool: PoolState, outcome: Outcome<unknown>, { changes, journal }: ApplyContext): boolean {
  if (outcome.kind !== 'changed' && outcome.kind !== 'removed') return false
  pool.changedLedger = journal.ledger
  changesOf(changes, pool).pool = true
  return true
}

function noteReserve(pool: PoolState, asset: ContractId, was: ReserveBefore, { changes }: ApplyContext): void {
  const { reserves } = changesOf(changes, pool)
  if (!reserves.has(asset)) reserves.set(asset, was)
}

/** Remembers the account as it was before its first change in the ledger. */
export function noteAccount(pool: PoolState, user: Address, was: Partial<AccountBefore>, { changes }: ApplyContext): void {
  const { accounts } = changesOf(changes, pool)
  if (accounts.has(user)) return
  const now = pool.accounts.get(user)
  accounts.set(user, {
    positions: was.positions ?? now?.positions?.value ?? NO_POSITIONS,
    backstop: was.backstop ?? now?.backstop?.value ?? NO_BACKSTOP_SHARES,
  })
}

/** The value before a change, null where there was none. */
export function before<T>(outcome: Outcome<T>): T | null {
  return outcome.kind === 'changed' || outcome.kind === 'removed' ? outcome.before : null
}
