// Soroswap's state as of a ledger, loaded for one answer and read with the view's functions: the same code as the fold.
// An account costs two steps after the cached watermark: its own entries (and where the fee window begins), then its pools with everything
// that prices are made of. Neither grows with the history of the index.

import type { Address, ContractId } from '@orrery/ledger'
import type { StateRef, StateRow } from '@orrery/protocol-kit'
import type { LedgerTime } from '@orrery/read-model'
import type { FeeWindow, SoroswapState, SoroswapView } from '@orrery/soroswap'
import type { RouteContext } from '../route.ts'

/** A state, its moment, and the beginning of the fee window that ends there. */
export interface SoroswapAsOf {
  readonly view: SoroswapView
  readonly state: SoroswapState
  readonly at: LedgerTime
  readonly window: FeeWindow
}

/** State of everything that belongs to the account, and of the pools that it ever touched. */
export async function soroswapOfAccount(address: Address, at: LedgerTime, context: RouteContext): Promise<SoroswapAsOf> {
  const [own, windowLedger] = await Promise.all([
    context.readModel.ownerStateAsOf({ owner: address, protocol: 'soroswap', ledger: at.ledger }, context.call),
    windowLedgerOf(at, context),
  ])
  return soroswapOfPools([...new Set(own.map((row) => row.contract))], own, at, windowLedger, context)
}

/** State of every pool. */
export async function soroswapOfAllPools(at: LedgerTime, context: RouteContext): Promise<SoroswapAsOf> {
  const { soroswap: view } = context.views
  const [listed, windowLedger] = await Promise.all([rangeOf(view.factories(), at.ledger, context), windowLedgerOf(at, context)])
  return soroswapOfPools(view.pools(view.load(listed, at.ledger)), listed, at, windowLedger, context)
}

/** Enough of the named contracts to say what they are and what assets among them cost: nothing of accounts, balances or fees. */
export async function soroswapNames(contracts: readonly ContractId[], at: LedgerTime, context: RouteContext): Promise<SoroswapAsOf> {
  const { soroswap: view } = context.views
  const named = contracts.flatMap((contract) => [
    { contract, key: 'pair' },
    { contract, key: 'asset' },
  ])
  const rows = await stateOf([...view.sharedRefs(), ...named], at.ledger, context)
  return completed(rows, new Map(), at, context)
}

/** Whether a factory of the index has announced the pair, or its instance is known. */
export function knowsPair({ view, state }: SoroswapAsOf, pair: ContractId): boolean {
  return view.pools(state).includes(pair)
}

async function soroswapOfPools(
  pools: readonly ContractId[],
  known: readonly StateRow[],
  at: LedgerTime,
  windowLedger: LedgerTime | null,
  context: RouteContext,
): Promise<SoroswapAsOf> {
  const { soroswap: view } = context.views
  const [own, shared, before] = await Promise.all([
    rangeOf(pools, at.ledger, context),
    stateOf(view.sharedRefs(), at.ledger, context),
    windowLedger === null ? [] : stateOf(view.windowRefs(pools), windowLedger.ledger, context),
  ])
  return completed([...known, ...own, ...shared], view.feeWindow(before, at), at, context)
}

/** Loads the state, and once more with the tokens that neither the registry nor the rows so far can name: usually none. */
async function completed(rows: readonly StateRow[], window: FeeWindow, at: LedgerTime, context: RouteContext): Promise<SoroswapAsOf> {
  const { soroswap: view } = context.views
  const state = view.load(rows, at.ledger)
  const unnamed = view.assetRefs(state)
  if (unnamed.length === 0) return { view, state, at, window }
  const names = await stateOf(unnamed, at.ledger, context)
  return { view, state: view.load([...rows, ...names], at.ledger), at, window }
}

function windowLedgerOf(at: LedgerTime, { views, readModel, call }: RouteContext): Promise<LedgerTime | null> {
  const from = at.closeTimeSeconds - views.soroswap.windowSeconds
  return from < 0 ? Promise.resolve(null) : readModel.ledgerAtOrBefore(from, call)
}

/** All state of the contracts that is nobody's. */
function rangeOf(contracts: readonly ContractId[], ledger: number, { readModel, call }: RouteContext): Promise<StateRow[]> {
  return readModel.stateAsOf({ protocol: 'soroswap', contracts, keyFrom: 'a', ledger }, call)
}

/** One statement for all of them: every key is asked of every contract, and a contract that does not have it has no row. */
function stateOf(refs: readonly StateRef[], ledger: number, { readModel, call }: RouteContext): Promise<StateRow[]> {
  const contracts = [...new Set(refs.map((ref) => ref.contract))]
  const keys = [...new Set(refs.map((ref) => ref.key))]
  return readModel.stateAsOf({ protocol: 'soroswap', contracts, keys, ledger }, call)
}
