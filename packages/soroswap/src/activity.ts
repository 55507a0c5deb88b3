// Events of one operation -> what people did. Router, pair and token events tell one movement three times; it is told once here.
// The rules of claiming look at events only, so every partition that an operation touches derives the same whole action.
// Source: docs/protocols/soroswap.md, "Activities".

import type { Address, ContractId } from '@orrery/ledger'
import type { ActivityType } from '@orrery/protocol-kit'
import { type Attribution, accountBehind, payerInto } from './attribution.ts'
import type { Directory } from './directory.ts'
import type { PairLiquidity, PairSkim, PairSwap, ShareMove } from './events.ts'
import type { Amounts } from './math.ts'
import type { Operation, Seen } from './operation.ts'

/** One row of an action. Amounts raw. */
export interface Leg {
  /** Of a pair (or factory) of this partition: only such legs are written here. */
  readonly owned: boolean
  readonly contract: ContractId
  readonly address: Address
  readonly counterparty: Address | ''
  readonly asset: ContractId | ''
  readonly amount: bigint
  readonly shares: bigint
  /** `in`: the account gives. */
  readonly direction: 'in' | 'out' | ''
  /** Its value counts as volume. */
  readonly volume: boolean
  /** The one row of the action that counts for its address. */
  readonly counts: boolean
}

/** What somebody did: all legs share the event that tells it. */
export interface Action {
  readonly type: ActivityType
  readonly eventIndex: number
  readonly legs: readonly Leg[]
  readonly confidence: 1 | 0.9 | 0.5
  readonly metadata: Readonly<Record<string, unknown>>
}

/** How an event moved a holder's shares, for cost accounting. Owned pairs only. */
export interface Movement {
  readonly pair: ContractId
  readonly holder: Address
  readonly kind: 'deposit' | 'withdraw' | 'transfer_in' | 'transfer_out' | 'burn' | 'fee_mint'
  readonly shares: bigint
  /** Tokens paid in or out, in the pair's order. Null where the shares moved alone. */
  readonly amounts: Amounts | null
}

/** An owned event without an action. `expected` ones are on the list of what is ignored; the others become notices. */
export interface Unused {
  readonly contract: ContractId
  readonly reason: string
  readonly expected: boolean
}

export interface Derived {
  readonly actions: readonly Action[]
  readonly movements: readonly Movement[]
  readonly unused: readonly Unused[]
}

/** Why events of ours make no action, by topic. */
export const IGNORED = {
  sync: 'the reserves are in the entries; it comes with every swap, deposit and withdraw',
  approve: 'an allowance moves nothing',
  init: 'set-up of a contract',
  new_pair: 'registers a pair; the first deposit is the action',
  skim_of_nothing: 'nothing was above the reserves',
  locked_minimum: 'the 1000 shares of the first deposit that belong to nobody',
} as const

/** Everything the operation's events tell, in their order. */
export function deriveActions(operation: Operation, directory: Directory): Derived {
  const claims = claimEvents(operation)
  const actions: Action[] = []
  const movements: Movement[] = []
  const unused: Unused[] = []
  const context: Context = { operation, directory, claims, movements, unused }

  for (const seen of operation.pairs) {
    const action = pairAction(seen, context)
    if (action !== null) actions.push(action)
  }
  for (const seen of operation.factories) {
    const action = adminAction(seen, context)
    if (action !== null) actions.push(action)
  }
  for (const seen of operation.routers)
    if (seen.event.name === 'unknown') unused.push({ contract: seen.contract, reason: seen.event.reason, expected: false })
  actions.sort((a, b) => a.eventIndex - b.eventIndex)
  return { actions, movements, unused }
}

interface Context {
  readonly operation: Operation
  readonly directory: Directory
  readonly claims: Claims
  readonly movements: Movement[]
  readonly unused: Unused[]
}

type OperationPair = Operation['pairs'][number]

// ---- claiming -----------------------------------------------------------------------------------------------------

interface Path {
  readonly hops: readonly Seen<PairSwap>[]
  /** The router that carried it out, and the receiver that it names. */
  readonly router: ContractId | null
  readonly tokens: readonly ContractId[]
}

interface Claims {
  /** Share events that belong to a deposit, a withdraw or the locked minimum. */
  readonly absorbed: ReadonlySet<OperationPair>
  /** Who sent the shares that a withdraw burnt, where that is the same operation. */
  readonly senders: ReadonlyMap<OperationPair, Address>
  /** The router that a deposit or withdraw came through. */
  readonly routers: ReadonlyMap<OperationPair, ContractId>
  /** Swaps by the first hop of their path; later hops stand in no key. */
  readonly paths: ReadonlyMap<OperationPair, Path>
}

