// What the fold remembers of Blend, and how a reader holds it: entries as the ledgers left them, and facts that the fold makes.
// Rows are the only way in and out (`entries.ts`), so a restart and an as-of reader see what the fold saw.
// Stored reserves are as of their last touch: whatever is shown or valued goes through `accrue` first.

import { getOrMake, type LiveEntry, type SmallPositions, type TokenMetadata } from '@orrery/fold-kit'
import type { Address, ContractId } from '@orrery/ledger'
import type { PricingState } from '@orrery/pricing'
import type { BlendDeployment } from '@orrery/protocol-kit'
import * as values from '../chain/values.ts'
import type { BalanceCost, CostKey } from '../math/cost.ts'
import type { HealthStep } from '../math/health-step.ts'
import type { RegisteredContract } from './contracts.ts'

/** An entry as the newest record left it. Null: there is none, or it was not seen yet. */
type Entry<T> = LiveEntry<T> | null

/** One asset of a pool. */
export class ReserveState {
  config: Entry<values.ReserveConfig> = null
  data: Entry<values.ReserveData> = null
  /** Temporary: absent after its live-until ledger. */
  queued: Entry<values.QueuedConfig> = null
}

/** Emissions of one reserve token: index · 2 = dTokens, index · 2 + 1 = bTokens. */
class TokenEmission {
  data: Entry<values.EmissionData> = null
  /** v1 keeps it apart. */
  config: Entry<values.EmissionConfig> = null
}

/** What belongs to one account in one pool, the pool's backstop included. */
export class AccountState {
  positions: Entry<values.Positions> = null
  /** By reserve token id. */
  emissions: Map<number, LiveEntry<values.UserEmission>> | null = null
  backstop: Entry<values.BackstopUser> = null
  backstopEmission: Entry<values.UserEmission> = null
  /** Temporary entries: `auctionOf` leaves out the expired ones. */
  auctions: Map<values.AuctionType, LiveEntry<values.Auction>> | null = null
  costs: Map<CostKey, BalanceCost> | null = null
  /** Of the newest row of `healthStep`. Null: nothing is owed, or no health factor was known yet. */
  healthStep: HealthStep | null = null
}

/** An account that owes something in a pool. */
export interface Borrower {
  readonly owner: Address
  readonly account: AccountState
  positions: values.Positions
  /** Made from `positions` when it is needed first. */
  terms: readonly number[] | null
}

/** The backstop of one pool. */
class PoolBackstop {
  balance: Entry<values.BackstopBalance> = null
  emission: Entry<values.EmissionData> = null
  emissionConfig: Entry<values.EmissionConfig> = null
  waiting: Entry<values.WaitingEmission> = null
}

/** Sums over `accounts`, kept as positions change: they must equal the totals of the reserves and the backstop. */
class PoolSums {
  /** By reserve index. */
  readonly bTokens = new Map<number, bigint>()
  readonly dTokens = new Map<number, bigint>()
  /** Backstop shares, queued ones included. */
  backstopShares = 0n
}

export class PoolState {
  readonly pool: ContractId
  /** The deployment whose factory made it. Null for a pool of the registry whose instance was not seen yet. */
  deployment: BlendDeployment | null
  /** Announced by its factory within the index: every account of it is known then. */
  listed = false
  /** This partition owns it. For a reader: something of it is known beyond its address. */
  owned = false
  instance: Entry<values.PoolInstance> = null
  /** Assets; the place is the reserve index. */
  reserveList: Entry<readonly ContractId[]> = null
  readonly reserves = new Map<ContractId, ReserveState>()
  /** Share of the pool's emissions by reserve token id, 7 decimals. */
  emissionShares: Entry<ReadonlyMap<number, bigint>> = null
  /** By reserve token id. */
  readonly emissions = new Map<number, TokenEmission>()
  readonly backstop = new PoolBackstop()
  /** Tokens that the pool holds. */
  readonly balances = new Map<ContractId, LiveEntry<bigint>>()
  /** Accounts are never removed: one without a position may have rewards to claim. */
  readonly accounts = new Map<Address, AccountState>()
  /** Accounts with liabilities. */
  readonly borrowers = new Map<Address, Borrower>()
  /** Read by `borrowersOf`. Null: some came or went since. */
  sortedBorrowers: readonly Borrower[] | null = null
  /** Read by `addressesOf`. */
  sortedAddresses: readonly Address[] = []
  readonly sums = new PoolSums()
  /** Accounts whose newest snapshot is small. */
  readonly small: SmallPositions = new Set()
  /** See `LossMemory`. */
  lossHour: number | null = null
  /** Ledger of the newest row of the pool that belongs to no account. */
  changedLedger = 0

