// The pricing part of a fold and of a reader: which oracles there are, what they say, and what an asset is worth.
// Every partition of a protocol folds the same oracle records, so its rows are the same everywhere (SHARED_SCOPE).
// Nothing here knows a protocol: pools that are valued come in as `PoolQuote`s, price pools and coins are read by the readers of their protocols.

import type { ContractId, EntryRecord, LedgerRecord } from '@orrery/ledger'
import type {
  At,
  DecimalsOf,
  DecimalText,
  EntryName,
  Network,
  Price,
  ProtocolId,
  Route,
  Slice,
  StateRef,
  StateRow,
  TrackedContract,
} from '@orrery/protocol-kit'
import { apply, type PricingRows } from './apply.ts'
import { ratesNamedBy } from './currency-rates.ts'
import { isInstanceKey } from './instance-storage.ts'
import type { FeedFacts, OracleAsset, OraclePrice } from './oracle.ts'
import { feedFacts, lastPrice, type PriceOptions, priceOf, usdAnswer } from './price-of.ts'
import { type PriceSource, priceSourcesOf } from './price-sources.ts'
import { type Sources, sourcesOf } from './sources.ts'
import { keysOf, PricingState } from './state.ts'

export interface Pricing {
  /** What a protocol tracks for its prices: oracles, issuers of coins (their instances) and price pools of other protocols. All shared. */
  roots(protocol: ProtocolId): readonly TrackedContract[]
  /** The route of a record of one of `roots`, null when the contract is none of them. */
  route(record: LedgerRecord, source: TrackedContract): Route | null
  /** `ProtocolRouting.bootstrap` for one of `roots`; nothing of any other contract. */
  bootstrap(source: TrackedContract, read: EntryRecord | null): readonly EntryName[]
  /** A price pool of the registry whose protocol can read it. The pool's own protocol routes its entries as owned and shared. */
  isPricePool(contract: ContractId): boolean
  /** Contracts whose entries prices are made of: oracles, issuers of coins, price pools that this build can read. */
  sources(): ReadonlySet<ContractId>
  /** Every state row that prices are made of: for readers as of a ledger. Most are there, some may be absent. */
  stateRefs(): readonly StateRef[]
  /** State before the first ledger. */
  empty(): PricingState
  /** Takes one loaded row when it belongs to pricing, and says whether it did. */
  take(state: PricingState, row: StateRow): boolean
  /** State from rows as of one ledger; rows of others are passed over. */
  load(rows: Iterable<StateRow>): PricingState
  /**
   * For readers: the state of those of the rows that belong to pricing, and the other rows. Nothing may be applied to the state: the same row
   * objects give the same one again, since many answers as of one ledger are made from them.
   */
  read(rows: Iterable<StateRow>): { readonly state: PricingState; readonly others: readonly StateRow[] }
  /** Applies one slice in place. Call it before the protocol's own records: prices are those at the ledger's end. */
  apply(state: PricingState, slice: Slice, decimalsOf?: DecimalsOf): PricingRows
  /** What the oracle's own `lastprice(asset)` answers at that moment, in its own base and decimals. */
  lastPrice(state: PricingState, oracle: ContractId, asset: OracleAsset, at: At): OraclePrice | null
  /** What the oracle says of itself, null before it was set up. */
  feed(state: PricingState, oracle: ContractId): FeedFacts | null
  /** The answer that the oracle would give if the price were `usd`. Null if its base is not USD, or the price is below its smallest unit. */
  answerOf(state: PricingState, oracle: ContractId, usd: DecimalText, at: At): OraclePrice | null
  /** The sources of an asset's price rows in the order in which they are read, and how long a row of each is valid. */
  priceSources(state: PricingState, asset: ContractId): readonly PriceSource[]
  /** USD for one whole unit by the rules of docs/pricing.md, or null where no source has one. */
  priceOf(state: PricingState, asset: ContractId, at: At, options?: PriceOptions): Price | null
}

const SHARED: Route = { owned: false, shared: true }
const NOWHERE: Route = { owned: false, shared: false }