function claimEvents({ pairs, routers }: Operation): Claims {
  const absorbed = new Set<OperationPair>()
  const senders = new Map<OperationPair, Address>()
  const routed = new Map<OperationPair, ContractId>()

  pairs.forEach((seen, n) => {
    const { event, contract } = seen
    const claim = (fits: (move: ShareMove) => boolean): OperationPair | undefined => {
      const found = pairs.slice(0, n).findLast((it) => it.contract === contract && !absorbed.has(it) && isMove(it.event) && fits(it.event))
      if (found !== undefined) absorbed.add(found)
      return found
    }
    if (event.name === 'mint' && event.to === contract) absorbed.add(seen)
    if (event.name === 'deposit') claim((move) => move.name === 'mint' && move.to === event.to && move.shares === event.liquidity)
    if (event.name === 'withdraw') {
      claim((move) => move.name === 'burn' && move.from === contract && move.shares === event.liquidity)
      // Another amount means that shares were lying in the pair already: the transfer then stays an action of its own.
      const sent = claim((move) => move.name === 'transfer' && move.to === contract && move.shares === event.liquidity)
      if (sent !== undefined && isMove(sent.event) && sent.event.from !== null) senders.set(seen, sent.event.from)
    }
  })

  for (const { contract: router, index, event } of routers) {
    if (event.name !== 'add' && event.name !== 'remove') continue
    const name = event.name === 'add' ? 'deposit' : 'withdraw'
    const found = pairs.findLast((it) => it.index < index && it.contract === event.pair && it.event.name === name && !routed.has(it))
    if (found !== undefined) routed.set(found, router)
  }
  return { absorbed, senders, routers: routed, paths: claimPaths(pairs, routers) }
}

/** A router's swap over n tokens takes the latest n − 1 swaps before it. What is left are pairs called directly: a hop that pays the next pair goes on. */
function claimPaths(pairs: Operation['pairs'], routers: Operation['routers']): Map<OperationPair, Path> {
  const swaps = pairs.filter((it): it is Seen<PairSwap> => it.event.name === 'swap')
  const paths = new Map<OperationPair, Path>()
  const claimed = new Set<Seen<PairSwap>>()
  for (const { contract, index, event } of routers) {
    if (event.name !== 'swap' || event.path.length < 2) continue
    const hops = swaps.filter((it) => it.index < index && !claimed.has(it)).slice(1 - event.path.length)
    const first = hops[0]
    if (first === undefined) continue
    for (const hop of hops) claimed.add(hop)
    paths.set(first, { hops, router: contract, tokens: event.path })
  }
  let open: Seen<PairSwap>[] = []
  for (const swap of swaps) {
    if (claimed.has(swap)) continue
    if (open.at(-1)?.event.to === swap.contract) open.push(swap)
    else open = [swap]
    paths.set(open[0] as Seen<PairSwap>, { hops: open, router: null, tokens: [] })
  }
  return paths
}

function isMove(event: OperationPair['event']): event is ShareMove {
  return event.name === 'mint' || event.name === 'burn' || event.name === 'transfer'
}

// ---- actions of pairs ---------------------------------------------------------------------------------------------

function pairAction(seen: OperationPair, context: Context): Action | null {
  const { event } = seen
  switch (event.name) {
    case 'deposit':
    case 'withdraw':
      return liquidityAction(seen as Seen<PairLiquidity>, context)
    case 'swap': {
      const path = context.claims.paths.get(seen)
      return path === undefined ? null : swapAction(path, context)
    }
    case 'skim':
      return skimAction(seen as Seen<PairSkim>, context)
    case 'mint':
    case 'burn':
    case 'transfer':
      return context.claims.absorbed.has(seen) ? null : shareAction(seen as Seen<ShareMove>, context)
    case 'sync':
    case 'approve':
      return unusedEvent(seen, event.name, true, context)
    case 'unknown':
      return unusedEvent(seen, event.reason, false, context)
  }
}

function unusedEvent(seen: Seen<unknown>, reason: string, expected: boolean, { unused }: Context): null {
  if (seen.owned) unused.push({ contract: seen.contract, reason, expected })
  return null
}

