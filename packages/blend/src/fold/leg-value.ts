// What legs and shares are worth at the ledger's end: in underlying as the contract rounds, and in USD.
// Assets of a lending pool have that pool's prices; everything else has the network's.

import type { Leg } from '@orrery/fold-kit'
import { usdText, type ValuedLeg, type ValuedToken } from '@orrery/fold-kit'
import type { ContractId } from '@orrery/ledger'
import type { BlendVersion, ReserveData } from '../chain/values.ts'
import { debtOf, underlyingOf } from '../math/accrual.ts'
import { lpTokensOf } from '../math/backstop-math.ts'
import type { PoolState } from '../state/state.ts'
import { assetInfo } from '../view/asset.ts'
import type { ValuedPool, ValuedReserve } from '../view/valuation.ts'
import type { Moment } from './ledger-end.ts'

/** A leg with its asset and value. Its price is that of its pool, so that an action and the position it made agree. */
export function valueLeg(leg: Leg, moment: Moment): ValuedLeg {
  if (leg.asset === '') return { info: null, price: null, usdValue: '0' }
  const token = tokenOf(leg.contract, leg.asset, moment)
  if (token.info.decimals === null) moment.journal.notice(leg.asset, 'asset', 'decimals are unknown')
  const value = token.value(leg.amount)
  return { info: token.info, price: token.price, usdValue: value === null ? null : usdText(value) }
}

function tokenOf(contract: ContractId, asset: ContractId, moment: Moment): ValuedToken {
  const valued = valuedOf(contract, moment)
  return (valued === null ? undefined : reserveOf(valued, asset)?.token) ?? moment.token(asset)
}

/** Shares of a reserve have the decimals of its asset. 0 where they are unknown: of a pool of another partition. */
export function shareDecimals(pool: ContractId, asset: ContractId, { state, network }: Moment): number {
  return state.pools.get(pool)?.reserves.get(asset)?.config?.value.decimals ?? assetInfo(state, asset, network).decimals ?? 0
}

/** What a withdrawal of bTokens pays. 0n of a pool of another partition: that one writes the row. */
export function bTokensWorth(pool: ContractId, asset: ContractId, bTokens: bigint, moment: Moment): bigint {
  const at = ratesOf(pool, asset, moment)
  return at === null ? 0n : underlyingOf(bTokens, at.data, at.version)
}

/** What a repayment of dTokens costs. */
export function dTokensWorth(pool: ContractId, asset: ContractId, dTokens: bigint, moment: Moment): bigint {
  const at = ratesOf(pool, asset, moment)
  return at === null ? 0n : debtOf(dTokens, at.data, at.version)
}

/** Accrued where the pool's instance is known; otherwise as stored, which is the same for a reserve that this ledger touched. */
function ratesOf(contract: ContractId, asset: ContractId, moment: Moment): { data: ReserveData; version: BlendVersion } | null {
  const pool = moment.state.pools.get(contract)
  const valued = valuedOf(contract, moment)
  const data = (valued === null ? undefined : reserveOf(valued, asset))?.data ?? pool?.reserves.get(asset)?.data?.value
  return data === undefined || !pool?.deployment ? null : { data, version: pool.deployment.version }
}

/** LP tokens of backstop shares. */
export function backstopSharesWorth({ backstop }: PoolState, shares: bigint): bigint {
  return backstop.balance === null ? 0n : lpTokensOf(shares, backstop.balance.value)
}

function valuedOf(contract: ContractId, moment: Moment): ValuedPool | null {
  const pool = moment.state.pools.get(contract)
  return pool?.owned ? moment.value(pool) : null
}

function reserveOf({ reserves }: ValuedPool, asset: ContractId): ValuedReserve | undefined {
  return reserves.find((it) => it?.asset === asset)
}