/** Price pools and coins are read by the protocols that the network was read with. */
export function pricing(network: Network): Pricing {
  const sources = sourcesOf(network)
  const feeds = new Set(sources.oracles.filter(({ kind }) => kind === 'fxdao_currencies').map(({ contract }) => contract))
  const hinted: DecimalsOf = (asset) => network.assets[asset]?.decimals ?? null
  const load = (rows: Iterable<StateRow>): PricingState => {
    const state = new PricingState(sources)
    for (const row of rows) state.restore(row)
    return state
  }
  return {
    roots: (protocol) => rootsOf(sources, protocol),
    route: routeOf,
    bootstrap: (source, read) => (read !== null && source.role === 'oracle' && feeds.has(source.contract) ? ratesNamedBy(read) : []),
    isPricePool: (contract) => sources.pricePools.some((pool) => pool.contract === contract),
    sources: () => new Set(new PricingState(sources).books.keys()),
    stateRefs: () => [...new PricingState(sources).books].flatMap(([contract, book]) => keysOf(book).map((key) => ({ contract, key }))),
    empty: () => new PricingState(sources),
    take: (state, row) => state.restore(row),
    load,
    read: sharedReading(sources),
    apply: (state, slice, decimalsOf = hinted) => apply(sources, state, slice, decimalsOf),
    lastPrice,
    feed: feedFacts,
    answerOf: (state, oracle, usd, at) => usdAnswer(sources, state, oracle, usd, at),
    priceSources: (state, asset) => priceSourcesOf(sources, state, asset),
    priceOf: (state, asset, at, priceOptions = {}) => priceOf(sources, state, asset, at, priceOptions),
  }
}

function sharedReading(sources: Sources): Pricing['read'] {
  const empty = new PricingState(sources)
  /** By the first row. The rows of a protocol and ledger come from a cache in the same order, so the first one is enough to find them. */
  const known = new WeakMap<StateRow, { readonly own: readonly StateRow[]; readonly state: PricingState }>()
  return (rows) => {
    const own: StateRow[] = []
    const others: StateRow[] = []
    for (const row of rows) (empty.has(row) ? own : others).push(row)
    const [first] = own
    const found = first === undefined ? undefined : known.get(first)
    if (found?.own.length === own.length && found.own.every((row, n) => row === own[n])) return { state: found.state, others }
    const state = new PricingState(sources, false)
    for (const row of own) state.restore(row)
    if (first !== undefined) known.set(first, { own, state })
    return { state, others }
  }
}

const known = new WeakMap<Network, Pricing>()

/** The prices of a network. Made once: routing asks for every record. */
export function pricesOf(network: Network): Pricing {
  const made = known.get(network) ?? pricing(network)
  known.set(network, made)
  return made
}

function rootsOf({ network, oracles, pricePools, coinIssuers }: Sources, protocol: ProtocolId): TrackedContract[] {
  const root = (role: string, contract: ContractId, fromLedger: number): TrackedContract => ({
    protocol,
    contract,
    role,
    home: null,
    balances: [],
    fromLedger,
  })
  const isForeign = (source: { readonly protocol: ProtocolId }) => source.protocol !== protocol
  return [
    ...oracles.map(({ contract }) => root('oracle', contract, network.firstLedger)),
    // A protocol follows its own issuers and pools anyway, with a home.
    ...coinIssuers.filter(isForeign).map(({ contract, fromLedger }) => root('currencies', contract, fromLedger)),
    ...pricePools.filter(isForeign).map(({ contract }) => root('price_pool', contract, network.firstLedger)),
  ]
}

/** Entries have all facts. Of an issuer of coins only the instance is shared, or every vault of FxDAO would go to every protocol. */
function routeOf(record: LedgerRecord, source: TrackedContract): Route | null {
  const isEntry = record.kind === 'entry' || record.kind === 'ttl'
  switch (source.role) {
    case 'oracle':
    case 'price_pool':
      return isEntry ? SHARED : NOWHERE
    case 'currencies':
      return isEntry && isInstanceKey(record.key) ? SHARED : NOWHERE
    default:
      return null
  }
}
