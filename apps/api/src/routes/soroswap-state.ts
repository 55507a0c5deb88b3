// Soroswap's state as of a ledger, loaded for one answer and read with the view's functions: the same code as the fold.
// An account costs its own entries, then its pools with everything that prices are made of; of what changed since the ledger, and of the
// beginning of the fee window, the older rows. No step grows with the history of the index.

import { type Address, type ContractId, isContractId } from '@orrery/ledger'
import type { StateRef, StateRow } from '@orrery/protocol-kit'
import type { LedgerTime, StateQuestion, StateSelection } from '@orrery/read-model'
import type { FeeWindow, SoroswapState, SoroswapView } from '@orrery/soroswap'
import type { IndexedSpan } from '../params/bucket-window.ts'
import type { RouteContext } from '../route.ts'

/** A state, its moment, and the beginning of the fee window that ends there. */
export interface SoroswapAsOf {
  readonly view: SoroswapView
  readonly state: SoroswapState
  readonly at: LedgerTime
  readonly window: FeeWindow
}

/** State of everything that belongs to the account, and of the pools that it ever touched. */
export async function soroswapOfAccount(
  address: Address,
  at: LedgerTime,
  indexed: IndexedSpan,
  context: RouteContext,
): Promise<SoroswapAsOf> {
  const [own, windowLedger] = await Promise.all([
    context.readModel.ownerStateAsOf({ owner: address, protocol: 'soroswap', ledger: at.ledger }, context.call),
    windowLedgerOf(at, indexed, context),
  ])
  const pools = [...new Set(own.map((row) => row.contract))]
  // The answer names the account. Is it a contract, then it may be a pair or a token.
  const named = isContractId(address) ? [namesOf([address])] : []
  return soroswapOfPools(pools, own, named, at, windowLedger, context)
}

/** State of every pool. */
export async function soroswapOfAllPools(at: LedgerTime, indexed: IndexedSpan, context: RouteContext): Promise<SoroswapAsOf> {
  const { soroswap: view } = context.views
  const [listed, windowLedger] = await Promise.all([
    stateOf({ contracts: view.factories(), ...NOBODYS }, at, context),
    windowLedgerOf(at, indexed, context),
  ])
  return soroswapOfPools(view.pools(view.load(listed, at.ledger)), listed, [], at, windowLedger, context)
}

/** Enough of the named contracts to say what they are and what assets among them cost: nothing of accounts, balances or fees. */
export async function soroswapNames(contracts: readonly ContractId[], at: LedgerTime, context: RouteContext): Promise<SoroswapAsOf> {
  const rows = await stateOf({ ...namesOf(contracts), also: [sharedState(context)] }, at, context)
  return completed(rows, new Map(), at, context)
}

/** Whether a factory of the index has announced the pair, or its instance is known. */
export function knowsPair({ view, state }: SoroswapAsOf, pair: ContractId): boolean {
  return view.pools(state).includes(pair)
}

async function soroswapOfPools(
  pools: readonly ContractId[],
  known: readonly StateRow[],
  named: readonly StateSelection[],
  at: LedgerTime,
  windowLedger: LedgerTime | null,
  context: RouteContext,
): Promise<SoroswapAsOf> {
  const { soroswap: view } = context.views
  // Without a pool there is nothing to value.
  if (pools.length === 0 && named.length === 0) return { view, state: view.load(known, at.ledger), at, window: new Map() }
  const [rows, before] = await Promise.all([
    stateOf({ contracts: pools, ...NOBODYS, also: [sharedState(context), ...named] }, at, context),
    windowLedger === null ? [] : stateOf({ ...commonOf(view.windowRefs(pools)), changing: true }, windowLedger, context),
  ])
  return completed([...known, ...rows], view.feeWindow(before, at), at, context)
}

/** Loads the state, and once more with the tokens that neither the registry nor the rows so far can name: usually none. */
async function completed(rows: readonly StateRow[], window: FeeWindow, at: LedgerTime, context: RouteContext): Promise<SoroswapAsOf> {
  const { soroswap: view } = context.views
  const state = view.load(rows, at.ledger)
  const unnamed = view.assetRefs(state)
  if (unnamed.length === 0) return { view, state, at, window }
  const names = await stateOf(commonOf(unnamed), at, context)
  return { view, state: view.load([...rows, ...names], at.ledger), at, window }
}

/** The last ledger before the fee window; null when the index is younger than that. */
function windowLedgerOf(at: LedgerTime, { first }: IndexedSpan, { views, readModel, call }: RouteContext): Promise<LedgerTime | null> {
  const from = at.closeTimeSeconds - views.soroswap.windowSeconds
  return from < first.closeTimeSeconds ? Promise.resolve(null) : readModel.ledgerAtOrBefore(from, call)
}

/** All state of contracts that is nobody's. */
const NOBODYS = { keyFrom: 'a' } as const

/** What says who contracts are: a pair or a token. */
function namesOf(contracts: readonly ContractId[]): StateSelection {
  return { contracts, keys: ['pair', 'asset'] }
}

function sharedState({ views }: RouteContext): StateSelection {
  return commonOf(views.soroswap.sharedRefs())
}

/** What answers as of one ledger have in common. Every key is asked of every contract: one that does not have it has no row. */
function commonOf(refs: readonly StateRef[]): StateSelection {
  return { contracts: [...new Set(refs.map((ref) => ref.contract))], keys: [...new Set(refs.map((ref) => ref.key))], common: true }
}

function stateOf(
  question: Omit<StateQuestion, 'protocol' | 'ledger'>,
  { ledger }: LedgerTime,
  { readModel, call }: RouteContext,
): Promise<StateRow[]> {
  return readModel.stateAsOf({ ...question, protocol: 'soroswap', ledger }, call)
}
