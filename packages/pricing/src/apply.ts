// Applies the oracle records of a slice and returns rows. Every partition of a protocol gets the same records and makes the same state rows;
// only partition 0 makes price rows and notices.

import type { ContractId, EntryRecord } from '@orrery/ledger'
import type { At, DecimalsOf, NoticeRow, OracleConfig, PriceRow, Slice, StateRow } from '@orrery/protocol-kit'
import { SHARED_SCOPE } from '@orrery/protocol-kit'
import { assetName, type Book } from './oracle.ts'
import { currencyBase, feedFacts, impliedBy, oraclePriceOf, oracleQuote } from './price-of.ts'
import type { Sources } from './sources.ts'
import type { PricingState } from './state.ts'

export interface PricingRows {
  readonly state: readonly StateRow[]
  readonly prices: readonly PriceRow[]
  readonly notices: readonly NoticeRow[]
}

type CountNotice = (kind: 'oracle' | 'price_pool', contract: ContractId, reason: string) => void

export function apply(sources: Sources, state: PricingState, slice: Slice, decimalsOf: DecimalsOf): PricingRows {
  const notices = new Map<string, NoticeRow>()
  const countNotice: CountNotice = (kind, contract, reason) => {
    if (slice.partition !== 0) return // all partitions see the same; one of them counts it
    const id = `${kind}/${contract}/${reason}`
    const { protocol, partition, ledger, closeTimeSeconds } = slice
    const count = (notices.get(id)?.count ?? 0) + 1
    notices.set(id, { protocol, partition, contract, kind, reason, ledger, closeTimeSeconds, count })
  }

  /** Several bootstrap entries may belong to one row: its last value is the state before the ledger. */
  const inferred = new Map<string, StateRow>()
  for (const reflector of state.reflectors.values()) reflector.changedSeconds.clear()
  for (const rates of state.currencyRates.values()) rates.changedAssets.clear()
  const touched = new Set<ContractId>()
  const reset = new Set<ContractId>()
  for (const { class: recordClass, record } of slice.records) {
    if (recordClass === 'context' || (record.kind !== 'entry' && record.kind !== 'ttl')) continue
    const book = state.books.get(record.contract)
    if (book === undefined) continue
    if (record.kind === 'entry') {
      const preImageRows = applyPreImage(state, book, record, slice)
      for (const row of preImageRows) inferred.set(`${row.contract}/${row.key}`, row)
      if (record.change === 'bootstrap') {
        // Its value may be years newer: only the pre-image is used.
        if (preImageRows.length > 0) touched.add(record.contract)
        if (preImageRows.some(({ key }) => key === 'settings')) reset.add(record.contract)
        continue
      }
    }
    const unusable = book.apply(record, slice.ledger)
    if (unusable !== null) countNotice(state.pools.has(record.contract) ? 'price_pool' : 'oracle', record.contract, unusable)
    touched.add(record.contract)
  }

  const rows: StateRow[] = [...inferred.values()]
  for (const contract of touched) {
    const changes = state.settle(contract)
    rows.push(...changes.map((change) => stateRow(contract, change, slice, false)))
    if (changes.some(({ key }) => key === 'settings')) reset.add(contract)
    const feed = state.coinLists.get(contract)?.oracle ?? null
    if (changes.some(({ key }) => key === 'pricing_coins') && feed !== null) reset.add(feed)
  }
  state.quotes.clear()

  for (const oracle of sources.oracles) if (reset.has(oracle.contract)) compareWithRegistry(state, oracle, countNotice)
  if (slice.dayStart) {
    for (const pool of sources.unreadPools) countNotice('price_pool', pool, 'no_reader')
    for (const source of unreadSources(state)) countNotice('oracle', source, 'source_of_aggregator_unread')
  }
  // Price rows are for readers only, who read up to the watermark of all partitions: one partition writes them.
  // A restart loads state rows, so every partition writes its own. See docs/decisions/0009-price-rows-are-written-by-one-partition.md.
  const prices =
    touched.size === 0 || slice.partition !== 0
      ? []
      : [...oraclePrices(sources, state, slice, reset), ...poolPrices(sources, state, slice, touched, decimalsOf)]
  return { state: rows, prices, notices: [...notices.values()] }
}

/** Oracles that an aggregator uses and that this build cannot read: the registry does not list them as feeds. */
function unreadSources({ aggregators, reflectors }: PricingState): ReadonlySet<ContractId> {
  const asked = [...aggregators.values()].flatMap((aggregator) => aggregator.sources())
  return new Set(asked.filter((source) => !reflectors.has(source)))
}

/** Applies the value before the first observed change of an entry, which held since before the index began. Returns inferred state rows. */
function applyPreImage(state: PricingState, book: Book, record: EntryRecord, slice: Slice): StateRow[] {
  if (record.before === null || !book.needsPreImage(record)) return []
  const liveUntil = record.change === 'bootstrap' ? record.liveUntil : null
  const before = { ...slice, ledger: slice.ledger - 1 }
  if (book.apply({ ...record, value: record.before, before: null, liveUntil }, before.ledger) !== null) return []
  return state.settle(record.contract).map((change) => stateRow(record.contract, change, before, true))
}

