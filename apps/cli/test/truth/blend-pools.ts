// Pools of Blend, their backstops and emissions: as `/v1` shows them, and as the recorded contracts answered, by the names of the answer.

import type { ExpectedAnswer } from '@orrery/testkit'
import type { Answer } from '../indexed-network.ts'
import type { Members } from './compared.ts'
import { raw } from './recorded.ts'

type Words = Record<string, string>

/** Digits of the rates, and of the rate modifier, in either version of the contracts. */
const RATE_DIGITS: Readonly<Record<number, number>> = { 1: 9, 2: 12 }
const MODIFIER_DIGITS: Readonly<Record<number, number>> = { 1: 9, 2: 7 }

export interface RecordedPrice {
  readonly price: bigint
  readonly decimals: number
}

/** Prices are computed to 18 digits. */
const PRICE_UNIT = 10n ** 18n

function halfUp(numerator: bigint, denominator: bigint): bigint {
  return (numerator + denominator / 2n) / denominator
}

export function reserveAsShown(shown: Answer['data'], { version }: ExpectedAnswer): Members {
  const rateDigits = RATE_DIGITS[version as number]
  const { metadata } = shown
  return {
    asset: shown.asset_id,
    code: shown.asset_symbol,
    index: String(metadata.index),
    accrued: {
      b_rate: raw(shown.b_rate, rateDigits),
      d_rate: raw(shown.d_rate, rateDigits),
      b_supply: raw(metadata.b_supply),
      d_supply: raw(metadata.d_supply),
      backstop_credit: raw(metadata.backstop_credit),
      ir_mod: raw(metadata.rate_modifier, MODIFIER_DIGITS[version as number]),
    },
    config: {
      decimals: String(shown.decimals),
      c_factor: raw(shown.c_factor),
      l_factor: raw(shown.l_factor),
      max_util: raw(metadata.max_utilization),
      util: raw(metadata.target_utilization),
      ...(version === 2 && { enabled: metadata.enabled, supply_cap: raw(shown.supply_cap) }),
    },
    cash: raw(metadata.cash),
    supplied: [raw(shown.total_supplied), metadata.raw_total_supplied],
    borrowed: [raw(shown.total_borrowed), metadata.raw_total_borrowed],
  }
}

export function reserveAsAnswered({ version, asset, code, index, accrued, config, cash }: ExpectedAnswer): Members {
  const { b_rate = '', d_rate = '', b_supply = '', d_supply = '', backstop_credit, ir_mod } = accrued as Words
  const { decimals, c_factor, l_factor, max_util, util, enabled, supply_cap } = config as Words
  const unit = 10n ** BigInt(RATE_DIGITS[version as number] ?? 0)
  // As the contract turns shares into tokens: what is supplied rounds down, what is owed up.
  const supplied = ((BigInt(b_supply) * BigInt(b_rate)) / unit).toString()
  const borrowed = ((BigInt(d_supply) * BigInt(d_rate) + unit - 1n) / unit).toString()
  return {
    ...{ asset, code, index, cash },
    accrued: { b_rate, d_rate, b_supply, d_supply, backstop_credit, ir_mod },
    config: { decimals, c_factor, l_factor, max_util, util, ...(version === 2 && { enabled, supply_cap }) },
    ...{ supplied: [supplied, supplied], borrowed: [borrowed, borrowed] },
  }
}

/** Words for the number of a pool's status, active to setup. */
const STATUS = ['active', 'active', 'on_ice', 'on_ice', 'frozen', 'frozen', 'setup']

export function poolAsShown(contract: Answer['data'], reserves: readonly Answer['data'][]): Members {
  return {
    name: contract?.name,
    version: contract?.version,
    reserve_list: reserves.toSorted((a, b) => a.metadata.index - b.metadata.index).map(({ asset_id }) => asset_id),
    config: { oracle: [...new Set(reserves.map(({ oracle_contract }) => oracle_contract))], status: contract?.status },
  }
}

export function poolAsAnswered({ name, version, reserve_list, config }: ExpectedAnswer): Members {
  const { oracle, status } = config as Words
  const isEmpty = (reserve_list as unknown[]).length === 0
  return { name, version: `v${version}`, reserve_list, config: { oracle: isEmpty ? [] : [oracle], status: STATUS[Number(status)] } }
}

export function backstopAsShown(shown: Answer['data'], usdcPrice: RecordedPrice | null): Members {
  const { backstop_contract, q4w_shares, shares, lp_tokens, blnd_amount, usdc_amount, q4w_pct, usd_value } = shown
  return {
    contract: backstop_contract,
    balance: { q4w: raw(q4w_shares), shares: raw(shares), tokens: raw(lp_tokens) },
    pool_data: { tokens: raw(lp_tokens), q4w_pct: raw(q4w_pct, 5), blnd: raw(blnd_amount), usdc: raw(usdc_amount) },
    ...(usdcPrice === null ? {} : { usd_value: usd_value === null ? null : raw(usd_value, 8) }),
  }
}

/**
 * The API values LP tokens by the Comet pool as it is, as v2 does. v1 answers with a value that it stored earlier; the recorded Comet pool gives
 * the current one: tokens · ⌊held · 1e7 / total⌋ / 1e7. In dollars an LP token is five times its USDC (a fifth of the weight), at the price of USDC that
 * the named oracle gave; null: the recording has no such answer.
 */
export function backstopAsAnswered(
  { contract, version, balance, pool_data }: ExpectedAnswer,
  comet: ExpectedAnswer | undefined,
  usdcPrice: RecordedPrice | null,
): Members {
  const { total_supply, blnd, usdc } = comet as unknown as Words
  const data = pool_data as Words
  const tokens = BigInt(data.tokens ?? 0)
  const total = BigInt(total_supply ?? 0)
  const worth = (held: string | undefined) => ((tokens * ((BigInt(held ?? 0) * 10_000_000n) / total)) / 10_000_000n).toString()
  const now = version === 1 ? { blnd: worth(blnd), usdc: worth(usdc) } : { blnd: data.blnd, usdc: data.usdc }
  const known = { contract, balance, pool_data: { tokens: data.tokens, q4w_pct: data.q4w_pct, ...now } }
  if (usdcPrice === null) return known
  const price = halfUp(BigInt(usdc ?? 0) * 5n * usdcPrice.price * PRICE_UNIT, total * 10n ** BigInt(usdcPrice.decimals))
  return { ...known, usd_value: halfUp(tokens * price * 10n, PRICE_UNIT).toString() }
}

/** Of a reserve token one side: BLND a second. v1 counts it with 7 digits, v2 with 14. */
export function emissionsAsShown(shown: Answer['data'], { side, version }: ExpectedAnswer): Members {
  const perSecond = side === 'b_token' ? shown?.supply_tokens_per_second : shown?.borrow_tokens_per_second
  return { asset: shown?.asset_address, [version === 1 ? 'config' : 'data']: { eps: raw(perSecond ?? '0', version === 1 ? 7 : 14) } }
}

/** Nothing flows after the expiration. */
export function emissionsAsAnswered({ asset, version, config, data, close_time }: ExpectedAnswer): Members {
  const { eps, expiration } = (version === 1 ? (config ?? {}) : (data ?? {})) as Words
  const isRunning = Number(expiration ?? 0) > close_time
  return { asset, [version === 1 ? 'config' : 'data']: { eps: isRunning ? eps : '0' } }
}
