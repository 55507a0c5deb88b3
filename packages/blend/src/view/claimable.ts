// What an account could take out now: BLND of reserve tokens and of the backstop, and backstop shares past their unlock time.

import type { Address, ContractId } from '@orrery/ledger'
import type { At } from '@orrery/pricing'
import { tenTo } from '@orrery/pricing'
import { NO_BACKSTOP_SHARES } from '../chain/values.ts'
import { lpTokensOf } from '../math/backstop-math.ts'
import { earned, emissionIndexAt } from '../math/emission-math.ts'
import { SCALE_7, scaleOf } from '../math/scale.ts'
import { assetsOf, type PoolState } from '../state/state.ts'

/** The reserve and the side that a reserve token id stands for. */
export function reserveTokenOf(
  pool: PoolState,
  tokenId: number,
): { readonly asset: ContractId | null; readonly side: 'supply' | 'borrow' } {
  return { asset: assetsOf(pool)[tokenId >> 1] ?? null, side: (tokenId & 1) === 1 ? 'supply' : 'borrow' }
}

/**
 * BLND, raw, that a claim of one reserve token would pay. 0n where there are no emissions.
 * Also 0n where it is unknown since when the account earns: its entry is written with every change of the balance, but in a pool that predates the
 * index a balance may be unchanged since before. To count from the beginning of all emissions would promise what no claim pays.
 */
export function claimableOf(pool: PoolState, address: Address, tokenId: number, at: At): bigint {
  const { deployment } = pool
  const { asset, side } = reserveTokenOf(pool, tokenId)
  const reserve = asset === null ? undefined : pool.reserves.get(asset)
  const emission = pool.emissions.get(tokenId)
  const config = reserve?.config?.value
  const data = reserve?.data?.value
  if (deployment === null || emission?.data == null || config === undefined || data === undefined) return 0n

  const account = pool.accounts.get(address)
  const positions = account?.positions?.value
  const index = tokenId >> 1
  const balance =
    side === 'borrow'
      ? (positions?.liabilities.get(index) ?? 0n)
      : (positions?.supply.get(index) ?? 0n) + (positions?.collateral.get(index) ?? 0n)
  const user = account?.emissions?.get(tokenId)?.value ?? null
  const isOlder = !pool.listed && (account?.costs?.size ?? 0) > 0 && account?.costs?.has(`${side}:${asset}`) !== true
  if (user === null && isOlder) return 0n
  const unit = tenTo(config.decimals)
  const supply = side === 'borrow' ? data.dSupply : data.bSupply
  const now = BigInt(at.closeTimeSeconds)
  const indexNow = emissionIndexAt(emission.data.value, emission.config?.value ?? emission.data.value.config, supply, unit, now)
  const divisor = unit * epsUnit(pool)
  return earned(user, balance, indexNow, divisor)
}

/** BLND, raw, that a claim of every reserve token would pay. */
export function claimableOfPool(pool: PoolState, address: Address, at: At): bigint {
  let sum = 0n
  for (const tokenId of pool.emissions.keys()) sum += claimableOf(pool, address, tokenId, at)
  return sum
}

/** BLND, raw, that a claim from the pool's backstop would bring. v2 turns it into LP tokens. */
export function claimableOfBackstop({ deployment, backstop, accounts, ...pool }: PoolState, address: Address, at: At): bigint {
  const data = backstop.emission?.value
  const balance = backstop.balance?.value
  if (deployment === null || data === undefined || balance === undefined) return 0n
  const account = accounts.get(address)
  const { shares } = account?.backstop?.value ?? NO_BACKSTOP_SHARES
  const config = backstop.emissionConfig?.value ?? data.config
  const unqueued = balance.shares - balance.queuedShares
  const index = emissionIndexAt(data, config, unqueued, SCALE_7, BigInt(at.closeTimeSeconds))
  return earned(account?.backstopEmission?.value ?? null, shares, index, SCALE_7 * epsUnit({ deployment, ...pool }))
}

/** Queued shares past their unlock time, and the LP tokens that they would pay. The contract may still refuse while the pool has bad debt. */
export function withdrawable(pool: PoolState, address: Address, at: At): { readonly shares: bigint; readonly lpTokens: bigint } {
  const balance = pool.backstop.balance?.value
  let shares = 0n
  for (const queued of pool.accounts.get(address)?.backstop?.value.queue ?? []) {
    if (queued.unlocksAt <= BigInt(at.closeTimeSeconds)) shares += queued.shares
  }
  return { shares, lpTokens: balance === undefined ? 0n : lpTokensOf(shares, balance) }
}

/** v2 counts emissions with seven digits more than BLND has. */
function epsUnit({ deployment }: Pick<PoolState, 'deployment'>): bigint {
  return deployment === null ? 1n : tenTo(scaleOf(deployment.version).epsDecimals - 7)
}
