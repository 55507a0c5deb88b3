// The value of a pool: its reserves accrued to a close time, at the prices that hold for the pool.
// Prices follow the rules of docs/pricing.md: the pool's own oracle, another one, the Comet pool, a price pool, none.
// An unpriced part has no value and is counted, never taken as zero.

import { type UsdUnits, usdText, type ValuedToken, valuedToken } from '@orrery/fold-kit'
import type { ContractId } from '@orrery/ledger'
import { type At, type OraclePrice, type PoolQuote, stellarAsset } from '@orrery/pricing'
import type { BlendDeployment, DecimalText, Price } from '@orrery/protocol-kit'
import type { PoolInstance, ReserveConfig, ReserveData } from '../chain/values.ts'
import { accrue, borrowRate, debtOf, supplyRate, underlyingOf, utilization } from '../math/accrual.ts'
import { compound, type Rate8 } from '../math/rates.ts'
import { assetsOf, type BlendState, type PoolState, type ReserveState } from '../state/state.ts'
import { assetInfo } from './asset.ts'
import { cometQuotes, type ValuedLp, type Valuer, valueLp } from './lp-value.ts'

/** A price older than this stops the pool: pool/src/pool/pool.rs, `load_price`. */
const MAX_PRICE_AGE_SECONDS = 86_400

/** Prices that a client gives, USD for one token, by asset. */
export type GivenPrices = ReadonlyMap<ContractId, DecimalText>

/** A reserve accrued to the close time, with its price and rates. */
export interface ValuedReserve {
  readonly state: ReserveState
  readonly asset: ContractId
  readonly index: number
  readonly config: ReserveConfig
  /** Accrued to the close time: for reading only, never stored. */
  readonly data: ReserveData
  /** The asset at the price that holds for this pool. */
  readonly token: ValuedToken
  /** What the pool's own oracle answers, in its own base and decimals. Null: it has no price, or one that is too old. */
  readonly own: OraclePrice | null
  /** Underlying of the whole reserve, raw. */
  readonly supplied: bigint
  readonly borrowed: bigint
  /** 7 decimals. */
  readonly utilization: bigint
  readonly borrowApr: bigint
  readonly supplyApr: bigint
  readonly borrowApy: Rate8
  readonly supplyApy: Rate8
}

export interface ValuedPool {
  readonly pool: PoolState
  readonly instance: PoolInstance
  readonly deployment: BlendDeployment
  readonly at: At
  /** By reserve index. Undefined: a reserve whose entries are not known. */
  readonly reserves: readonly (ValuedReserve | undefined)[]
  /** Of the pool's own oracle, null where it is not known. */
  readonly oracleDecimals: number | null
  readonly blnd: ValuedToken
  /** Null while the Comet pool is not known. */
  readonly lp: ValuedLp | null
  /** Sums of the priced parts. */
  readonly suppliedUsd: UsdUnits
  readonly borrowedUsd: UsdUnits
  /** Reserves with something in them and without a price. */
  readonly unpricedAssets: number
}

/**
 * The pool at the close time of `at`, or null while its instance is not known.
 *
 * @param given Prices of reserves in place of those of the pool's oracle. BLND and LP tokens keep the prices of the network.
 */
export function valuePool(state: BlendState, pool: PoolState, at: At, valuer: Valuer, given?: GivenPrices): ValuedPool | null {
  const { deployment } = pool
  const instance = pool.instance?.value
  if (instance === undefined || deployment === null) return null
  const place = { state, deployment, instance, at, valuer, given, quotes: cometQuotes(state, valuer.network) }
  const reserves = assetsOf(pool).map((asset, index) => valueReserve(pool.reserves.get(asset), asset, index, place))
  const known = reserves.filter((reserve) => reserve !== undefined)
  const supplied = known.map((reserve) => reserve.token.value(reserve.supplied))
  const borrowed = known.map((reserve) => reserve.token.value(reserve.borrowed))
  return {
    pool,
    instance,
    deployment,
    at,
    reserves,
    oracleDecimals: valuer.pricing.feed(state.pricing, instance.oracle)?.decimals ?? null,
    blnd: valueToken(state, deployment.blnd, at, valuer),
    lp: valueLp(state, deployment.backstopToken, at, valuer),
    suppliedUsd: sumOf(supplied),
    borrowedUsd: sumOf(borrowed),
    unpricedAssets: supplied.filter((value) => value === null).length,
  }
}

