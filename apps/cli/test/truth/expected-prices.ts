// What an asset's price must be at a checkpoint, and who must be named as its source: docs/pricing.md and api-decisions 8 applied to what the
// recorded oracles and pools answered themselves, in the registry's order. Nothing of it comes from Orrery.

import type { ExpectedAnswer } from '@orrery/testkit'
import type { Checkpoint, Registry, RegistryOracle, Words } from './checkpoint.ts'
import { Fraction, usdText } from './fraction.ts'
import { type PoolRates, ratesOfPool } from './pool-rates.ts'

export interface ExpectedPrice {
  /** USD for one whole unit, rounded half up to 18 digits (docs/pricing.md). */
  readonly usd: Fraction
  /** `oracle:<contract>` or `pool:<contract>`. */
  readonly source: string
}

/** An answer that is older than this prices nothing. */
const MAX_AGE_SECONDS = 86_400
/** USD that a pool must hold of the priced side. */
const MIN_DEPTH = Fraction.of(1_000)
const PRICE_DIGITS = 18
/** Decimals of a Comet pool's own token, as its code has them. */
export const LP_DECIMALS = 7

/** What a recorded action did to a vault; null: there was none before. */
interface VaultChange {
  readonly denomination: string
  readonly before: { readonly total_collateral: string } | null
}

export class ExpectedPrices {
  readonly #at: Checkpoint
  readonly #registry: Registry
  readonly #pools: ReadonlyMap<string, PoolRates>

  constructor(at: Checkpoint, registry: Registry) {
    this.#at = at
    this.#registry = registry
    const lines = [...at.of('aquarius.pool'), ...at.of('soroswap.pair')]
    this.#pools = new Map(lines.map((line) => [line.contract, ratesOfPool(line)]))
  }

  /** Rules 2 and 3, as `enrichment.assets` shows it. */
  ofNetwork(asset: string): ExpectedPrice | null {
    return this.ofOracles(asset) ?? this.#implied(asset, this.#pricePools())
  }

  /** The same for Blend, which asks the pool of BLND and USDC before the registry's pools. */
  inBlend(asset: string): ExpectedPrice | null {
    return this.ofOracles(asset) ?? this.#implied(asset, [...this.#comet(), ...this.#pricePools()])
  }

  /** Rule 2: the first oracle of the registry that answers. */
  ofOracles(asset: string): ExpectedPrice | null {
    return this.#registry.oracles.reduce<ExpectedPrice | null>((found, oracle) => found ?? this.ofOracle(oracle.contract, asset), null)
  }

  /** Rules 1 to 3 for a lending pool, which has an oracle of its own. */
  ofPoolWithOracle(oracle: string, asset: string): ExpectedPrice | null {
    return this.ofOracle(oracle, asset) ?? this.inBlend(asset)
  }

  /** Rules 2 and 3 for a token of a liquidity pool, which is asked before the registry's pools. */
  inPool(pool: string, asset: string): ExpectedPrice | null {
    const own = this.#pools.get(pool)
    return this.ofOracles(asset) ?? this.#implied(asset, [...(own === undefined ? [] : [own]), ...this.#pricePools()])
  }

  /** One oracle's price of a token in USD, null where it has none, none recent enough, or none in USD. */
  ofOracle(contract: string, asset: string): ExpectedPrice | null {
    const oracle = this.#registry.oracles.find((it) => it.contract === contract)
    if (oracle === undefined) return null
    const usd = oracle.kind === 'fxdao_currencies' ? this.#currencyPrice(oracle, asset) : this.#listedPrice(oracle, asset)
    return usd === null ? null : { usd: usd.rounded(PRICE_DIGITS), source: `oracle:${contract}` }
  }

