// An account's portfolio at a checkpoint, from the contracts' answers of all protocols. Sums are of the values as they are shown; net APY is
// weighted by USD over the net value; an account is as healthy as in its weakest pool (api-decisions 6).

import type { ExpectedAnswer } from '@orrery/testkit'
import type { Answer } from '../indexed-network.ts'
import type { Checkpoint, Registry, Words } from './checkpoint.ts'
import { ExpectedPool } from './expected-blend.ts'
import { ExpectedAccount } from './expected-blend-account.ts'
import { feedAt, stakeValue } from './expected-fxdao.ts'
import { ExpectedLiquidityPool } from './expected-liquidity.ts'
import { ExpectedPrices } from './expected-prices.ts'
import { Fraction, sum, usdText, ZERO } from './fraction.ts'

type Shown = Answer['data']

/** Kinds of questions about an account, by protocol. */
const KINDS: Readonly<Record<string, readonly string[]>> = {
  blend: ['blend.user', 'blend.backstop_user'],
  aquarius: ['aquarius.user'],
  soroswap: ['soroswap.shares'],
  fxdao: ['fxdao.vault', 'fxdao.locking_deposit'],
}

/** Which question a line answers: of which account, about what. */
const questionOf = (it: ExpectedAnswer): string => `${it.address} ${it.kind} ${it.contract} ${it.pool ?? it.denomination ?? it.asset ?? ''}`

/** Every question about accounts that a recording has, by account. */
export function questionsByAddress(checkpoints: readonly Checkpoint[]): ReadonlyMap<string, ReadonlySet<string>> {
  const found = new Map<string, Set<string>>()
  for (const line of checkpoints.flatMap((at) => Object.values(KINDS).flatMap((kinds) => kinds.flatMap((kind) => at.of(kind))))) {
    const questions = found.get(String(line.address)) ?? new Set()
    found.set(String(line.address), questions.add(questionOf(line)))
  }
  return found
}

/** A protocol's entry without its items. */
export interface ExpectedEntry {
  readonly protocol_id: string
  readonly deposited_usd: string
  readonly borrowed_usd: string
  readonly health_factor: string | null
  readonly net_apy: string
  readonly estimates: { readonly borrow_cap_usd: string; readonly borrow_limit_pct: string | null }
}

const NOT_LENDING = { borrow_cap_usd: '0', borrow_limit_pct: '0' }

export class ExpectedPortfolio {
  readonly #at: Checkpoint
  readonly #registry: Registry
  readonly #prices: ExpectedPrices
  readonly #pools: ReadonlyMap<string, ExpectedPool>
  readonly #liquidity: ReadonlyMap<string, ExpectedLiquidityPool>

  constructor(at: Checkpoint, registry: Registry) {
    const prices = new ExpectedPrices(at, registry)
    this.#at = at
    this.#registry = registry
    this.#prices = prices
    const lending = at.of('blend.pool').filter((line) => line.from_factory === true)
    this.#pools = new Map(lending.map((line) => [line.contract, new ExpectedPool(line, at, prices)]))
    const liquid = [...at.of('aquarius.pool'), ...at.of('soroswap.pair')]
    this.#liquidity = new Map(liquid.map((line) => [line.contract, new ExpectedLiquidityPool(line, at, prices)]))
  }