function liquidityAction(seen: Seen<PairLiquidity>, context: Context): Action {
  const { event, contract, owned, index } = seen
  const isDeposit = event.name === 'deposit'
  const sender = context.claims.senders.get(seen) ?? null
  // Whose shares change: a deposit's receiver; a withdraw's sender, who may have the tokens paid to somebody else.
  // Shares that lay in the pair before belong to whoever comes first: then `to` collects them.
  const address = isDeposit ? event.to : (sender ?? event.to)
  const router = context.claims.routers.get(seen)
  const payer = isDeposit && router === undefined ? depositPayer(seen, context) : null
  if (owned && (isDeposit || sender !== null)) {
    context.movements.push({ pair: contract, holder: address, kind: event.name, shares: event.liquidity, amounts: event.amounts })
  }
  const legs = tokenLegs(seen, event.amounts, isDeposit ? 'in' : 'out', context, {
    address,
    counterparty: !isDeposit && event.to !== address ? event.to : contract,
    volume: true,
  })
  return {
    type: event.name,
    eventIndex: index,
    legs: legs.map((leg, n) => ({ ...leg, shares: n === 0 ? event.liquidity : 0n, counts: n === 0 })),
    confidence: isDeposit || sender === null || sender === event.to ? 1 : 0.9,
    metadata: {
      event: `SoroswapPair/${event.name}`,
      ...(router === undefined ? {} : { router }),
      ...(payer === null || payer === address ? {} : { payer }),
      ...(isDeposit || sender === event.to ? {} : sender === null ? { shares_from: contract } : { attribution: 'share_sender' }),
    },
  }
}

function depositPayer(seen: Seen<PairLiquidity>, { operation, directory }: Context): Address | null {
  const tokenIn = directory.tokensOf(seen.contract)?.[0] ?? ''
  return payerInto({ firstPair: seen.contract, tokenIn, firstIndex: seen.index }, operation.transfers)
}

function swapAction({ hops, router, tokens }: Path, context: Context): Action | null {
  const [first, last] = [hops[0], hops.at(-1)]
  if (first === undefined || last === undefined) return null
  const routed =
    router === null
      ? null
      : context.operation.routers.find((it) => it.contract === router && it.event.name === 'swap' && it.index > last.index)
  const to = routed?.event.name === 'swap' ? routed.event.to : last.event.to
  const who: Attribution = accountBehind(
    {
      firstPair: first.contract,
      tokenIn: tokens[0] ?? givenToken(first, context),
      tokenOut: tokens.at(-1) ?? receivedToken(last, context),
      to,
      routed: router !== null,
      firstIndex: first.index,
      lastIndex: last.index,
    },
    context.operation.transfers,
  )
  const legs = hops.flatMap((hop, n) => [
    ...tokenLegs(hop, hop.event.amountsIn, 'in', context, {
      address: who.address,
      counterparty: to === who.address ? hop.contract : to,
      volume: n === 0,
    }),
    ...tokenLegs(hop, hop.event.amountsOut, 'out', context, {
      address: who.address,
      counterparty: to === who.address ? hop.contract : to,
      volume: false,
    }),
  ])
  return {
    type: 'swap',
    eventIndex: first.index,
    legs: legs.map((leg, n) => ({ ...leg, counts: n === 0 })),
    confidence: who.confidence,
    metadata: {
      event: 'SoroswapPair/swap',
      ...(router === null ? {} : { router }),
      ...(hops.length === 1
        ? {}
        : { hops: hops.length, pools: hops.map((hop) => hop.contract), ...(tokens.length === 0 ? {} : { path: tokens }) }),
      ...(who.rule === null ? {} : { attribution: who.rule }),
    },
  }
}

function givenToken(hop: Seen<PairSwap>, { directory }: Context): ContractId | '' {
  return directory.tokensOf(hop.contract)?.[hop.event.amountsIn[0] > 0n ? 0 : 1] ?? ''
}

function receivedToken(hop: Seen<PairSwap>, { directory }: Context): ContractId | '' {
  return directory.tokensOf(hop.contract)?.[hop.event.amountsOut[0] > 0n ? 0 : 1] ?? ''
}

