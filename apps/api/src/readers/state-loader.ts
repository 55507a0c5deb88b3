// A protocol's state as of a ledger, loaded for one answer and read with the view's functions: the same code as the fold.
// An account costs its own entries, then its pools with everything that prices are made of; of what changed since the ledger, and of the
// beginning of the fee window, the older rows. No step grows with the history of the index.

import { type Address, type ContractId, isContractId } from '@orrery/ledger'
import type { ProtocolId, StateRef, StateRow } from '@orrery/protocol-kit'
import { type LedgerTime, NON_ACCOUNT_KEYS, type StateRequest, type StateSelection } from '@orrery/read-model'
import { turnOfEventLoop } from '@orrery/service-kit'
import type { RouteContext } from '../route.ts'
import type { Moment } from './protocol-reader.ts'

/** What loading needs to know of a protocol: the members of its view that name state rows, and how it makes state from them. */
export interface Loadable<State, Window> {
  readonly protocol: ProtocolId
  /** Contracts that the lists of pools are filed under. */
  readonly listings: readonly ContractId[]
  /** Keys of rows that describe a contract. */
  readonly nameKeys: readonly string[]
  /** Contracts whose rows without an account every answer needs, to describe tokens. Default: none. */
  readonly namesOfAll?: readonly ContractId[]
  /** The pools of the rows of accounts. Default: the contracts that they are filed under. */
  poolsOf?(own: readonly StateRow[]): readonly ContractId[]
  /** Rows that every answer needs. */
  sharedRefs(): readonly StateRef[]
  /** Names and decimals of tokens that the rows so far cannot tell. Usually none. */
  assetRefs(state: State): readonly StateRef[]
  load(rows: Iterable<StateRow>, asOf: number): State
  pools(state: State): readonly ContractId[]
  /** Counters that are read as of an earlier ledger too, where yields look back. */
  readonly window: FeeWindowOf<Window>
}

/** Rows that are loaded in about a millisecond. */
const ROWS_AT_ONCE = 500

/** How far yields look back, and what is read of that moment. */
export interface FeeWindowOf<Window> {
  /** 0: they do not. */
  readonly seconds: number
  refs(pools: readonly ContractId[]): readonly StateRef[]
  load(rows: Iterable<StateRow>, at: LedgerTime): Window
}

/** Of a protocol whose yields are what its state says. */
export const NO_WINDOW: FeeWindowOf<null> = { seconds: 0, refs: () => [], load: () => null }

/** A state, its moment, and the beginning of the fee window that ends there. */
export interface Loaded<State, Window> {
  readonly state: State
  readonly at: LedgerTime
  readonly window: Window
}

export class StateLoader<State, Window> {
  readonly #of: Loadable<State, Window>
  readonly #context: RouteContext

  constructor(of: Loadable<State, Window>, context: RouteContext) {
    this.#of = of
    this.#context = context
  }