  /** Everybody that a contract was asked about. */
  addresses(): Set<string> {
    const kinds = ['blend.user', 'blend.backstop_user', 'aquarius.user', 'soroswap.shares', 'fxdao.vault', 'fxdao.locking_deposit']
    return new Set(kinds.flatMap((kind) => this.#at.of(kind)).map(({ address }) => String(address)))
  }

  /** Whether everything that the recording ever asked of the account in a protocol was asked at this checkpoint. */
  isComplete(protocol: string, address: string, questions: ReadonlySet<string>): boolean {
    const kinds = KINDS[protocol] ?? []
    const asked = new Set(kinds.flatMap((kind) => this.#of(kind, address)).map(questionOf))
    return [...questions].every((question) => !kinds.some((kind) => question.includes(` ${kind} `)) || asked.has(question))
  }

  /** Names of what the answers say is open in a protocol, ascending: the section of the entry, the contract, the asset. */
  open(protocol: string, address: string): string[] {
    return (OPEN[protocol]?.((kind) => this.#of(kind, address), this) ?? []).sort()
  }

  /** Null where a contract gave no answer. Yields of items in pools are the test of fees': they are taken from what is shown. */
  entryOf(protocol: string, address: string, { positions }: Shown): ExpectedEntry | null {
    if (protocol === 'blend') return this.#lending(address)
    return protocol === 'fxdao' ? this.#vaults(address) : this.#liquid(address, protocol, positions.lp)
  }

  /** Raw LP tokens behind shares of a pool's backstop. */
  lpTokens(pool: string, shares: bigint): bigint {
    return this.#pools.get(pool)?.backstop()?.lpOfShares(shares) ?? 0n
  }

  isLendingPool(contract: string): boolean {
    return this.#pools.has(contract)
  }

  /** FxDAO's collateral, and the coin of a currency. */
  tokensOf(denomination: unknown): { readonly collateral: string; readonly coin: string } {
    const currency = this.#at.of('fxdao.currency').find((it) => it.denomination === denomination)?.currency as Words | undefined
    const core = this.#at.only('fxdao.core').core_state as Words
    return { collateral: core.col_token ?? '', coin: currency?.contract ?? '' }
  }

  totalsOf(entries: readonly ExpectedEntry[]): object {
    const net = (it: ExpectedEntry): Fraction => Fraction.of(it.deposited_usd).minus(Fraction.of(it.borrowed_usd))
    return {
      total_value_usd: usdText(sum(entries.map(net))),
      aggregate_health_factor: smallest(entries.map((it) => it.health_factor)),
      aggregate_net_apy: usdText(weighted(entries.map((it) => [net(it), Fraction.of(it.net_apy)]))),
    }
  }

  #of(kind: string, address: string): ExpectedAnswer[] {
    return this.#at.of(kind).filter((line) => line.address === address)
  }

  #lending(address: string): ExpectedEntry | null {
    const accounts = this.#of('blend.user', address).flatMap((line) => {
      const pool = this.#pools.get(line.contract)
      return pool === undefined ? [] : [new ExpectedAccount(line, pool)]
    })
    const stakes = this.#of('blend.backstop_user', address).flatMap((line) => {
      const backstop = this.#pools.get(String(line.pool))?.backstop()
      return backstop?.valueOfShares(BigInt(line.all_shares as string)) ?? []
    })
    const priced = (of: (account: ExpectedAccount) => Fraction | null): Fraction => sum(accounts.flatMap((it) => of(it) ?? []))
    const supplied = sum(accounts.flatMap(({ supply }) => supply.flatMap(({ usd }) => usd ?? [])))
    const borrowed = sum(accounts.flatMap(({ borrow }) => borrow.flatMap(({ usd }) => usd ?? [])))
    const cap = priced((it) => it.effectiveCollateral).minus(priced((it) => it.effectiveDebt))
    return {
      protocol_id: 'blend',
      deposited_usd: usdText(supplied.plus(sum(stakes))),
      borrowed_usd: usdText(borrowed),
      health_factor: smallest(accounts.map(({ healthFactor }) => healthFactor)),
      net_apy: usdText(weighted(accounts.map((it) => [netOf(it), it.netApy ?? ZERO]))),
      estimates: { borrow_cap_usd: usdText(cap), borrow_limit_pct: largest(accounts.map(({ borrowLimitPct }) => borrowLimitPct)) },
    }
  }

  #liquid(address: string, protocol: string, items: readonly Shown[]): ExpectedEntry | null {
    const values = items.map(({ contract, apy }): [Fraction, Fraction] | null => {
      const pool = this.#liquidity.get(contract)
      const line = [...this.#of('aquarius.user', address), ...this.#of('soroswap.shares', address)].find((it) => it.contract === contract)
      const payout = pool === undefined || line === undefined ? null : payoutOf(pool, line)
      if (pool === undefined || payout === null) return null
      return [Fraction.of(pool.position(payout, 0n).net_usd), Fraction.of(apy)]
    })
    if (values.includes(null)) return null
    const known = values.filter((it) => it !== null)
    const deposited = usdText(sum(known.map(([usd]) => usd)))
    return {
      protocol_id: protocol,
      deposited_usd: deposited,
      borrowed_usd: '0',
      health_factor: null,
      net_apy: usdText(weighted(known)),
      estimates: NOT_LENDING,
    }
  }

  #vaults(address: string): ExpectedEntry | null {
    const feed = feedAt(this.#at, this.#registry)
    const vaults = this.#of('fxdao.vault', address).filter(({ vault }) => vault !== null)
    const parts = vaults.map((line) => {
      const currency = this.#at.of('fxdao.currency').find((it) => it.denomination === line.denomination)
      const { total_collateral, total_debt } = line.vault as Words
      const coin = String((currency?.currency as Words | undefined)?.contract)
      const minimum = Fraction.of((currency?.vaults_info as Words | undefined)?.min_col_rate ?? '1')
      return {
        held: feed.value(total_collateral ?? '', feed.core.col_token ?? '') ?? ZERO,
        owed: feed.value(total_debt ?? '', coin) ?? ZERO,
        health: Fraction.of(String(line.collateral_ratio)).over(minimum).text(8),
        limit: minimum
          .times(Fraction.of(100))
          .over(Fraction.of(String(line.collateral_ratio)))
          .text(8),
        minimum,
      }
    })
    const stakes = this.#of('fxdao.locking_deposit', address).flatMap(({ asset, deposit }) => {
      return deposit === null ? [] : (stakeValue((deposit as Words).amount ?? '', String(asset), this.#prices) ?? [])
    })
    return {
      protocol_id: 'fxdao',
      deposited_usd: usdText(sum([...parts.map(({ held }) => held), ...stakes])),
      borrowed_usd: usdText(sum(parts.map(({ owed }) => owed))),
      health_factor: smallest(parts.map(({ health }) => health)),
      net_apy: '0',
      estimates: {
        // What may be owed for the collateral at the minimum ratio, minus what is owed; each vault rounded as it is shown.
        borrow_cap_usd: usdText(
          sum(parts.map(({ held, owed, minimum }) => Fraction.of(usdText(held.over(minimum.over(RATE_ONE)).minus(owed))))),
        ),
        borrow_limit_pct: largest(parts.map(({ limit }) => limit)),
      },
    }
  }
}