/** Who took what was above the reserves stands only in the transfers that the pair made just before. */
function skimAction(seen: Seen<PairSkim>, context: Context): Action | null {
  const { event, contract, index } = seen
  const receiver = context.operation.transfers.findLast((it) => it.index < index && it.from === contract)?.to
  const legs = tokenLegs(seen, event.amounts, 'out', context, {
    address: receiver ?? context.operation.transaction.source,
    counterparty: contract,
    volume: true,
  })
  if (legs.length === 0) return unusedEvent(seen, 'skim_of_nothing', true, context)
  return {
    type: 'transfer',
    eventIndex: index,
    legs: legs.map((leg, n) => ({ ...leg, counts: n === 0 })),
    confidence: receiver === undefined ? 0.5 : 0.9,
    metadata: { event: 'SoroswapPair/skim', attribution: receiver === undefined ? 'transaction_source' : 'receiver' },
  }
}

/** Shares that moved by themselves. The pair has no feed: what is sent to it shows on the sender's side only. */
function shareAction(seen: Seen<ShareMove>, context: Context): Action | null {
  const { event, contract, owned, index } = seen
  const { from, to, shares } = event
  const metadata = { event: event.name }
  const move = (holder: Address, kind: Movement['kind']) => {
    if (owned) context.movements.push({ pair: contract, holder, kind, shares, amounts: null })
  }
  const leg = (address: Address, counterparty: Address | '', direction: Leg['direction'], volume: boolean): Leg => ({
    owned,
    contract,
    address,
    counterparty,
    asset: contract,
    amount: shares,
    shares,
    direction,
    volume,
    counts: true,
  })
  if (from === contract) return unusedEvent(seen, `${event.name} of the pair's own shares without a withdraw`, false, context)
  if (from !== null && to !== null) {
    move(from, 'transfer_out')
    if (to !== contract) move(to, 'transfer_in')
    const legs = [leg(from, to, 'in', true)]
    if (to !== contract) legs.push({ ...leg(to, from, 'out', false), counts: to !== from })
    return { type: 'transfer', eventIndex: index, legs, confidence: 1, metadata }
  }
  if (from !== null) {
    move(from, 'burn')
    const burnt: Leg = { ...leg(from, '', '', false), asset: '', amount: 0n }
    return { type: 'withdraw', eventIndex: index, legs: [burnt], confidence: 1, metadata: { ...metadata, reason: 'burnt' } }
  }
  if (to === null) return null
  move(to, 'fee_mint')
  return {
    type: 'emission',
    eventIndex: index,
    legs: [leg(to, contract, 'out', true)],
    confidence: 1,
    metadata: { ...metadata, reason: 'protocol_fee' },
  }
}

/** A leg for each token that moved, in the pair's order. */
function tokenLegs(
  seen: Seen<unknown>,
  amounts: Amounts,
  direction: 'in' | 'out',
  { directory }: Context,
  of: Pick<Leg, 'address' | 'counterparty' | 'volume'>,
): Leg[] {
  const tokens = directory.tokensOf(seen.contract)
  return amounts.flatMap((amount, n) =>
    amount > 0n
      ? [{ ...of, owned: seen.owned, contract: seen.contract, asset: tokens?.[n] ?? '', amount, shares: 0n, direction, counts: false }]
      : [],
  )
}

// ---- administration -----------------------------------------------------------------------------------------------

function adminAction(seen: Operation['factories'][number], context: Context): Action | null {
  const { event, contract, owned, index } = seen
  const admin = (address: Address, counterparty: Address | '', confidence: Action['confidence'], metadata: Action['metadata']): Action => ({
    type: 'admin',
    eventIndex: index,
    legs: [{ owned, contract, address, counterparty, asset: '', amount: 0n, shares: 0n, direction: '', volume: false, counts: true }],
    confidence,
    metadata: { event: `SoroswapFactory/${event.name}`, ...metadata },
  })
  switch (event.name) {
    case 'fee_to':
      return admin(event.setter, event.new, 1, { old: event.old, new: event.new })
    case 'setter':
      return admin(event.old, event.new, 1, { old: event.old, new: event.new })
    case 'fees': {
      const authorizer = context.operation.calls.find((call) => call.contract === contract && call.authorizer !== null)?.authorizer ?? null
      const address = authorizer ?? context.operation.transaction.source
      return admin(address, '', authorizer === null ? 0.5 : 0.9, {
        fees_enabled: event.enabled,
        attribution: authorizer === null ? 'transaction_source' : 'authorizer',
      })
    }
    case 'new_pair':
    case 'init':
      return unusedEvent(seen, event.name, true, context)
    case 'unknown':
      return unusedEvent(seen, event.reason, false, context)
  }
}
