export type { OracleAsset, OraclePrice } from './oracle.ts'
export {
  constantProductQuote,
  type DecimalsOf,
  type PoolQuote,
  type PoolRate,
  type PricePoolFacts,
  type PricePoolReader,
} from './price-pool.ts'
export { type At, type PriceOptions, type Pricing, type PricingRows, pricing } from './pricing.ts'
export type { PricingState } from './state.ts'
export { Decimal, PRICE_SCALE, ratio, scaledText, USD_SCALE, usd } from './usd.ts'
