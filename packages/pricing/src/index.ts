export type { PricingRows } from './apply.ts'
export { type At, type FeedFacts, type OracleAsset, type OraclePrice, otherAsset, stellarAsset } from './oracle.ts'
export type { PriceOptions } from './price-of.ts'
export {
  constantProductQuote,
  type DecimalsOf,
  type PoolQuote,
  type PoolRate,
  type PricePoolFacts,
  type PricePoolReader,
} from './price-pool.ts'
export { type Pricing, pricing } from './pricing.ts'
export type { PricingState } from './state.ts'
export { Decimal, PRICE_SCALE, ratio, scaledText, tenTo, USD_SCALE, usd } from './usd.ts'
