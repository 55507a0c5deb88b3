// The cost of every balance, carried along with the movements of one ledger.
// Movements come from events and shares from entries; where they disagree the entry is right, and a notice is counted.

import { getOrMake } from '@orrery/fold-kit'
import type { Address } from '@orrery/ledger'
import { NO_BACKSTOP_SHARES, NO_POSITIONS } from '../chain/values.ts'
import { acquireBalance, type BalanceCost, type CostKey, type Movement, releaseBalance } from '../math/cost.ts'
import { cost } from '../state/account.ts'
import type { Changes } from '../state/changes.ts'
import { accountOf, type PoolState } from '../state/state.ts'
import { balancesOf, worthOf } from './cost-balance.ts'
import type { Moment } from './ledger-end.ts'

/** Balances whose cost may change in the ledger, by pool and account. */
type Moved = Map<PoolState, Map<Address, Set<CostKey>>>

export function applyCosts(moment: Moment, movements: readonly Movement[], changes: Changes): void {
  const moved: Moved = new Map()
  for (const [pool, { accounts }] of changes) {
    for (const [address, before] of accounts) {
      for (const [key, shares] of balancesOf(pool, before.positions, before.backstop)) {
        inherit(pool, address, key, shares, moment)
        remember(moved, pool, address, key)
      }
      for (const key of sharesOf(pool, address).keys()) remember(moved, pool, address, key)
    }
  }
  for (const movement of movements) {
    const pool = moment.state.pools.get(movement.pool)
    if (pool === undefined || movement.shares === 0n) continue
    const { holder, key } = movement
    // Without the reserve list (the index began later) the indexes of positions have no assets. All shares are inherited once it is known.
    if (key !== 'backstop' && pool.reserveList === null) continue
    // The entry is unchanged where as much went as came in the ledger.
    if (changes.get(pool)?.accounts.has(holder) !== true) inherit(pool, holder, key, sharesOf(pool, holder).get(key) ?? 0n, moment)
    setCost(pool, holder, key, move(costOf(pool, holder, key), movement, pool, moment))
    remember(moved, pool, holder, key)
  }
  for (const [pool, accounts] of moved) {
    for (const [address, keys] of accounts) for (const key of keys) settle(pool, address, key, moment)
  }
}

/** Shares from before the index began: they cost their value at their first change, and their underlying then counts as paid in. */
function inherit(pool: PoolState, address: Address, key: CostKey, shares: bigint, moment: Moment): void {
  if (shares > 0n && costOf(pool, address, key) === null) setCost(pool, address, key, acquireUnexplained(null, shares, key, pool, moment))
}

function move(cost: BalanceCost | null, movement: Movement, pool: PoolState, moment: Moment): BalanceCost {
  const value = worthOf(movement.key, pool, moment).token?.value(movement.amount) ?? null
  return movement.direction === 'in' ? acquireBalance(cost, movement, value, moment.slice.ledger) : releaseBalance(cost, movement, value)
}

/** Makes the units equal to the shares that the entry has, and writes the cost. */
function settle(pool: PoolState, address: Address, key: CostKey, moment: Moment): void {
  const shares = sharesOf(pool, address).get(key) ?? 0n
  const before = costOf(pool, address, key)
  const units = before?.cost.units ?? 0n
  if (units !== shares) {
    moment.journal.notice(pool.pool, 'invariant', 'events do not add up to the shares of an account')
    const right =
      shares > units
        ? acquireUnexplained(before, shares - units, key, pool, moment)
        : releaseUnexplained(before, units - shares, key, pool, moment)
    setCost(pool, address, key, right)
  }
  const settled = costOf(pool, address, key)
  if (settled !== null) cost.write(moment, { contract: pool.pool, owner: address, balance: key }, settled)
}

/** Shares that came without an event. */
function acquireUnexplained(cost: BalanceCost | null, shares: bigint, key: CostKey, pool: PoolState, moment: Moment): BalanceCost {
  const { token, amount: amountOf } = worthOf(key, pool, moment)
  const amount = amountOf(shares)
  return acquireBalance(cost, { shares, amount, confidence: 'inferred' }, token?.value(amount) ?? null, moment.slice.ledger)
}

/** Shares that went without an event. */
function releaseUnexplained(cost: BalanceCost | null, shares: bigint, key: CostKey, pool: PoolState, moment: Moment): BalanceCost {
  const { token, amount: amountOf } = worthOf(key, pool, moment)
  const amount = amountOf(shares)
  return releaseBalance(cost, { key, shares, amount }, token?.value(amount) ?? null)
}

function sharesOf(pool: PoolState, address: Address): Map<CostKey, bigint> {
  const account = pool.accounts.get(address)
  return balancesOf(pool, account?.positions?.value ?? NO_POSITIONS, account?.backstop?.value ?? NO_BACKSTOP_SHARES)
}

function costOf(pool: PoolState, address: Address, key: CostKey): BalanceCost | null {
  return pool.accounts.get(address)?.costs?.get(key) ?? null
}

function setCost(pool: PoolState, address: Address, key: CostKey, cost: BalanceCost): void {
  const account = accountOf(pool, address)
  account.costs ??= new Map()
  account.costs.set(key, cost)
}

function remember(moved: Moved, pool: PoolState, address: Address, key: CostKey): void {
  const accounts = getOrMake(moved, pool, () => new Map<Address, Set<CostKey>>())
  getOrMake(accounts, address, () => new Set<CostKey>()).add(key)
}