  constructor(pool: ContractId, deployment: BlendDeployment | null) {
    this.pool = pool
    this.deployment = deployment
  }
}

/** A backstop as a whole; what it keeps by pool stands with the pools. */
class BackstopState {
  instance: Entry<values.BackstopInstance> = null
  rewardZone: Entry<readonly ContractId[]> = null
  lastDistribution: Entry<bigint> = null
  /** v1. */
  lpTokenValue: Entry<values.LpTokenValue> = null
  /** v2. */
  backfillEmissions: Entry<bigint> = null
  backfilled: Entry<boolean> = null
  /** BLND and LP tokens that it holds. */
  readonly balances = new Map<ContractId, LiveEntry<bigint>>()
}

/** The Comet pool of BLND and USDC: its LP tokens are what backstops hold. */
class CometState {
  records: Entry<values.CometRecords> = null
  totalShares: Entry<bigint> = null
  /** 7 decimals. */
  swapFee: Entry<bigint> = null
  /** Only in the partition that owns them. */
  readonly balances = new Map<ContractId, LiveEntry<bigint>>()
  readonly holders = new Map<Address, LiveEntry<bigint>>()
  /** Sum over `holders`. */
  heldShares = 0n
  /** The index saw its first LP token: every holder is known in the partition that owns it. */
  wholeLife = false
}

class EmitterState {
  instance: Entry<values.EmitterInstance> = null
  queuedSwap: Entry<values.QueuedSwap> = null
  /** Unix seconds, by backstop. */
  readonly lastDistribution = new Map<ContractId, LiveEntry<bigint>>()
  readonly dropped = new Map<ContractId, LiveEntry<boolean>>()
}

export interface BlendState {
  /** The newest ledger in it. */
  ledger: number
  /** What the registry names: from it comes which contract may have which entries. */
  readonly contracts: ReadonlyMap<ContractId, RegisteredContract>
  readonly pools: Map<ContractId, PoolState>
  readonly backstops: Map<ContractId, BackstopState>
  readonly comets: Map<ContractId, CometState>
  readonly emitters: Map<ContractId, EmitterState>
  /** Name, symbol and decimals of tokens, where their instance was seen. */
  readonly assets: Map<ContractId, TokenMetadata>
  readonly pricing: PricingState
}

/** The pool's state, made when it is new. */
export function poolOf(state: BlendState, pool: ContractId): PoolState {
  return getOrMake(state.pools, pool, () => new PoolState(pool, null))
}

/** The state of a pool whose entries this partition folds. Null of a contract that the registry names: it is no pool. */
export function ownedPoolOf(state: BlendState, contract: ContractId): PoolState | null {
  if (state.contracts.has(contract)) return null
  const pool = poolOf(state, contract)
  pool.owned = true
  return pool
}

/** Null of a contract that is no backstop of the registry. */
export function backstopOf(state: BlendState, backstop: ContractId): BackstopState | null {
  if (state.contracts.get(backstop)?.role !== 'backstop') return null
  return getOrMake(state.backstops, backstop, () => new BackstopState())
}

/** Null of a contract that is no Comet pool of the registry. */
export function cometOf(state: BlendState, comet: ContractId): CometState | null {
  if (state.contracts.get(comet)?.role !== 'comet') return null
  return getOrMake(state.comets, comet, () => new CometState())
}

/** Null of a contract that is no emitter of the registry. */
export function emitterOf(state: BlendState, emitter: ContractId): EmitterState | null {
  if (state.contracts.get(emitter)?.role !== 'emitter') return null
  return getOrMake(state.emitters, emitter, () => new EmitterState())
}

export function reserveOf(pool: PoolState, asset: ContractId): ReserveState {
  return getOrMake(pool.reserves, asset, () => new ReserveState())
}

