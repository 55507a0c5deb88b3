// Groups the events that report the same movement: share events belong to deposits and withdraws, hops to paths, pair events to router calls.
// Claiming reads events only, never state, so every partition gets the same result.
// Source: docs/protocols/soroswap.md, "Activities".

import type { Seen } from '@orrery/fold-kit'
import type { Address, ContractId } from '@orrery/ledger'
import type { PairLiquidity, PairSwap, ShareMove } from '../chain/events.ts'
import type { Operation } from './operation.ts'

type PairEventSeen = Operation['pairs'][number]

/** A swap over one or more pairs. */
export interface Path {
  readonly hops: readonly Seen<PairSwap>[]
  /** The router that made it, or null when the pairs were called directly. */
  readonly router: ContractId | null
  /** Receiver of the output at the end. */
  readonly to: Address
  /** The router's path, empty without one. */
  readonly tokens: readonly ContractId[]
}

/** An account that sent shares to a pair and had them burnt by a withdraw of the same operation. */
export interface ShareSender {
  readonly address: Address
  /** Raw, all its transfers together. A withdraw burns more where the pair already held shares or another account sent some too. */
  readonly shares: bigint
}

export type Claims = ReturnType<typeof claimEvents>

export function claimEvents({ pairs, routers }: Operation) {
  /** Share events that belong to a deposit, a withdraw or the locked minimum. */
  const absorbed = new Set<PairEventSeen>()
  /** Whose shares a withdraw burnt, where they were sent to the pair in the same operation. */
  const senders = new Map<PairEventSeen, ShareSender>()
  /** The router that a deposit or withdraw came through. */
  const routed = new Map<PairEventSeen, ContractId>()

  pairs.forEach((seen, n) => {
    const { contract } = seen
    const claim = (fits: (move: ShareMove) => boolean): void => {
      const found = pairs.slice(0, n).findLast((it) => it.contract === contract && !absorbed.has(it) && isMove(it) && fits(it))
      if (found !== undefined) absorbed.add(found)
    }
    if (seen.name === 'mint' && seen.to === contract) absorbed.add(seen)
    if (seen.name === 'deposit') claim((move) => move.name === 'mint' && move.to === seen.to && move.shares === seen.liquidity)
    if (seen.name === 'withdraw') {
      claim((move) => move.name === 'burn' && move.from === contract && move.shares === seen.liquidity)
      const transfers = transfersOf(seen, pairs.slice(0, n))
      for (const transfer of transfers) absorbed.add(transfer)
      const from = transfers[0]?.from
      if (from != null) senders.set(seen, { address: from, shares: sharesOf(transfers) })
    }
  })

  for (const seen of routers) {
    if (seen.name !== 'add' && seen.name !== 'remove') continue
    const name = seen.name === 'add' ? 'deposit' : 'withdraw'
    const found = pairs.findLast((it) => it.index < seen.index && it.contract === seen.pair && it.name === name && !routed.has(it))
    if (found !== undefined) routed.set(found, seen.contract)
  }
  return { absorbed, senders, routers: routed, paths: claimPaths(pairs, routers) }
}

/**
 * Transfers of shares to the pair that belong to a withdraw: those since the pair's withdraw before, all of one sender. That is `to` where it sent
 * any, else the only sender. Where several senders have the tokens paid to another account, none of them is the withdrawer: each keeps its transfer,
 * and so does an account that sent more than was burnt.
 */
function transfersOf({ contract, to, liquidity }: Seen<PairLiquidity>, before: Operation['pairs']): Seen<ShareMove>[] {
  const last = before.findLast((it) => it.contract === contract && it.name === 'withdraw')
  const sent = before
    .filter(isMove)
    .filter(
      (it) =>
        it.contract === contract &&
        it.index > (last?.index ?? -1) &&
        it.name === 'transfer' &&
        it.to === contract &&
        it.from !== contract &&
        it.shares > 0n,
    )
  const senders = new Set(sent.map((it) => it.from))
  const sender = senders.has(to) ? to : senders.size === 1 ? sent[0]?.from : null
  const own = sent.filter((it) => it.from === sender)
  return sharesOf(own) <= liquidity ? own : []
}

function sharesOf(transfers: readonly Seen<ShareMove>[]): bigint {
  return transfers.reduce((sum, { shares }) => sum + shares, 0n)
}

/**
 * Swaps by the first hop of their path; later hops are in no key. A router's swap over n tokens takes the latest n − 1 swaps before it. The rest are
 * pairs called directly: a swap that pays the next pair is a hop of its path.
 */
function claimPaths(pairs: Operation['pairs'], routers: Operation['routers']): Map<PairEventSeen, Path> {
  const swaps = pairs.filter((it) => it.name === 'swap')
  const paths = new Map<PairEventSeen, Path>()
  const claimed = new Set<Seen<PairSwap>>()
  for (const seen of routers) {
    if (seen.name !== 'swap' || seen.path.length < 2) continue
    const hops = swaps.filter((it) => it.index < seen.index && !claimed.has(it)).slice(1 - seen.path.length)
    const first = hops[0]
    if (first === undefined) continue
    for (const hop of hops) claimed.add(hop)
    paths.set(first, { hops, router: seen.contract, to: seen.to, tokens: seen.path })
  }
  let open: Seen<PairSwap>[] = []
  for (const swap of swaps) {
    if (claimed.has(swap)) continue
    if (open.at(-1)?.to === swap.contract) open.push(swap)
    else open = [swap]
    paths.set(open[0] ?? swap, { hops: open, router: null, to: swap.to, tokens: [] })
  }
  return paths
}

function isMove(seen: PairEventSeen): seen is Seen<ShareMove> {
  return seen.name === 'mint' || seen.name === 'burn' || seen.name === 'transfer'
}
