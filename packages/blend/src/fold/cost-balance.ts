// The balances of an account in a pool, each with a cost of its own, and what their shares are worth at the ledger's end.

import type { ValuedToken } from '@orrery/fold-kit'
import type { ContractId } from '@orrery/ledger'
import type { BackstopUser, Positions, SharesByReserve } from '../chain/values.ts'
import type { CostKey } from '../math/cost.ts'
import { allShares, assetsOf, type PoolState } from '../state/state.ts'
import type { Moment } from './ledger-end.ts'
import { backstopSharesWorth, bTokensWorth, dTokensWorth } from './leg-value.ts'

/** Shares by balance; only what is above zero. Collateral counts as supply, queued backstop shares as backstop shares. */
export function balancesOf(pool: PoolState, positions: Positions, backstop: BackstopUser): Map<CostKey, bigint> {
  const balances = new Map<CostKey, bigint>()
  const assets = assetsOf(pool)
  add(balances, 'supply', positions.supply, assets)
  add(balances, 'supply', positions.collateral, assets)
  add(balances, 'borrow', positions.liabilities, assets)
  const shares = allShares(backstop)
  if (shares > 0n) balances.set('backstop', shares)
  return balances
}

function add(balances: Map<CostKey, bigint>, side: 'supply' | 'borrow', shares: SharesByReserve, assets: readonly ContractId[]): void {
  for (const [index, amount] of shares) {
    const asset = assets[index]
    if (asset === undefined || amount === 0n) continue
    const key: CostKey = `${side}:${asset}`
    balances.set(key, (balances.get(key) ?? 0n) + amount)
  }
}

export interface BalanceWorth {
  /** Null where the pool is not known well enough to value anything. */
  readonly token: ValuedToken | null
  /** Underlying or LP tokens of shares, raw. */
  readonly amount: (shares: bigint) => bigint
}

export function worthOf(key: CostKey, pool: PoolState, moment: Moment): BalanceWorth {
  const valued = moment.value(pool)
  if (key === 'backstop') return { token: valued?.lp?.token ?? null, amount: (shares) => backstopSharesWorth(pool, shares) }
  const asset = key.slice(key.indexOf(':') + 1)
  const token = valued?.reserves.find((it) => it?.asset === asset)?.token ?? null
  const worth = key.startsWith('supply:') ? bTokensWorth : dTokensWorth
  return { token, amount: (shares) => worth(pool.pool, asset, shares, moment) }
}
