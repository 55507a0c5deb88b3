// The pricing part of a fold's state: a book for each contract, and its state rows.
// A protocol's state includes it. `Pricing.empty` or `Pricing.load` creates it and `Pricing.apply` changes it in place.

import type { ContractId } from '@orrery/ledger'
import type { At, Price, StateRow } from '@orrery/protocol-kit'
import { SHARED_SCOPE } from '@orrery/protocol-kit'
import { CoinList } from './coin-list.ts'
import { CurrencyRates } from './currency-rates.ts'
import type { Book } from './oracle.ts'
import { OracleAggregator } from './oracle-aggregator.ts'
import { PricePoolBook } from './price-pool-book.ts'
import { Reflector } from './reflector.ts'
import type { Sources } from './sources.ts'

export class PricingState {
  readonly reflectors = new Map<ContractId, Reflector>()
  readonly aggregators = new Map<ContractId, OracleAggregator>()
  readonly currencyRates = new Map<ContractId, CurrencyRates>()
  readonly coinLists = new Map<ContractId, CoinList>()
  readonly pools = new Map<ContractId, PricePoolBook>()
  /** All of the above: each contract has one book. */
  readonly books = new Map<ContractId, Book>()
  /** Prices of tokens by oracle at `quotesOf`, cached for the rows of one ledger. Null: the oracle has no price. */
  readonly quotes = new Map<ContractId, Map<ContractId, Price | null>>()
  quotesOf: At = { ledger: 0, closeTimeSeconds: 0 }
  /** JSON of each row as it was last written, by `rowName`. */
  readonly #written = new Map<string, string>()
  readonly #isFolded: boolean

  /** @param isFolded False: slices are never applied to it, so it need not know what was written. */
  constructor(sources: Sources, isFolded = true) {
    this.#isFolded = isFolded
    for (const { contract, kind } of sources.oracles) {
      if (kind === 'reflector') this.#add(this.reflectors, contract, new Reflector())
      if (kind === 'oracle_aggregator') this.#add(this.aggregators, contract, new OracleAggregator())
      if (kind === 'fxdao_currencies') this.#add(this.currencyRates, contract, new CurrencyRates())
    }
    for (const { contract, reader } of sources.coinIssuers) this.#add(this.coinLists, contract, new CoinList(reader))
    for (const { contract, reader } of sources.pricePools) this.#add(this.pools, contract, new PricePoolBook(contract, reader))
  }

  #add<B extends Book>(books: Map<ContractId, B>, contract: ContractId, book: B): void {
    books.set(contract, book)
    this.books.set(contract, book)
  }

  /** Whether a row belongs to pricing. */
  has({ contract, key, scope }: Pick<StateRow, 'contract' | 'key' | 'scope'>): boolean {
    const book = scope === SHARED_SCOPE ? this.books.get(contract) : undefined
    return book !== undefined && keysOf(book).includes(key)
  }

  /** Loads a row if it belongs to pricing, and returns whether it does. */
  restore(row: Pick<StateRow, 'contract' | 'key' | 'scope' | 'removed' | 'value'>): boolean {
    const book = this.has(row) ? this.books.get(row.contract) : undefined
    if (book === undefined) return false
    if (row.removed) return true
    book.restore(row.key, JSON.parse(row.value))
    // Not `row.value` itself, but the text that would be written again for the same value.
    if (this.#isFolded) this.#written.set(rowName(row.contract, row.key), JSON.stringify(book.value(row.key)))
    return true
  }

  /** Keys of a contract whose value changed since it was last written, with the new value; null if the value was removed. */
  settle(contract: ContractId): { readonly key: string; readonly value: string | null }[] {
    const book = this.books.get(contract)
    if (book === undefined) return []
    const changes: { key: string; value: string | null }[] = []
    for (const key of [...book.dirty].sort()) {
      const name = rowName(contract, key)
      const value = book.value(key)
      const text = value === null ? null : JSON.stringify(value)
      if (text === (this.#written.get(name) ?? null)) continue
      if (text === null) this.#written.delete(name)
      else this.#written.set(name, text)
      changes.push({ key, value: text })
    }
    book.dirty.clear()
    return changes
  }
}

/** All keys that a contract's book can write. */
export function keysOf(book: Book): readonly string[] {
  return KEYS.get(book.constructor) ?? []
}

const KEYS = new Map<unknown, readonly string[]>(
  [Reflector, OracleAggregator, CurrencyRates, CoinList, PricePoolBook].map((kind) => [kind, kind.keys()]),
)

const rowName = (contract: ContractId, key: string): string => `${contract}/${key}`
