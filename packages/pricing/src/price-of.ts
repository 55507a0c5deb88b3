// The USD price of an asset, by the rules of docs/pricing.md in their order.
// Pure: the same state and moment give the same price in a fold and in an answer.

import type { ContractId } from '@orrery/ledger'
import type { At, DecimalsOf, DecimalText, OracleConfig, PoolQuote, Price } from '@orrery/protocol-kit'
import { hasPar } from './coin-list.ts'
import { assetName, type FeedFacts, type OracleAsset, type OraclePrice, otherAsset } from './oracle.ts'
import type { Sources } from './sources.ts'
import type { PricingState } from './state.ts'
import { divHalfUp, fraction, PRICE_SCALE, ratio, tenTo } from './usd.ts'

/** A price older than this is not used, whatever its source is: Blend's pools refuse it, too (pool/src/pool/pool.rs). */
export const MAX_AGE_SECONDS = 86_400
/** Least value in USD of the priced side of a pool. With less, any account could manipulate the price of the pool cheaply. */
const MIN_DEPTH_USD = 1_000n

const USD = otherAsset('USD')

export interface PriceOptions {
  /** The valued pool's own oracle (rule 1). */
  readonly ownOracle?: ContractId
  /** The valued pool itself (rule 3, before the registry's price pools). */
  readonly impliedBy?: readonly PoolQuote[]
  /** Decimals of tokens in pools. Default: those of the registry's asset hints. */
  readonly decimalsOf?: DecimalsOf
}

export function priceOf(sources: Sources, state: PricingState, asset: ContractId, at: At, options: PriceOptions): Price | null {
  const own = sources.oracles.find(({ contract }) => contract === options.ownOracle)
  const ownPrice = own === undefined ? null : oracleQuote(sources, state, own, asset, at)
  if (ownPrice !== null) return ownPrice
  if (own !== undefined && asksUnreadSource(sources, state, own.contract, asset)) return null
  return oraclePriceOf(sources, state, asset, at) ?? impliedPriceOf(sources, state, asset, at, options)
}

/**
 * Whether an aggregator takes the asset's price from an oracle that this build cannot read. The price of a pool that uses the aggregator is then
 * unknown: the price of another oracle or pool is not the one by which the pool lends and liquidates.
 */
function asksUnreadSource(sources: Sources, state: PricingState, oracle: ContractId, asset: ContractId): boolean {
  const aggregator = state.aggregators.get(oracle)
  if (aggregator === undefined) return false
  const asked = firstOf(sources.namesOf(asset), (name) => (aggregator.isBase(name) ? null : aggregator.sourceOf(name)))
  return asked !== null && !state.reflectors.has(asked)
}

/** Rule 2: the first oracle of the registry that has a price. */
export function oraclePriceOf(sources: Sources, state: PricingState, asset: ContractId, at: At): Price | null {
  return firstOf(sources.oracles, (oracle) => oracleQuote(sources, state, oracle, asset, at))
}

/** The USD price of a token from one oracle. Null if the oracle does not list it, the price is too old, or its base is not USD. */
export function oracleQuote(sources: Sources, state: PricingState, oracle: OracleConfig, token: ContractId, at: At): Price | null {
  const { ledger, closeTimeSeconds } = state.quotesOf
  if (ledger !== at.ledger || closeTimeSeconds !== at.closeTimeSeconds) state.quotes.clear()
  state.quotesOf = at
  let quotes = state.quotes.get(oracle.contract)
  if (quotes === undefined) {
    quotes = new Map()
    state.quotes.set(oracle.contract, quotes)
  }
  let price = quotes.get(token)
  if (price === undefined) {
    price = readQuote(sources, state, oracle, token, at)
    quotes.set(token, price)
  }
  return price
}

function readQuote(sources: Sources, state: PricingState, oracle: OracleConfig, token: ContractId, at: At): Price | null {
  const { contract, kind } = oracle
  const quote = kind === 'fxdao_currencies' ? currencyQuote(state, oracle, token, at) : listedQuote(sources, state, contract, token, at)
  if (quote === null || quote.numerator <= 0n || quote.denominator <= 0n) return null
  if (at.closeTimeSeconds - quote.observedAtSeconds > MAX_AGE_SECONDS) return null
  return {
    usd: ratio(quote.numerator, quote.denominator, PRICE_SCALE),
    source: `oracle:${contract}`,
    observedAtSeconds: quote.observedAtSeconds,
  }
}

/** The oracle's own `lastprice`. */
export function lastPrice(state: PricingState, oracle: ContractId, asset: OracleAsset, at: At): OraclePrice | null {
  const feedOf = (contract: ContractId) => state.reflectors.get(contract) ?? null
  return (
    state.reflectors.get(oracle)?.lastPrice(asset, at) ??
    state.aggregators.get(oracle)?.lastPrice(asset, at, feedOf) ??
    state.currencyRates.get(oracle)?.lastPrice(asset, at) ??
    null
  )
}

export function feedFacts(state: PricingState, oracle: ContractId): FeedFacts | null {
  return state.reflectors.get(oracle)?.facts() ?? state.aggregators.get(oracle)?.facts() ?? state.currencyRates.get(oracle)?.facts() ?? null
}

/** What `lastprice` would answer at a price in USD: rounded half up to the oracle's decimals. */
export function usdAnswer(sources: Sources, state: PricingState, oracle: ContractId, usd: DecimalText, at: At): OraclePrice | null {
  const facts = feedFacts(state, oracle)
  if (facts === null || !countsAsUsd(sources, facts.base)) return null
  const { numerator, denominator } = fraction(usd)
  const price = divHalfUp(numerator * tenTo(facts.decimals), denominator)
  return price === 0n ? null : { price, timestampSeconds: at.closeTimeSeconds }
}