interface Place {
  readonly state: BlendState
  readonly deployment: BlendDeployment
  readonly instance: PoolInstance
  readonly at: At
  readonly valuer: Valuer
  readonly given: GivenPrices | undefined
  readonly quotes: readonly PoolQuote[]
}

function valueReserve(reserve: ReserveState | undefined, asset: ContractId, index: number, place: Place): ValuedReserve | undefined {
  const config = reserve?.config?.value
  const stored = reserve?.data?.value
  if (reserve === undefined || config === undefined || stored === undefined) return undefined
  const { deployment, instance, at, valuer } = place
  const { version } = deployment
  const data = accrue(stored, config, instance.backstopTakeRate, BigInt(at.closeTimeSeconds), version)
  const util = utilization(data, version)
  const borrowApr = borrowRate(util, data.rateModifier, config, version)
  const supplyApr = supplyRate(borrowApr, util, instance.backstopTakeRate)
  const info = assetInfo(place.state, asset, valuer.network)
  let borrowApy: Rate8 | null = null
  let supplyApy: Rate8 | null = null
  return {
    state: reserve,
    asset,
    index,
    config,
    data,
    // A token without decimals of its own has those of the pool's config.
    token: valuedToken({ ...info, decimals: info.decimals ?? config.decimals }, poolPrice(asset, place)),
    own: ownPrice(asset, place),
    supplied: underlyingOf(data.bSupply, data, version),
    borrowed: debtOf(data.dSupply, data, version),
    utilization: util,
    borrowApr,
    supplyApr,
    // Computed when it is read: of most pools that a ledger touches, one reserve is shown.
    get borrowApy() {
      borrowApy ??= compound(borrowApr, 365)
      return borrowApy
    },
    get supplyApy() {
      supplyApy ??= compound(supplyApr, 52)
      return supplyApy
    },
  }
}

/** The given price, else rule 1 first: the price of the pool's own oracle. */
function poolPrice(asset: ContractId, { state, instance, at, valuer, given, quotes }: Place): Price | null {
  const usd = given?.get(asset)
  if (usd !== undefined) return { usd, source: 'request', observedAtSeconds: at.closeTimeSeconds }
  const decimalsOf = (token: ContractId) => assetInfo(state, token, valuer.network).decimals
  const options = { ownOracle: instance.oracle, impliedBy: quotes, decimalsOf }
  return valuer.pricing.priceOf(state.pricing, asset, at, options)
}

/** The price that the pool itself would use: it asks by token contract, and refuses one that is older than a day. */
function ownPrice(asset: ContractId, { state, instance, at, valuer, given }: Place): OraclePrice | null {
  const usd = given?.get(asset)
  if (usd !== undefined) return valuer.pricing.answerOf(state.pricing, instance.oracle, usd, at)
  const price = valuer.pricing.lastPrice(state.pricing, instance.oracle, stellarAsset(asset), at)
  if (price === null || price.price <= 0n || price.timestampSeconds + MAX_PRICE_AGE_SECONDS < at.closeTimeSeconds) return null
  return price
}

/** A token at the network's price: no lending pool's own oracle. */
export function valueToken(state: BlendState, asset: ContractId, at: At, valuer: Valuer): ValuedToken {
  const lp = state.comets.has(asset) ? valueLp(state, asset, at, valuer) : null
  return lp?.token ?? valuedToken(assetInfo(state, asset, valuer.network), networkPrice(state, asset, at, valuer))
}

function networkPrice(state: BlendState, asset: ContractId, at: At, { network, pricing }: Valuer): Price | null {
  const decimalsOf = (token: ContractId) => assetInfo(state, token, network).decimals
  return pricing.priceOf(state.pricing, asset, at, { impliedBy: cometQuotes(state, network), decimalsOf })
}

/** USD as text, 8 decimals at most; null without a price. */
export function usdOrNull(value: UsdUnits | null): DecimalText | null {
  return value === null ? null : usdText(value)
}

function sumOf(values: readonly (UsdUnits | null)[]): UsdUnits {
  return values.reduce<UsdUnits>((sum, value) => sum + (value ?? 0n), 0n)
}
