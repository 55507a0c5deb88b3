// The Comet pool of BLND and USDC: what it implies for BLND, and what its LP tokens are worth.
// It is a weighted pool (80 % BLND, 20 % USDC), so a price is the ratio of balances over weights, and an LP token 1 / weight of its USDC.
// It was drained once (August 2026): below 1,000 USD of USDC it gives no price, neither of BLND nor of its LP tokens.

import { type ValuedToken, valuedToken } from '@orrery/fold-kit'
import type { ContractId } from '@orrery/ledger'
import { type At, type PoolQuote, PRICE_SCALE, type Pricing, ratio, tenTo } from '@orrery/pricing'
import type { Network, Price } from '@orrery/protocol-kit'
import type { CometRecords } from '../chain/values.ts'
import { perLpToken } from '../math/backstop-math.ts'
import { SCALE_7 } from '../math/scale.ts'
import type { BlendState } from '../state/state.ts'
import { assetInfo, LP_DECIMALS } from './asset.ts'

/** What values are made with. */
export interface Valuer {
  readonly network: Network
  readonly pricing: Pricing
}

/** Comet LP tokens at a moment. */
export interface ValuedLp {
  readonly comet: ContractId
  readonly token: ValuedToken
  /** ⌊balance · 1e7 / total⌋: what one LP token stands for, 7 decimals. */
  readonly blndPerLp: bigint
  readonly usdcPerLp: bigint
}

/** The least value of the pool's USDC at which its price counts, USD: the depth that pricing asks of every pool. */
const MIN_DEPTH_USD = 1_000n

/** The LP tokens of a Comet pool, or null while it is not known. */
export function valueLp(state: BlendState, comet: ContractId, at: At, valuer: Valuer): ValuedLp | null {
  const known = state.comets.get(comet)
  const deployment = valuer.network.deployments.blend.find(({ backstopToken }) => backstopToken === comet)
  const records = known?.records?.value
  const total = known?.totalShares?.value ?? 0n
  if (records === undefined || deployment === undefined) return null
  const price = lpPrice(state, comet, deployment.usdc, records, total, at, valuer)
  return {
    comet,
    token: valuedToken(assetInfo(state, comet, valuer.network), price),
    blndPerLp: perLpToken(records, total, deployment.blnd) ?? 0n,
    usdcPerLp: perLpToken(records, total, deployment.usdc) ?? 0n,
  }
}

/**
 * USDC of the pool over its weight, for each LP token:
 *
 *   price(LP) = USDC / weight / total · price(USDC)             the contract's own spot: 5 · USDC per LP token
 *
 * Source: backstop/src/backstop/pool.rs, `calc_pool_backstop_threshold`; blend-sdk-js src/backstop/backstop_token.ts, `lpTokenPrice`.
 */
function lpPrice(
  state: BlendState,
  comet: ContractId,
  usdc: ContractId,
  records: CometRecords,
  total: bigint,
  at: At,
  valuer: Valuer,
): Price | null {
  const record = records.get(usdc)
  const { decimals } = assetInfo(state, usdc, valuer.network)
  const price = valuer.pricing.priceOf(state.pricing, usdc, at)
  if (record === undefined || decimals === null || price === null || record.weight <= 0n || total <= 0n) return null
  const { value } = valuedToken({ asset: usdc, symbol: '', decimals, tags: [] }, price)
  if ((value(record.balance) ?? 0n) < MIN_DEPTH_USD * 100_000_000n) return null
  const [whole, part = ''] = price.usd.split('.') as [string, string?]
  const numerator = record.balance * SCALE_7 * BigInt(whole + part) * tenTo(LP_DECIMALS)
  const denominator = record.weight * total * tenTo(decimals) * tenTo(part.length)
  return { usd: ratio(numerator, denominator, PRICE_SCALE), source: `pool:${comet}`, observedAtSeconds: price.observedAtSeconds }
}

/**
 * The Comet pools of the network as sources of prices: the rate is that of balances over weights, without fee. In the registry's order, which
 * a restart does not change: the first that is deep enough gives the price.
 */
export function cometQuotes({ comets }: BlendState, { deployments }: Network): PoolQuote[] {
  return [...new Set(deployments.blend.map(({ backstopToken }) => backstopToken))].flatMap((comet) => {
    const records = comets.get(comet)?.records ?? null
    if (records === null) return []
    const tokens = [...records.value.keys()]
    const held = [...records.value.values()]
    return [
      {
        contract: comet,
        tokens,
        reserves: held.map(({ balance }) => balance),
        rate(of: number, against: number) {
          const [given, got] = [held[of], held[against]]
          if (given === undefined || got === undefined || given.balance <= 0n || got.balance <= 0n) return null
          return { numerator: got.balance * given.weight, denominator: given.balance * got.weight }
        },
      },
    ]
  })
}