/** Ratios of the contract have seven digits. */
const RATE_ONE = Fraction.of(10_000_000)

type LinesOf = (kind: string) => readonly ExpectedAnswer[]

/** What is open by the answers of each protocol. */
const OPEN: Readonly<Record<string, (of: LinesOf, portfolio: ExpectedPortfolio) => string[]>> = {
  blend: (of, portfolio) => [
    ...of('blend.user')
      .filter(({ contract }) => portfolio.isLendingPool(contract))
      .flatMap((line) =>
        (['supply', 'collateral', 'liabilities'] as const).flatMap((side) => {
          const held = Object.entries(line[side] as Words).filter(([, tokens]) => tokens !== '0')
          return held.map(([asset]) => `${side} ${line.contract} ${asset}`)
        }),
      ),
    ...of('blend.backstop_user').flatMap(({ pool, all_shares }) => {
      return portfolio.lpTokens(String(pool), BigInt(String(all_shares))) > 0n ? [`backstop ${pool}`] : []
    }),
  ],
  aquarius: (of) =>
    of('aquarius.user').flatMap(({ contract, share_balance, snapshot }) => {
      const held = share_balance ?? (snapshot as Words | undefined)?.raw_liquidity ?? '0'
      return held === '0' ? [] : [`lp ${contract}`]
    }),
  soroswap: (of) => of('soroswap.shares').flatMap(({ contract, shares }) => (shares === '0' ? [] : [`lp ${contract}`])),
  fxdao: (of, portfolio) => [
    ...of('fxdao.vault').flatMap(({ contract, denomination, vault }) => {
      const { collateral, coin } = portfolio.tokensOf(denomination)
      return vault === null ? [] : [`collateral ${contract} ${collateral}`, `liabilities ${contract} ${coin}`]
    }),
    ...of('fxdao.locking_deposit').flatMap(({ contract, asset, deposit }) => (deposit === null ? [] : [`supply ${contract} ${asset}`])),
  ],
}

/** What an entry shows as open, in the words of `open`. */
export function shownAsOpen({ positions }: Shown): string[] {
  return Object.entries(positions as Record<string, Shown[]>)
    .flatMap(([section, items]) => {
      // For LP tokens the pool decides which.
      const isPool = section === 'lp' || section === 'backstop'
      return items.map(({ contract, asset_id }) => (isPool ? `${section} ${contract}` : `${section} ${contract} ${asset_id}`))
    })
    .filter((name, n, all) => !name.startsWith('backstop') || all.indexOf(name) === n)
    .sort()
}

function payoutOf(pool: ExpectedLiquidityPool, line: ExpectedAnswer): bigint[] | null {
  if (line.kind === 'aquarius.user') return pool.payoutOf(line)
  const amounts = [line.remove_amount_0, line.remove_amount_1].map(String)
  return amounts.every((amount) => /^\d+$/.test(amount)) ? amounts.map(BigInt) : null
}

/** Supplied - borrowed, nothing where a part has no price. */
export function netOf({ suppliedUsd, borrowedUsd }: ExpectedAccount): Fraction {
  return suppliedUsd === null || borrowedUsd === null ? ZERO : suppliedUsd.minus(borrowedUsd)
}

/** Mean of rates by USD, 8 digits; zero where the USD do not add up to something. */
export function weighted(parts: readonly (readonly [usd: Fraction, rate: Fraction])[]): Fraction {
  const total = sum(parts.map(([usd]) => usd))
  return total.sign <= 0
    ? ZERO
    : sum(parts.map(([usd, rate]) => usd.times(rate)))
        .over(total)
        .rounded(8)
}

export function smallest(healths: readonly (string | null)[]): string | null {
  const known = healths.filter((health) => health !== null)
  return known.length === 0 ? null : known.reduce((a, b) => (Fraction.of(b).isLessThan(Fraction.of(a)) ? b : a))
}

/** A debt without a value against it has no limit, and nothing is larger. */
export function largest(limits: readonly (string | null)[]): string | null {
  return limits.reduce((a, b) => (a === null || b === null ? null : Fraction.of(a).isLessThan(Fraction.of(b)) ? b : a), '0')
}
