// What a portfolio must be by the answers of the protocols' own endpoints as of its ledger, and the sums that it must have in itself.

import { Decimal } from '@orrery/pricing'
import { expect } from 'vitest'
import type { Answer } from '../indexed-network.ts'
import type { WholeNetwork } from './whole-network.ts'

type Shown = Answer['data']

const sum = (values: readonly (string | null)[]) => values.reduce((total, value) => total.plus(value ?? 0), new Decimal(0))

/** Deposits, debts and the smallest health factor of each protocol in which the account has something open. */
type Totals = Record<string, { readonly deposited: string; readonly borrowed: string; readonly health: string | null }>

function totalsOfPortfolio({ protocols }: Shown): Totals {
  return Object.fromEntries(
    protocols
      .filter(hasOpen)
      .map((it: Shown) => [it.protocol_id, { deposited: it.deposited_usd, borrowed: it.borrowed_usd, health: it.health_factor }]),
  )
}

/** A protocol without an open position is in the portfolio for its rewards. */
function hasOpen({ positions }: Shown): boolean {
  return Object.values(positions as Record<string, Shown[]>).some((items) => items.length > 0)
}

/** What the protocols' own endpoints answer about the account as of `ledger`. */
interface OwnAnswers {
  readonly totals: Totals
  /** Gains that are not realized of everything that is open, by protocol; null where one is unknown. */
  readonly gains: Readonly<Record<string, string | null>>
  /** Everything that can be claimed, as one line for each reward. */
  readonly rewards: readonly string[]
}

async function answersOfProtocols(
  whole: WholeNetwork,
  address: string,
  ledger: number,
  blendPools: readonly string[],
): Promise<OwnAnswers> {
  const own = async (path: string): Promise<Shown> =>
    (await whole.get(`/v1/users/${address}/positions/${path}?as_of_ledger=${ledger}`)).data
  const [aquarius, soroswap, fxdao, ...blend] = await Promise.all([
    own('aquarius'),
    own('soroswap'),
    own('fxdao'),
    ...blendPools.map((pool) => own(`blend/${pool}`)),
  ])
  const lending = blend.map(({ pool }) => pool)
  const balances = lending.flatMap(({ supply, borrow }) => [...supply, ...borrow])
  const backstops = lending.flatMap(({ backstop }) => backstop ?? [])
  return {
    totals: {
      ...lendingTotals(lending),
      ...liquidityTotals('aquarius', aquarius.pools),
      ...liquidityTotals('soroswap', soroswap.pairs),
      ...vaultTotals(fxdao),
    },
    gains: {
      blend: gainOf(balances.filter(({ metadata }) => metadata.share_amount !== '0')),
      aquarius: gainOf(aquarius.pools.filter(({ metadata }: Shown) => metadata.raw_amount !== '0')),
      soroswap: gainOf(soroswap.pairs),
    },
    rewards: linesOf([
      ...balances.flatMap(({ metadata }) => metadata.claimable),
      ...backstops.flatMap(({ claimable }) => claimable),
      ...aquarius.pools.flatMap(({ metadata }: Shown) => metadata.claimable),
      ...fxdao.locked.flatMap(({ claimable }: Shown) => claimable),
    ]),
  }
}

/** Sum of the gains of what has a cost. */
function gainOf(shown: readonly { readonly cost_basis: Shown }[]): string | null {
  const gains = shown.flatMap(({ cost_basis }) => (cost_basis === null ? [] : [cost_basis.unrealized_usd]))
  return gains.includes(null) ? null : sum(gains).toFixed()
}

/** Of one source and token together: emissions of a pool are one reward, and one for each balance where balances are shown. */
function linesOf(rewards: readonly Shown[]): string[] {
  const groups = Map.groupBy(rewards, ({ source, contract, asset_id }) => `${source} ${contract} ${asset_id}`)
  return [...groups].map(([of, all]) => `${of} ${sum(all.map(({ amount }) => amount)).toFixed()}`).sort()
}

/** Items add up to pools, pools to protocols, protocols to the total. */
function expectSums(portfolio: Shown): void {
  const { address, protocols } = portfolio
  for (const { protocol_id, pools, positions, rewards, ...entry } of protocols) {
    const { liabilities, ...deposits } = positions
    const items = Object.values(deposits as Record<string, Shown[]>).flat()
    const sums = {
      deposited: sum(items.map(({ usd_value }) => usd_value)),
      borrowed: sum(liabilities.map(({ usd_value }: Shown) => usd_value)),
      claimable: sum(rewards.map(({ usd_value }: Shown) => usd_value)),
    }
    const ofPools = {
      deposited: sum(pools.map(({ deposited_usd }: Shown) => deposited_usd)),
      borrowed: sum(pools.map(({ borrowed_usd }: Shown) => borrowed_usd)),
      claimable: sum(pools.map(({ claimable_usd }: Shown) => claimable_usd)),
    }
    const ofEntry = { deposited: entry.deposited_usd, borrowed: entry.borrowed_usd, claimable: entry.claimable_usd }
    const about = { address, protocol_id }
    expect({ about, ...textsOf(sums) }).toEqual({ about, ...ofEntry })
    expect({ about, ...textsOf(ofPools) }).toEqual({ about, ...ofEntry })
    for (const { net_usd, deposited_usd, borrowed_usd } of pools)
      expect(net_usd).toBe(new Decimal(deposited_usd).minus(borrowed_usd).toFixed())
  }
  expect(portfolio.total_claimable_usd).toBe(sum(protocols.map(({ claimable_usd }: Shown) => claimable_usd)).toFixed())
}