interface UsdQuote {
  readonly numerator: bigint
  readonly denominator: bigint
  readonly observedAtSeconds: number
}

/** SEP-40: price · 10^-decimals units of the base for one token. */
function listedQuote(sources: Sources, state: PricingState, oracle: ContractId, token: ContractId, at: At): UsdQuote | null {
  const facts = feedFacts(state, oracle)
  if (facts === null || !countsAsUsd(sources, facts.base)) return null
  const found = firstOf(sources.namesOf(token), (name) => lastPrice(state, oracle, name, at))
  return found === null ? null : { numerator: found.price, denominator: tenTo(facts.decimals), observedAtSeconds: found.timestampSeconds }
}

/**
 * FxDAO's feed has r(d): units of currency d for one XLM.
 *
 *   XLM in USD         = r(USD) / 10^decimals
 *   coin of d in USD   = r(USD) / r(d)                at par: one coin is one unit of its currency
 *
 * A coin is priced only by the feed of its vaults, and only while the vaults of its currency hold collateral: par is the amount that a coin
 * repays or redeems, so without collateral it has no price.
 */
function currencyQuote(state: PricingState, oracle: OracleConfig, token: ContractId, at: At): UsdQuote | null {
  const rates = state.currencyRates.get(oracle.contract)
  const usd = rates?.lastPrice(USD, at) ?? null
  if (rates === undefined || usd === null) return null
  const { base, decimals } = currencyBase(state, oracle)
  if (base === token) return { numerator: usd.price, denominator: tenTo(decimals), observedAtSeconds: usd.timestampSeconds }
  const denomination = denominationAtPar(state, oracle.contract, token, at)
  const rate = denomination === null ? null : rates.lastPrice(otherAsset(denomination), at)
  if (rate === null) return null
  return { numerator: usd.price, denominator: rate.price, observedAtSeconds: Math.min(usd.timestampSeconds, rate.timestampSeconds) }
}

/** The base of FxDAO's feed. The feed reports it only when it is initialized, so an index that began later uses the registry. */
export function currencyBase(
  state: PricingState,
  { contract, base, decimals }: OracleConfig,
): { readonly base: string; readonly decimals: number } {
  const facts = state.currencyRates.get(contract)?.facts() ?? null
  if (facts !== null) return { base: assetName(facts.base), decimals: facts.decimals }
  return { base: base.kind === 'asset' ? base.asset : `other:${base.symbol}`, decimals }
}

/** The denomination of a coin that is at par and whose vaults use the feed. */
function denominationAtPar(state: PricingState, oracle: ContractId, token: ContractId, at: At): string | null {
  return firstOf(state.coinLists.values(), ({ oracle: feed, coins }) => {
    const coin = feed === oracle ? coins.get(token) : undefined
    return coin !== undefined && hasPar(coin, at) ? coin.denomination : null
  })
}

function countsAsUsd(sources: Sources, base: OracleAsset): boolean {
  return base.kind === 'other' ? base.symbol === 'USD' : sources.network.usdPegs.some(({ asset }) => asset === base.contract)
}

/** Rule 3: the valued pool itself, then the registry's price pools in their order. */
function impliedPriceOf(sources: Sources, state: PricingState, asset: ContractId, at: At, options: PriceOptions): Price | null {
  const decimalsOf = options.decimalsOf ?? ((token: ContractId) => sources.network.assets[token]?.decimals ?? null)
  const implied = (pool: PoolQuote | null) => (pool === null ? null : impliedBy(sources, state, pool, asset, at, decimalsOf))
  return (
    firstOf(options.impliedBy ?? [], implied) ??
    firstOf(sources.pricePools, ({ contract }) => implied(state.pools.get(contract)?.quote(at) ?? null))
  )
}

/**
 * One hop: the pool's rate against a token that an oracle prices and of which the pool holds at least 1,000 USD.
 * In a pool with several such tokens, the one with the most USD is used (the first of them if they are equal).
 *
 *   price = priceOf(token) · rate · 10^(decimals(asset) − decimals(token))        rate = raw units of token for a raw unit of asset
 */
export function impliedBy(
  sources: Sources,
  state: PricingState,
  pool: PoolQuote,
  asset: ContractId,
  at: At,
  decimalsOf: DecimalsOf,
): Price | null {
  const place = pool.tokens.indexOf(asset)
  const assetDecimals = decimalsOf(asset)
  if (place < 0 || assetDecimals === null) return null

  let deepest: { depth: bigint; price: Price } | null = null
  for (const [n, token] of pool.tokens.entries()) {
    const reference = token === asset ? null : oraclePriceOf(sources, state, token, at)
    const decimals = decimalsOf(token)
    const rate = reference === null || decimals === null ? null : pool.rate(place, n, decimalsOf)
    if (reference === null || decimals === null || rate === null) continue
    const { numerator, denominator } = fraction(reference.usd)
    // Compared at the scale of prices, with every reserve brought to it: no division before the comparison.
    const depth = ((pool.reserves[n] ?? 0n) * numerator * tenTo(PRICE_SCALE)) / (denominator * tenTo(decimals))
    if (depth < MIN_DEPTH_USD * tenTo(PRICE_SCALE) || (deepest !== null && depth <= deepest.depth)) continue
    const usd = ratio(numerator * rate.numerator * tenTo(assetDecimals), denominator * rate.denominator * tenTo(decimals), PRICE_SCALE)
    deepest = { depth, price: { usd, source: `pool:${pool.contract}`, observedAtSeconds: reference.observedAtSeconds } }
  }
  return deepest?.price ?? null
}

function firstOf<T, R>(items: Iterable<T>, find: (item: T) => R | null): R | null {
  for (const item of items) {
    const found = find(item)
    if (found !== null) return found
  }
  return null
}
