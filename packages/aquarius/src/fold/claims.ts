// Which events report the same movement: shares minted and burnt belong to deposits and withdraws, ranges to them in concentrated pools,
// hops to paths, and the router's events to those of pools. Claiming looks at events only, never at state, so every partition claims alike.
// Source: docs/protocols/aquarius.md, "Activities".

import type { Address, ContractId } from '@orrery/ledger'
import type { FeesClaim, PoolLiquidity, PoolTrade, RangeChange } from '../chain/pool-events.ts'
import type { ShareMove } from '../chain/share-events.ts'
import { isAdminEvent, type Operation, type OwnEvent, type PoolSeen } from './operation.ts'

/** A swap over one or more pools. */
export interface Path {
  readonly hops: readonly PoolSeen<PoolTrade>[]
  /** The router that carried it out, or null when the pool was called directly. */
  readonly router: ContractId | null
  /** The caller of the router, or else of the pool. */
  readonly user: Address
}

/** What the events around a deposit or withdraw add to it. */
export interface LiquidityClaims {
  /** The holder whose shares came or went, by the share token. */
  readonly holder: Address | null
  /** In a concentrated pool: where. */
  readonly range: RangeChange | null
  /** Fees that are part of what a withdraw from a range pays. */
  readonly fees: FeesClaim | null
  readonly router: ContractId | null
  /** The caller of the router. */
  readonly caller: Address | null
}

export type Claims = Readonly<ReturnType<typeof claimEvents>>

export function claimEvents({ events, routers }: Operation) {
  const absorbed = new Set<OwnEvent>()
  const liquidity = new Map<OwnEvent, LiquidityClaims>()
  const routed = routedEvents(events, routers)
  for (const [n, seen] of events.entries()) {
    if (!isLiquidity(seen)) continue
    const before = events.slice(0, n).filter((it) => it.pool === seen.pool && !absorbed.has(it))
    const after = events.slice(n + 1).filter((it) => it.pool === seen.pool && !absorbed.has(it))
    const moves = seen.name === 'deposit_liquidity' ? mintOf(seen, before) : burnOf(seen, before)
    for (const move of moves) absorbed.add(move)
    // The next event of the pool but its reserves: a deposit or withdraw of shares has none.
    const range = after.find((it) => it.name !== 'update_reserves')
    const isRange = range !== undefined && moves.length === 0 && isRangeChange(range)
    if (isRange) absorbed.add(range)
    const fees = isRange ? feesOf(seen, before) : null
    const first = moves[0]
    liquidity.set(seen, {
      holder: first?.name === 'mint' ? first.to : first?.name === 'burn' ? first.from : null,
      range: isRange ? range : null,
      fees,
      router: routed.pools.get(seen)?.contract ?? null,
      caller: routed.pools.get(seen)?.user ?? null,
    })
  }
  const changes = changeOfBurns(events, absorbed)
  return {
    /** Events that are part of another's action. */
    absorbed: new Set([...absorbed, ...changes.values()]),
    liquidity,
    /** Shares minted back behind a burn without a withdraw, by the burn. */
    changes,
    /** Swaps by the first hop of their path; later hops are no keys. */
    paths: claimPaths(events, routers),
    /** The router that a claim of rewards came through. */
    rewards: new Map([...routed.pools].map(([seen, { contract }]) => [seen, contract])),
    /** Events of the router that no pool repeats: claims before v1.4, rates of concentrated pools. */
    unrepeated: routed.unrepeated,
  }
}

/** The mint before a deposit with as many shares. */
function mintOf({ shares }: PoolSeen<PoolLiquidity>, before: readonly OwnEvent[]): PoolSeen<ShareMove>[] {
  const mint = before.findLast((it): it is PoolSeen<ShareMove> => isMove(it) && it.name === 'mint' && it.shares === shares)
  return mint === undefined ? [] : [mint]
}

/** The burn before a withdraw; of an imbalanced one a burn of the most that was allowed, and a mint of what was too much. */
function burnOf({ shares }: PoolSeen<PoolLiquidity>, before: readonly OwnEvent[]): PoolSeen<ShareMove>[] {
  const moves = before.filter(isMove)
  const burn = moves.findLast((it) => it.name === 'burn')
  if (burn === undefined) return []
  const change = moves.find((it) => it.index > burn.index && it.name === 'mint' && burn.shares - it.shares === shares)
  if (change !== undefined) return [burn, change]
  return burn.shares === shares ? [burn] : []
}