const textsOf = (sums: Readonly<Record<string, { toFixed(): string }>>) =>
  Object.fromEntries(Object.entries(sums).map(([name, value]) => [name, value.toFixed()]))

/** Gains of the items, by protocol. */
function gainsOf({ protocols }: Shown): Record<string, string | null> {
  const of = (id: string, names: readonly string[]) => {
    const positions: Record<string, Shown[]> = protocols.find((it: Shown) => it.protocol_id === id)?.positions ?? {}
    return gainOf(names.flatMap((name) => (positions[name] ?? []).map(({ metadata }) => metadata)))
  }
  return { blend: of('blend', ['collateral', 'supply', 'liabilities']), aquarius: of('aquarius', ['lp']), soroswap: of('soroswap', ['lp']) }
}

function lendingTotals(pools: readonly Shown[]): Totals {
  const held = pools.flatMap(({ supply, borrow }) => [...supply, ...borrow]).filter(({ metadata }) => metadata.share_amount !== '0')
  const backstops = pools.flatMap(({ backstop }) => (backstop === null || backstop.usd_value === '0' ? [] : [backstop]))
  if (held.length + backstops.length === 0) return {}
  const supplied = pools.flatMap(({ supply }) => supply.map((it: Shown) => it.usd_value))
  return {
    blend: {
      deposited: sum([...supplied, ...backstops.map((it) => it.usd_value)]).toFixed(),
      borrowed: sum(pools.flatMap(({ borrow }) => borrow.map((it: Shown) => it.usd_value))).toFixed(),
      health: smallest(pools.map(({ health_factor }) => health_factor)),
    },
  }
}

/** A pool that the account left and that still owes it rewards is no position of the portfolio. */
function liquidityTotals(protocol: string, pools: readonly Shown[]): Totals {
  const open = pools.filter(({ metadata }) => metadata.raw_amount !== '0')
  if (open.length === 0) return {}
  return { [protocol]: { deposited: sum(open.map(({ net_usd }) => net_usd)).toFixed(), borrowed: '0', health: null } }
}

function vaultTotals({ vaults, locked }: Shown): Totals {
  if (vaults.length + locked.length === 0) return {}
  return {
    fxdao: {
      deposited: sum([...vaults.map((it: Shown) => it.collateral_usd), ...locked.map((it: Shown) => it.usd_value)]).toFixed(),
      borrowed: sum(vaults.map((it: Shown) => it.debt_usd)).toFixed(),
      health: smallest(vaults.map((it: Shown) => it.health_factor)),
    },
  }
}

function smallest(healths: readonly (string | null)[]): string | null {
  const known = healths.filter((health) => health !== null)
  return known.length === 0 ? null : known.reduce((a, b) => (new Decimal(a).lte(b) ? a : b))
}

/** Pools of Blend as of a ledger. */
export async function blendPoolsAt(whole: WholeNetwork, ledger: number): Promise<string[]> {
  const { data } = await whole.get(`/v1/protocols/blend/reserves?as_of_ledger=${ledger}`)
  return [...new Set<string>(data.backstops.map(({ contract }: Shown) => contract))]
}

/**
 * Compares a portfolio as of `ledger` with itself and with the protocols' own endpoints as of that ledger.
 * @returns Whether the account owns something.
 */
export async function comparePortfolio(
  whole: WholeNetwork,
  portfolio: Shown,
  ledger: number,
  blendPools: readonly string[],
): Promise<boolean> {
  const { address } = portfolio
  const { totals, gains, rewards } = await answersOfProtocols(whole, address, ledger, blendPools)
  expectSums(portfolio)
  expect({ address, ledger, gains: gainsOf(portfolio) }).toEqual({ address, ledger, gains })
  const claims = linesOf(portfolio.protocols.flatMap((it: Shown) => it.rewards))
  expect({ address, ledger, claims }).toEqual({ address, ledger, claims: rewards })
  expect({ address, ledger, totals: totalsOfPortfolio(portfolio) }).toEqual({ address, ledger, totals })
  const protocols = Object.values(totals)
  const net = sum(protocols.map(({ deposited }) => deposited)).minus(sum(protocols.map(({ borrowed }) => borrowed)))
  expect({ address, ledger, net: portfolio.total_value_usd, health: portfolio.aggregate_health_factor }).toEqual({
    address,
    ledger,
    net: net.toFixed(),
    health: smallest(protocols.map(({ health }) => health)),
  })
  return protocols.length > 0
}

/** The portfolios of all accounts as of a ledger from the endpoint of several accounts, by account. */
export async function portfoliosAsOf(whole: WholeNetwork, accounts: Iterable<string>, ledger: number): Promise<ReadonlyMap<string, Shown>> {
  const addresses = [...accounts]
  const groups = Array.from({ length: Math.ceil(addresses.length / 100) }, (_, n) => addresses.slice(n * 100, (n + 1) * 100))
  const answers = await Promise.all(groups.map((group) => whole.get(`/v1/positions?addresses=${group}&as_of_ledger=${ledger}`)))
  return new Map(answers.flatMap(({ data }) => data.portfolios.map((it: Shown) => [it.address, it])))
}