  /** The recorded answer that an oracle gave of a token: by its contract, else by the code that it alone has. */
  answerOf(contract: string, asset: string): ExpectedAnswer | null {
    const lines = this.#at.of('oracle.lastprice').filter((line) => line.contract === contract)
    const named = lines.find((line) => (line.asset as Words).stellar === asset && isFresh(line.lastprice, this.#at.closeTime))
    const code = this.#uniqueCode(asset)
    const coded = lines.find((line) => code !== null && (line.asset as Words).other === code && isFresh(line.lastprice, this.#at.closeTime))
    return named ?? coded ?? null
  }

  /** What a pool that asks by contract gets from its oracle, in the oracle's own base and decimals. Null where it is silent or a day old. */
  rawAnswer(contract: string, asset: string): { readonly price: bigint; readonly decimals: number } | null {
    const lines = this.#at.of('oracle.lastprice').filter((line) => line.contract === contract)
    const line = lines.find((it) => (it.asset as Words).stellar === asset)
    if (line === undefined || !isFresh(line.lastprice, this.#at.closeTime)) return null
    const feed = this.#at.of('oracle.feed').find((it) => it.contract === contract)
    const oracle = this.#registry.oracles.find((it) => it.contract === contract)
    return { price: BigInt((line.lastprice as Words).price ?? ''), decimals: Number(feed?.decimals ?? oracle?.decimals) }
  }

  /** A coin of FxDAO in its own protocol: the feed that the vaults believe comes before the order of the network (rules 1 to 3). */
  ofCoin(asset: string): ExpectedPrice | null {
    const { oracle = '' } = this.#at.only('fxdao.core').core_state as Words
    return this.ofOracle(oracle, asset) ?? (this.#at.has('oracle.lastprice') ? this.ofNetwork(asset) : null)
  }

  /**
   * Blend's LP tokens of a Comet pool: its USDC over its weight (one fifth) for each of them, while that USDC is worth 1,000 USD.
   *
   * @param lpToken The Comet pool's contract, which is the token too.
   */
  ofCometShare(lpToken: string): ExpectedPrice | null {
    const comet = this.#at.of('blend.comet').find(({ contract }) => contract === lpToken)
    const deployment = this.#registry.protocols.blend.deployments.find((it) => it.backstop_token === lpToken)
    const { usdc: token = '' } = deployment ?? {}
    const usdc = deployment === undefined ? null : this.ofOracles(token)
    if (comet === undefined || usdc === null) return null
    const held = Fraction.units(comet.usdc as string, this.decimalsOf(token))
    if (held.times(usdc.usd).isLessThan(MIN_DEPTH)) return null
    const price = held
      .times(Fraction.of(5))
      .over(Fraction.units(comet.total_supply as string, LP_DECIMALS))
      .times(usdc.usd)
    return { usd: price.rounded(PRICE_DIGITS), source: `pool:${comet.contract}` }
  }

  /** LP tokens of a backstop of Blend. */
  ofBackstop(backstop: string): ExpectedPrice | null {
    const deployment = this.#registry.protocols.blend.deployments.find((it) => it.backstop === backstop)
    return this.ofCometShare(deployment?.backstop_token ?? '')
  }

  /** What pools of a version of Blend pay as emissions, at the network's price. */
  ofBlnd(version: unknown): ExpectedPrice | null {
    const deployment = this.#registry.protocols.blend.deployments.find((it) => it.version === `v${version}`)
    return deployment === undefined ? null : this.inBlend(deployment.blnd ?? '')
  }

  /** What the pools of a router of Aquarius pay as their reward. */
  rewardTokenOf(router: string): string {
    const deployment = this.#registry.protocols.aquarius.deployments.find((it) => it.router === router)
    if (deployment?.reward_token === undefined) throw new Error(`the registry names no reward token of the router ${router}`)
    return deployment.reward_token
  }

  /** By the registry's hint; an asset without one throws. */
  decimalsOf(asset: string): number {
    const { decimals } = this.#registry.assets[asset] ?? {}
    if (decimals === undefined) throw new Error(`the registry has no decimals of ${asset}`)
    return decimals
  }

  #listedPrice(oracle: RegistryOracle, asset: string): Fraction | null {
    const feed = this.#at.of('oracle.feed').find((line) => line.contract === oracle.contract)
    const answer = this.answerOf(oracle.contract, asset)
    if (answer === null || !this.#isInUsd(oracle, feed)) return null
    return Fraction.units((answer.lastprice as Words).price ?? '', Number(feed?.decimals ?? oracle.decimals))
  }

  /** A feed's own word about what it is quoted in holds over the registry's. */
  #isInUsd({ base }: RegistryOracle, feed: ExpectedAnswer | undefined): boolean {
    const [kind, id] = (feed?.base as string[] | undefined) ?? (base.kind === 'asset' ? ['Stellar', base.asset] : ['Other', base.symbol])
    return kind === 'Other' ? id === 'USD' : this.#registry.usd_pegs.some((peg) => peg.asset === id)
  }

  /** r(USD) for XLM, r(USD) / r(d) for a coin at par of the vaults that believe this feed. */
  #currencyPrice(oracle: RegistryOracle, asset: string): Fraction | null {
    const [core] = this.#at.of('fxdao.core')
    if (core === undefined) throw new Error(`the rates of ${oracle.contract} were not asked at ${this.#at.ledger}, and ${asset} needs them`)
    const isBelieved = (core.core_state as Words).oracle === oracle.contract
    const rate = (matches: (line: ExpectedAnswer) => boolean): Fraction | null => {
      const line = this.#at.of('fxdao.currency').find((it) => it.oracle === oracle.contract && matches(it))
      if (line === undefined || !isFresh(line.price, this.#at.closeTime)) return null
      return Fraction.units((line.price as Words).price ?? '', oracle.decimals)
    }
    if (!isBelieved) {
      if (oracle.base.asset === asset) throw new Error(`no rate of ${oracle.contract} is recorded at ${this.#at.ledger}`)
      return null
    }
    const usd = rate((line) => line.denomination === 'USD')
    if (usd === null || oracle.base.asset === asset) return usd
    const currency = this.#at.of('fxdao.currency').find((line) => (line.currency as Words).contract === asset)
    if (currency === undefined || !this.#isAtPar(currency)) return null
    const own = rate((line) => line.denomination === currency.denomination)
    return own === null ? null : usd.over(own)
  }

  /** A coin is at par while its currency's vaults hold collateral, and in the ledger that takes the last of it out (decision 28). */
  #isAtPar({ denomination, vaults_info }: ExpectedAnswer): boolean {
    if (BigInt((vaults_info as Words).total_col ?? '') > 0n) return true
    const changes = this.#at.of('fxdao.action').flatMap(({ vaults }) => (vaults ?? []) as readonly VaultChange[])
    return changes.some((it) => it.denomination === denomination && BigInt(it.before?.total_collateral ?? 0) > 0n)
  }

  /** Weights of 80 % BLND and 20 % USDC: a price is the ratio of the balances over them. */
  #comet(): PoolRates[] {
    const deployments = this.#registry.protocols.blend.deployments
    return this.#at.of('blend.comet').flatMap(({ contract, blnd, usdc }) => {
      const deployment = deployments.find((it) => it.backstop_token === contract)
      if (deployment === undefined) return []
      const reserves = [BigInt(String(blnd)), BigInt(String(usdc))]
      const weights = [4n, 1n]
      const rate = (of: number, against: number): Fraction | null => {
        const [given, got] = [reserves[of] ?? 0n, reserves[against] ?? 0n]
        return given > 0n && got > 0n ? new Fraction(got * (weights[of] ?? 1n), given * (weights[against] ?? 1n)) : null
      }
      return [{ contract, tokens: [deployment.blnd ?? '', deployment.usdc ?? ''], reserves, rate }]
    })
  }

  #pricePools(): PoolRates[] {
    return this.#registry.price_pools.flatMap(({ contract }) => this.#pools.get(contract) ?? [])
  }

  /** Rule 3: of each pool's other tokens that an oracle prices and of which it holds 1,000 USD the one with the most; one hop. */
  #implied(asset: string, pools: readonly PoolRates[]): ExpectedPrice | null {
    for (const { contract, tokens, reserves, rate } of pools) {
      const place = tokens.indexOf(asset)
      if (place < 0) continue
      const priced = tokens.flatMap((token, n) => {
        const price = n === place ? null : this.ofOracles(token)
        const value = rate(place, n)
        if (price === null || value === null) return []
        return [{ depth: Fraction.units(reserves[n] ?? 0n, this.decimalsOf(token)).times(price.usd), usd: value.times(price.usd), token }]
      })
      const deep = priced.filter(({ depth }) => !depth.isLessThan(MIN_DEPTH))
      const [first, ...others] = deep
      if (first === undefined) continue
      const deepest = others.reduce((best, it) => (best.depth.isLessThan(it.depth) ? it : best), first)
      const scale = new Fraction(10n ** BigInt(this.decimalsOf(asset)), 10n ** BigInt(this.decimalsOf(deepest.token)))
      return { usd: deepest.usd.times(scale).rounded(PRICE_DIGITS), source: `pool:${contract}` }
    }
    return null
  }

  #uniqueCode(asset: string): string | null {
    const code = this.#registry.assets[asset]?.code
    const holders = Object.values(this.#registry.assets).filter((it) => it.code === code)
    return code !== undefined && holders.length === 1 ? code : null
  }
}

/** Above zero and at most a day old. */
export function isFresh(answer: unknown, closeTime: number): boolean {
  if (answer === null || answer === undefined) return false
  const { price, timestamp } = answer as { readonly price: string; readonly timestamp: string }
  return BigInt(price) > 0n && closeTime - Number(timestamp) <= MAX_AGE_SECONDS
}

/** As `price_usd` and `price_source` show it. */
export function priceText(price: ExpectedPrice | null): readonly (string | null)[] {
  return price === null ? [null, null] : [usdText(price.usd), price.source]
}
