// An account's parts in the lending pools at a checkpoint and their sum, from the recorded answers: the expected point of the summary's history.
// Pools are isolated: the health factor is the smallest of them, the borrow limit the largest, net APY is weighted by net value (api-decisions 6).

import type { Checkpoint, Registry } from './checkpoint.ts'
import { ExpectedPool } from './expected-blend.ts'
import { ExpectedAccount, total } from './expected-blend-account.ts'
import { largest, netOf, smallest, weighted } from './expected-portfolio.ts'
import { ExpectedPrices } from './expected-prices.ts'
import { type Fraction, usdText, ZERO } from './fraction.ts'

/** What one account has in one pool. */
export interface ExpectedPart {
  /** Null where the contract was not asked. */
  account: ExpectedAccount | null
  /** Backstop shares and their USD; null where the contract was not asked. */
  deposit: { readonly shares: bigint; readonly usd: Fraction | null } | null
}

/** The values of a point, as the wire writes them. */
export interface ExpectedSummary {
  readonly borrow_limit_pct: string | null
  readonly borrowed_usd: string | null
  readonly deposited_usd: string | null
  readonly health_factor: string | null
  readonly net_apy: string | null
  readonly supplied_usd: string | null
}

/** Parts by `address pool`, of the pools of the factories. */
export function partsAt(at: Checkpoint, registry: Registry): Map<string, ExpectedPart> {
  const prices = new ExpectedPrices(at, registry)
  const lines = at.of('blend.pool').filter((line) => line.from_factory === true)
  const pools = new Map(lines.map((line) => [line.contract, new ExpectedPool(line, at, prices)]))
  const parts = new Map<string, ExpectedPart>()
  const partOf = (address: unknown, contract: unknown): ExpectedPart => {
    const key = `${address} ${contract}`
    const part = parts.get(key) ?? { account: null, deposit: null }
    parts.set(key, part)
    return part
  }
  for (const line of at.of('blend.user')) {
    const pool = pools.get(line.contract)
    if (pool !== undefined) partOf(line.address, line.contract).account = new ExpectedAccount(line, pool)
  }
  for (const line of at.of('blend.backstop_user')) {
    const pool = pools.get(String(line.pool))
    if (pool === undefined) continue
    const shares = BigInt(line.all_shares as string)
    const usd = shares === 0n ? ZERO : (pool.backstop()?.valueOfShares(shares) ?? null)
    partOf(line.address, line.pool).deposit = { shares, usd }
  }
  return parts
}

/** Whether there is nothing in the pool: then its last snapshot is one of zeros, however old. */
export function isEmpty({ account, deposit }: ExpectedPart): boolean {
  return (account === null || account.supply.length + account.borrow.length === 0) && (deposit === null || deposit.shares === 0n)
}

/** Everything that is in the pool with debts added instead of subtracted; null where a price is missing. */
export function grossUsd({ account, deposit }: ExpectedPart): Fraction | null {
  return total([account?.suppliedUsd ?? notAsked(account), account?.borrowedUsd ?? notAsked(account), depositUsd(deposit)])
}

export function summaryOf(parts: readonly ExpectedPart[]): ExpectedSummary {
  const accounts = parts.flatMap(({ account }) => account ?? [])
  const supplied = total(accounts.map(({ suppliedUsd }) => suppliedUsd))
  const deposits = total(parts.map(({ deposit }) => depositUsd(deposit)))
  return {
    borrow_limit_pct: largest(accounts.map(({ borrowLimitPct }) => borrowLimitPct)),
    borrowed_usd: text(total(accounts.map(({ borrowedUsd }) => borrowedUsd))),
    deposited_usd: text(total([supplied, deposits])),
    health_factor: smallest(accounts.map(({ healthFactor }) => healthFactor)),
    net_apy: usdText(weighted(accounts.map((it) => [netOf(it), it.netApy ?? ZERO]))),
    supplied_usd: text(supplied),
  }
}

const notAsked = (account: ExpectedAccount | null): Fraction | null => (account === null ? ZERO : null)
const depositUsd = (deposit: ExpectedPart['deposit']): Fraction | null => (deposit === null ? ZERO : deposit.usd)
const text = (value: Fraction | null): string | null => (value === null ? null : usdText(value))