export function emissionOf(pool: PoolState, tokenId: number): TokenEmission {
  return getOrMake(pool.emissions, tokenId, () => new TokenEmission())
}

export function accountOf(pool: PoolState, address: Address): AccountState {
  return getOrMake(pool.accounts, address, () => new AccountState())
}

/** All accounts of the pool, sorted once: every hour walks them, and few are added in between. */
export function addressesOf(pool: PoolState): readonly Address[] {
  if (pool.sortedAddresses.length !== pool.accounts.size) pool.sortedAddresses = [...pool.accounts.keys()].sort()
  return pool.sortedAddresses
}

/** Accounts with liabilities in the order of their addresses. A list, because every round of prices walks all of them. */
export function borrowersOf(pool: PoolState): readonly Borrower[] {
  pool.sortedBorrowers ??= addressesOf(pool).flatMap((address) => pool.borrowers.get(address) ?? [])
  return pool.sortedBorrowers
}

/** The auction of that type, null when there is none or its entry has expired: an expiry has no record. */
export function auctionOf(pool: PoolState, user: Address, type: values.AuctionType, ledger: number): values.Auction | null {
  const auction = pool.accounts.get(user)?.auctions?.get(type)
  return auction === undefined || (auction.liveUntil !== 0 && auction.liveUntil < ledger) ? null : auction.value
}

/** Assets of the pool's reserves in their order. */
export function assetsOf(pool: PoolState): readonly ContractId[] {
  return pool.reserveList?.value ?? []
}

/** Sets an account's positions and keeps the sums. */
export function setPositions(pool: PoolState, address: Address, positions: LiveEntry<values.Positions> | null): void {
  const account = accountOf(pool, address)
  if (account.positions !== null) addPositions(pool.sums, account.positions.value, -1n)
  if (positions !== null) addPositions(pool.sums, positions.value, 1n)
  account.positions = positions
  setBorrower(pool, address, account)
}

function setBorrower(pool: PoolState, owner: Address, account: AccountState): void {
  const borrower = pool.borrowers.get(owner)
  if (account.positions === null || account.positions.value.liabilities.size === 0) {
    if (pool.borrowers.delete(owner)) pool.sortedBorrowers = null
  } else if (borrower === undefined) {
    pool.borrowers.set(owner, { owner, account, positions: account.positions.value, terms: null })
    pool.sortedBorrowers = null
  } else {
    borrower.positions = account.positions.value
    borrower.terms = null
  }
}

export function owes({ liabilities }: values.Positions): boolean {
  for (const amount of liabilities.values()) if (amount > 0n) return true
  return false
}

/** Sets an account's backstop shares and keeps the sum. */
export function setBackstopUser(pool: PoolState, address: Address, user: LiveEntry<values.BackstopUser> | null): void {
  const account = accountOf(pool, address)
  pool.sums.backstopShares +=
    allShares(user?.value ?? values.NO_BACKSTOP_SHARES) - allShares(account.backstop?.value ?? values.NO_BACKSTOP_SHARES)
  account.backstop = user
}

/** Queued shares included. */
export function allShares({ shares, queue }: values.BackstopUser): bigint {
  let sum = shares
  for (const queued of queue) sum += queued.shares
  return sum
}

/** Sets a holder's LP tokens and keeps their sum. */
export function setLpBalance(comet: CometState, holder: Address, balance: LiveEntry<bigint> | null): void {
  comet.heldShares += (balance?.value ?? 0n) - (comet.holders.get(holder)?.value ?? 0n)
  if (balance === null) comet.holders.delete(holder)
  else comet.holders.set(holder, balance)
}

function addPositions(sums: PoolSums, { supply, collateral, liabilities }: values.Positions, sign: bigint): void {
  for (const [index, amount] of supply) add(sums.bTokens, index, amount * sign)
  for (const [index, amount] of collateral) add(sums.bTokens, index, amount * sign)
  for (const [index, amount] of liabilities) add(sums.dTokens, index, amount * sign)
}

function add(sums: Map<number, bigint>, index: number, amount: bigint): void {
  sums.set(index, (sums.get(index) ?? 0n) + amount)
}