  /** State of everything that belongs to the accounts, and of the pools that they ever touched. */
  async accounts(addresses: readonly Address[], own: Promise<readonly StateRow[]>, moment: Moment): Promise<Loaded<State, Window>> {
    const [rows, windowLedger] = await Promise.all([own, this.#windowLedger(moment)])
    // The answer names the accounts. A contract among them may be a pool or a token.
    const contracts = rows.length > 0 ? addresses.filter(isContractId) : []
    const named = contracts.length > 0 ? [this.#namesOf(contracts)] : []
    return this.#ofPools(this.#poolsOf(rows), rows, named, moment.at, windowLedger)
  }

  /** State of one pool, and of `own`: rows of an account. */
  async pool(pool: ContractId, own: Promise<readonly StateRow[]>, moment: Moment): Promise<Loaded<State, Window>> {
    const pools = this.#read({ contracts: [pool], ...NON_ACCOUNT_KEYS, also: [this.#shared()] }, moment.at)
    const [rows, known] = await Promise.all([pools, own])
    return this.#completed([...known, ...rows], [], moment.at)
  }

  /** State of every pool. */
  async allPools(moment: Moment): Promise<Loaded<State, Window>> {
    const [listed, windowLedger] = await Promise.all([
      this.#read({ contracts: this.#of.listings, ...NON_ACCOUNT_KEYS }, moment.at),
      this.#windowLedger(moment),
    ])
    const pools = this.#of.pools(this.#of.load(listed, moment.at.ledger))
    return this.#ofPools(pools, listed, [], moment.at, windowLedger)
  }

  /** Counters of pools at the last ledger that closed `seconds` before the moment: the beginning of a window of that length. */
  async windowOf(pools: readonly ContractId[], seconds: number, moment: Moment): Promise<Window> {
    const { window } = this.#of
    const from = moment.at.closeTimeSeconds - seconds
    const ledger = await this.#ledgerAt(from, moment)
    const rows =
      ledger === null || pools.length === 0 ? [] : await this.#read({ ...commonOf(window.refs(pools)), skipLatest: true }, ledger)
    // A protocol's window has a length of its own, and begins that long before the time that is given.
    return window.load(rows, { ...moment.at, closeTimeSeconds: from + window.seconds })
  }

  /** The same of one pool. */
  async poolNow(pool: ContractId, { at }: Moment): Promise<Loaded<State, Window>> {
    return this.#ofPools([pool], [], [], at, null)
  }

  /** One pool with everything of its accounts, and the rows that it is made of. It grows with the accounts of the pool. */
  async poolOfAccounts(pool: ContractId, at: LedgerTime): Promise<Loaded<State, Window> & { readonly rows: readonly StateRow[] }> {
    const rows = await this.#read({ contracts: [pool], also: [this.#shared()] }, at)
    return { ...(await this.#completed(rows, [], at)), rows: rows.filter(({ contract }) => contract === pool) }
  }

  /** State of every pool without the beginning of the fee window, for values that no yield is part of. */
  async allPoolsNow({ at }: Moment): Promise<Loaded<State, Window>> {
    const listed = await this.#read({ contracts: this.#of.listings, ...NON_ACCOUNT_KEYS }, at)
    const pools = this.#of.pools(this.#of.load(listed, at.ledger))
    return this.#ofPools(pools, listed, [], at, null)
  }

  /** State that describes the named contracts and prices the assets among them. */
  async contracts(ids: readonly ContractId[], at: LedgerTime): Promise<Loaded<State, Window>> {
    const rows = await this.#read({ ...this.#namesOf(ids), also: this.#ofAllContracts() }, at)
    return this.#completed(rows, [], at)
  }

  /** Reads what `contracts` needs, whichever they are. Of a final ledger it is kept, and `contracts` finds it there. */
  async prepare(ledger: number): Promise<void> {
    await this.#read({ ...this.#namesOf([]), also: this.#ofAllContracts() }, { ledger })
  }

  /**
   * Everything under the listings, of accounts too: for a protocol that is one deployment, and whose accounts stand in one order. `own`: rows
   * of an account, which may have been read elsewhere.
   */
  async everything({ at }: Moment, own: readonly StateRow[] = []): Promise<Loaded<State, Window>> {
    const rows = await this.#read({ contracts: this.#of.listings, cacheable: true, also: [this.#shared()] }, at)
    return this.#completed([...rows, ...own], [], at)
  }

  async #ofPools(
    pools: readonly ContractId[],
    known: readonly StateRow[],
    named: readonly StateSelection[],
    at: LedgerTime,
    windowLedger: LedgerTime | null,
  ): Promise<Loaded<State, Window>> {
    const { window } = this.#of
    // Without a pool there is nothing to value.
    if (pools.length === 0) return { state: this.#of.load(known, at.ledger), at, window: window.load([], at) }
    const [rows, before] = await Promise.all([
      this.#read({ contracts: pools, ...NON_ACCOUNT_KEYS, also: [this.#shared(), ...named] }, at),
      windowLedger === null ? [] : this.#read({ ...commonOf(window.refs(pools)), skipLatest: true }, windowLedger),
    ])
    return this.#completed([...known, ...rows], before, at)
  }

  /** Loads the state, and once more with the tokens that neither the registry nor the rows so far can name: usually none. */
  async #completed(rows: readonly StateRow[], before: readonly StateRow[], at: LedgerTime): Promise<Loaded<State, Window>> {
    if (rows.length > ROWS_AT_ONCE) await turnOfEventLoop()
    const window = this.#of.window.load(before, at)
    const state = this.#of.load(rows, at.ledger)
    const unnamed = this.#of.assetRefs(state)
    if (unnamed.length === 0) return { state, at, window }
    const names = await this.#read(commonOf(unnamed), at)
    return { state: this.#of.load([...rows, ...names], at.ledger), at, window }
  }

  /** The last ledger before the fee window; null when the index is younger than that, or yields do not look back. */
  #windowLedger(moment: Moment): Promise<LedgerTime | null> {
    const { seconds } = this.#of.window
    return seconds === 0 ? Promise.resolve(null) : this.#ledgerAt(moment.at.closeTimeSeconds - seconds, moment)
  }

  /** The last ledger closed at or before an instant; null before the first indexed one. */
  #ledgerAt(seconds: number, { indexed: { first } }: Moment): Promise<LedgerTime | null> {
    return seconds < first.closeTimeSeconds ? Promise.resolve(null) : this.#context.readModel.ledgerAtOrBefore(seconds, this.#context.call)
  }

  #poolsOf(own: readonly StateRow[]): readonly ContractId[] {
    return this.#of.poolsOf?.(own) ?? [...new Set(own.map((row) => row.contract))]
  }

  #ofAllContracts(): StateSelection[] {
    const always = this.#of.namesOfAll === undefined ? [] : [{ contracts: this.#of.namesOfAll, ...NON_ACCOUNT_KEYS }]
    return [this.#shared(), ...always]
  }

  #namesOf(contracts: readonly ContractId[]): StateSelection {
    return { contracts, keys: this.#of.nameKeys, cacheable: true }
  }

  #shared(): StateSelection {
    return commonOf(this.#of.sharedRefs())
  }

  #read(question: Omit<StateRequest, 'protocol' | 'ledger'>, { ledger }: Pick<LedgerTime, 'ledger'>): Promise<StateRow[]> {
    const { readModel, call } = this.#context
    return readModel.stateAsOf({ ...question, protocol: this.#of.protocol, ledger }, call)
  }
}

/** Rows that all answers as of one ledger share. Every key is read of every contract: a contract without it has no row. */
function commonOf(refs: readonly StateRef[]): StateSelection {
  return { contracts: [...new Set(refs.map((ref) => ref.contract))], keys: [...new Set(refs.map((ref) => ref.key))], cacheable: true }
}