function stateRow(
  contract: ContractId,
  { key, value }: { readonly key: string; readonly value: string | null },
  { protocol, ledger, closeTimeSeconds }: Slice,
  inferred: boolean,
): StateRow {
  return {
    protocol,
    contract,
    key,
    ledger,
    closeTimeSeconds,
    owner: '',
    scope: SHARED_SCOPE,
    // Live-until ledgers are inside the value: a row has several entries, and a feed's own copy outlives its entry.
    liveUntil: 0,
    durability: 'fact',
    removed: value === null,
    inferred,
    value: value ?? '',
  }
}

/** A notice if the contract and the registry differ: the value of the contract is used, and the registry should be corrected. */
function compareWithRegistry(state: PricingState, oracle: OracleConfig, countNotice: CountNotice): void {
  const facts = feedFacts(state, oracle.contract)
  if (facts === null) return
  const base = oracle.base.kind === 'asset' ? oracle.base.asset : `other:${oracle.base.symbol}`
  if (assetName(facts.base) !== base) countNotice('oracle', oracle.contract, 'base_differs_from_registry')
  if (facts.decimals !== oracle.decimals) countNotice('oracle', oracle.contract, 'decimals_differ_from_registry')
}

/** Prices that this ledger changed: of a new round or rate, or of every asset of an oracle whose settings changed. */
function oraclePrices(sources: Sources, state: PricingState, slice: Slice, reset: ReadonlySet<ContractId>): PriceRow[] {
  const rows: PriceRow[] = []
  for (const oracle of sources.oracles) {
    if (!reset.has(oracle.contract) && !mayHaveNews(state, oracle)) continue
    for (const token of listedTokens(sources, state, oracle)) {
      const price = oracleQuote(sources, state, oracle, token, slice)
      if (price === null || !(reset.has(oracle.contract) || isNews(sources, state, oracle, token, price.observedAtSeconds))) continue
      rows.push(priceRow(token, price, slice))
    }
  }
  return rows
}

function listedTokens(sources: Sources, state: PricingState, oracle: OracleConfig): Iterable<ContractId> {
  if (oracle.kind === 'fxdao_currencies') {
    const lists = [...state.coinLists.values()].filter((list) => list.oracle === oracle.contract)
    return new Set([currencyBase(state, oracle).base, ...lists.flatMap((list) => [...list.coins.keys()])])
  }
  const facts = feedFacts(state, oracle.contract)
  return new Set((facts?.assets ?? []).flatMap((asset) => sources.tokenOf(asset) ?? []))
}

/** False if no price of the oracle can have changed: most ledgers change one feed only. */
function mayHaveNews(state: PricingState, { contract, kind }: OracleConfig): boolean {
  switch (kind) {
    case 'fxdao_currencies':
      return (state.currencyRates.get(contract)?.changedAssets.size ?? 0) > 0
    case 'reflector':
      return (state.reflectors.get(contract)?.changedSeconds.size ?? 0) > 0
    case 'oracle_aggregator':
      return [...state.reflectors.values()].some((reflector) => reflector.changedSeconds.size > 0)
  }
}

/** Whether a source of the price changed in this ledger. */
function isNews(
  sources: Sources,
  state: PricingState,
  { contract, kind }: OracleConfig,
  token: ContractId,
  observedAtSeconds: number,
): boolean {
  if (kind === 'fxdao_currencies') return (state.currencyRates.get(contract)?.changedAssets.size ?? 0) > 0
  if (kind === 'reflector') return state.reflectors.get(contract)?.changedSeconds.has(observedAtSeconds) ?? false
  const aggregator = state.aggregators.get(contract)
  return sources.namesOf(token).some((name) => {
    const source = aggregator?.isBase(name) === true ? null : (aggregator?.sourceOf(name) ?? null)
    return source !== null && state.reflectors.get(source)?.changedSeconds.has(observedAtSeconds) === true
  })
}

/** Prices from changed price pools, for tokens without an oracle price. */
function poolPrices(
  sources: Sources,
  state: PricingState,
  slice: Slice,
  touched: ReadonlySet<ContractId>,
  decimalsOf: DecimalsOf,
): PriceRow[] {
  const rows: PriceRow[] = []
  for (const { contract } of sources.pricePools) {
    const pool = touched.has(contract) ? (state.pools.get(contract)?.quote(slice) ?? null) : null
    if (pool === null) continue
    for (const token of pool.tokens) {
      if (oraclePriceOf(sources, state, token, slice) !== null) continue
      const price = impliedBy(sources, state, pool, token, slice, decimalsOf)
      if (price !== null) rows.push(priceRow(token, price, slice))
    }
  }
  return rows
}

function priceRow(
  asset: ContractId,
  { usd, source, observedAtSeconds }: { readonly usd: string; readonly source: string; readonly observedAtSeconds: number },
  { protocol, ledger, closeTimeSeconds }: Slice & At,
): PriceRow {
  return { protocol, asset, source, ledger, closeTimeSeconds, priceUsd: usd, observedAtSeconds }
}