/** Before v1.4 an imbalanced withdraw emitted events of its shares only: the pool's next event after the burn mints back what was too much. */
function changeOfBurns(events: Operation['events'], absorbed: ReadonlySet<OwnEvent>): Map<OwnEvent, PoolSeen<ShareMove>> {
  const changes = new Map<OwnEvent, PoolSeen<ShareMove>>()
  for (const [n, burn] of events.entries()) {
    if (!isMove(burn) || burn.name !== 'burn' || absorbed.has(burn)) continue
    const next = events.slice(n + 1).find((it) => it.pool === burn.pool)
    if (next === undefined || !isMove(next) || next.name !== 'mint' || absorbed.has(next)) continue
    if (next.to === burn.from && next.shares < burn.shares) changes.set(burn, next)
  }
  return changes
}

/** Fees are paid with a withdraw where `claim_fees` is the pool's last event before it: a claim by itself is followed by the reserves. */
function feesOf(seen: PoolSeen<PoolLiquidity>, before: readonly OwnEvent[]): PoolSeen<FeesClaim> | null {
  const last = before.at(-1)
  return seen.name === 'withdraw_liquidity' && last !== undefined && isFeesClaim(last) ? last : null
}

/** The pool's name of an event that the router repeats. */
const REPEATED: Readonly<Record<string, OwnEvent['name']>> = {
  deposit: 'deposit_liquidity',
  withdraw: 'withdraw_liquidity',
  claim: 'claim_reward',
}

/** A router's event repeats the latest of its pool's events that no other event of the router has repeated. */
function routedEvents(events: Operation['events'], routers: Operation['routers']) {
  const pools = new Map<OwnEvent, { contract: ContractId; user: Address }>()
  const unrepeated = new Set<Operation['routers'][number]>()
  for (const seen of routers) {
    const { contract, index } = seen
    if (seen.name === 'config_rewards') {
      const isRepeated = events.some((it) => it.index < index && it.pool === seen.pool && isAdminEvent(it, 'set_rewards_config'))
      if (!isRepeated) unrepeated.add(seen)
    }
    const repeated = REPEATED[seen.name]
    if (repeated === undefined || !('user' in seen)) continue
    const { user } = seen
    const found = events.findLast((it) => it.index < index && it.pool === seen.pool && it.name === repeated && !pools.has(it))
    if (found !== undefined) pools.set(found, { contract, user })
    else unrepeated.add(seen)
  }
  return { pools, unrepeated }
}

/**
 * A router's `swap` closes the latest open trade of its pool. On a path the router itself calls the pools, and the input of each hop is
 * the output of the one before. Other trades are direct calls of pools.
 */
function claimPaths(events: Operation['events'], routers: Operation['routers']): Map<OwnEvent, Path> {
  const paths = new Map<OwnEvent, Path>()
  const trades = events.filter(isTrade)
  const closed = new Map<PoolSeen<PoolTrade>, { contract: ContractId; user: Address }>()
  for (const seen of routers) {
    if (seen.name !== 'swap') continue
    const found = trades.findLast((it) => it.index < seen.index && it.pool === seen.pool && !closed.has(it))
    if (found !== undefined) closed.set(found, { contract: seen.contract, user: seen.user })
  }
  let open: { hops: PoolSeen<PoolTrade>[]; router: ContractId; user: Address } | null = null
  for (const trade of trades) {
    const by = closed.get(trade)
    const last = open?.hops.at(-1)
    if (by === undefined) {
      paths.set(trade, { hops: [trade], router: null, user: trade.user })
      open = null
    } else if (open !== null && last?.tokenOut === trade.tokenIn && open.user === by.user && trade.user === by.contract) {
      open.hops.push(trade)
    } else {
      const path = { hops: [trade], router: by.contract, user: by.user }
      paths.set(trade, path)
      // A single swap names its caller: nothing goes on from it.
      open = trade.user === by.contract ? path : null
    }
  }
  return paths
}

function isLiquidity(seen: OwnEvent): seen is PoolSeen<PoolLiquidity> {
  return seen.name === 'deposit_liquidity' || seen.name === 'withdraw_liquidity'
}

function isMove(seen: OwnEvent): seen is PoolSeen<ShareMove> {
  return seen.name === 'mint' || seen.name === 'burn'
}

function isRangeChange(seen: OwnEvent): seen is PoolSeen<RangeChange> {
  return seen.name === 'position_update'
}

function isFeesClaim(seen: OwnEvent): seen is PoolSeen<FeesClaim> {
  return seen.name === 'claim_fees'
}

function isTrade(seen: OwnEvent): seen is PoolSeen<PoolTrade> {
  return seen.name === 'trade'
}
