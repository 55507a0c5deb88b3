// The cost of every holder's shares and ranges.

import { type Holding, usdSum, writeCosts } from '@orrery/fold-kit'
import type { Address, ContractId } from '@orrery/ledger'
import type { Changes } from '../state/changes.ts'
import { cost } from '../state/entries.ts'
import { rangeCost } from '../state/range.ts'
import { holderOf, type PoolState, rangeOf } from '../state/state.ts'
import { worthOfLiquidity, worthOfShares } from '../view/worth.ts'
import type { Movement, TokenPaid } from './action.ts'
import type { Moment } from './ledger-end.ts'

export function applyCosts(moment: Moment, movements: readonly Movement[], changes: Changes): void {
  const moved = movements.flatMap(({ pool: id, holder, kind, shares, range, paid: tokens }) => {
    const pool = moment.state.pools.get(id)
    const valued = pool === undefined ? null : moment.value(pool)
    if (pool === undefined || valued === null) return []
    const paid = () => usdSum((tokens ?? []).map(({ token, amount }) => valued.rewardToken(token).value(amount)))
    const amounts = tokens === null ? null : valued.tokens.map(({ info }) => paidOf(info.asset, tokens))
    return { holding: holdingOf(pool, holder, range, moment, changes), kind, units: shares, amounts, paid }
  })
  const changed = [...changes.pools].flatMap((pool) => [
    ...[...changes.sharesBefore(pool).keys()].map((holder) => holdingOf(pool, holder, null, moment, changes)),
    ...[...changes.rangesBefore(pool)].flatMap(([holder, ranges]) =>
      [...ranges.keys()].map((range) => holdingOf(pool, holder, range, moment, changes)),
    ),
  ])
  writeCosts(moved, changed, moment)
}

function paidOf(token: ContractId, tokens: readonly TokenPaid[]): bigint {
  return tokens.reduce((sum, paid) => (paid.token === token ? sum + paid.amount : sum), 0n)
}

/** @param range `rangeName`; null: the holder's share tokens. */
function holdingOf(pool: PoolState, address: Address, range: string | null, moment: Moment, changes: Changes): Holding {
  const holder = holderOf(pool, address)
  const valued = moment.value(pool)
  const at = { contract: pool.pool, owner: address }
  if (range === null) {
    const units = holder.shares?.value ?? 0n
    return {
      pool: pool.pool,
      name: `${pool.pool} ${address}`,
      unitsBefore: changes.sharesBefore(pool).get(address) ?? units,
      units,
      cost: holder.cost,
      worth: valued === null ? null : (shares) => worthOfShares(shares, valued).netUsd,
      write: (to) => cost.write(moment, at, to),
    }
  }
  const [lower = '', upper = ''] = range.split(':')
  const of = rangeOf(holder, Number(lower), Number(upper))
  const units = of.position?.value.liquidity ?? 0n
  return {
    pool: pool.pool,
    name: `${pool.pool} ${address} ${range}`,
    unitsBefore: changes.rangesBefore(pool).get(address)?.get(range) ?? units,
    units,
    cost: of.cost,
    worth: valued === null ? null : (liquidity) => worthOfLiquidity(of, liquidity, valued).netUsd,
    write: (to) => rangeCost.write(moment, { ...at, lower, upper }, to),
  }
}
