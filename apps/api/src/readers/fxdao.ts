// FxDAO for the endpoints: vaults by currency, locked stakes, and who its contracts are. One deployment holds everything.

import {
  type CurrencyReserve,
  type FxdaoState,
  type FxdaoView,
  type LockedPosition,
  poolOfCurrency,
  type VaultPosition,
} from '@orrery/fxdao'
import type { Address, ContractId } from '@orrery/ledger'
import type { Price, StateRow } from '@orrery/protocol-kit'
import type { PriceUse } from '../present/price-use.ts'
import { areVaultsComplete, vaultEntry } from '../present/vault-position.ts'
import { currencyReserves } from '../present/vault-reserve.ts'
import type { RouteContext } from '../route.ts'
import type { AccountState, ContractDescription, Moment, Names, PoolNames, PoolsState, ProtocolReader } from './protocol-reader.ts'
import { readerAt } from './registry-as-of.ts'
import { type Loadable, type Loaded, NO_WINDOW, StateLoader } from './state-loader.ts'

interface FxdaoAccount extends AccountState {
  /** Open vaults, by currency, and what is locked. Their prices go into `prices`. */
  positions(prices: PriceUse): { readonly vaults: VaultPosition[]; readonly locked: LockedPosition[] }
}

interface FxdaoReader extends ProtocolReader {
  account(address: Address, own: Promise<readonly StateRow[]>, moment: Moment): Promise<FxdaoAccount>
  /** The same with everybody's vaults: the rank of one counts those before it. */
  rankedAccount(address: Address, own: Promise<readonly StateRow[]>, moment: Moment): Promise<FxdaoAccount>
}

export function fxdaoReader(context: RouteContext): FxdaoReader {
  const at = readerAt(context, readerWith)
  return {
    protocol: 'fxdao',
    hasEmissions: false,
    account: async (address, own, moment) => (await at(moment.at.ledger)).account(address, own, moment),
    rankedAccount: async (address, own, moment) => (await at(moment.at.ledger)).rankedAccount(address, own, moment),
    pool: async (pool, moment) => (await at(moment.at.ledger)).pool(pool, moment),
    pools: async (moment) => (await at(moment.at.ledger)).pools(moment),
    contracts: async (ids, then) => (await at(then.ledger)).contracts(ids, then),
  }
}

/** With the registry of the context. */
function readerWith(context: RouteContext): FxdaoReader {
  const { fxdao: view } = context.views
  const loader = new StateLoader(loadable(view), context)
  return {
    protocol: 'fxdao',
    hasEmissions: false,
    account: async (address, own, moment) => accountOf(address, await loader.account(address, own, moment), context),
    async rankedAccount(address, own, moment) {
      const rows = await own
      return accountOf(address, await (rows.length > 0 ? loader.everything(moment, rows) : loader.account(address, own, moment)), context)
    },
    pool: async (pool, { at }) => poolNamesOf(pool, await loader.contracts([], at), context),
    pools: async (moment) => poolsOf(await loader.everything(moment), context),
    contracts: async (ids, at) => namesOf(await loader.contracts(ids, at), context),
  }
}

function loadable(view: FxdaoView): Loadable<FxdaoState, null> {
  return {
    protocol: 'fxdao',
    listings: view.contracts(),
    nameKeys: ['asset'],
    // Currencies and their settings say who coins are, and every vault needs them.
    namesOfAll: view.contracts(),
    poolsOf: (own) => (own.length === 0 ? [] : view.contracts()),
    sharedRefs: () => view.sharedRefs(),
    assetRefs: (state) => view.assetRefs(state),
    load: (rows, asOf) => view.load(rows, asOf),
    pools: () => view.contracts(),
    window: NO_WINDOW,
  }
}

type FxdaoAsOf = Loaded<FxdaoState, null>

function accountOf(address: Address, loaded: FxdaoAsOf, context: RouteContext): FxdaoAccount {
  const { fxdao: view } = context.views
  const { state, at } = loaded
  const positions: FxdaoAccount['positions'] = (prices) => {
    const vaults = view.vaults(state, address, at)
    const locked = view.locked(state, address, at)
    const used = [...vaults.flatMap(({ collateral, debt }) => [collateral, debt]), ...locked.map(({ stake }) => stake)]
    for (const { price } of used) prices.add(price)
    return { vaults, locked }
  }
  return {
    ...namesOf(loaded, context),
    positions,
    portfolio(prices) {
      const { vaults, locked } = positions(prices)
      if (vaults.length + locked.length === 0) return null
      return { entry: vaultEntry(vaults, locked, at.ledger), complete: areVaultsComplete(vaults, locked) }
    },
  }
}

/** `pool` names a currency: `fxdao:USD`. */
function poolNamesOf(pool: ContractId, loaded: FxdaoAsOf, context: RouteContext): PoolNames {
  const { fxdao: view } = context.views
  const { state, at } = loaded
  const prices = (): Price[] =>
    view
      .reserves(state, at)
      .filter(({ denomination }) => poolOfCurrency(denomination) === pool)
      .flatMap(({ debt, collateral }) => [debt.price ?? [], collateral.price ?? []].flat())
  return { ...namesOf(loaded, context), prices }
}

function poolsOf(loaded: FxdaoAsOf, context: RouteContext): PoolsState {
  const { fxdao: view } = context.views
  const { state, at } = loaded
  return {
    ...namesOf(loaded, context),
    reserves(prices) {
      const currencies: CurrencyReserve[] = view.reserves(state, at)
      const amounts = currencies.flatMap(({ debt, collateral }) => [debt, collateral])
      for (const { price } of amounts) prices.add(price)
      return {
        reserves: currencyReserves(currencies),
        backstops: [],
        complete: amounts.every(({ amount, usdValue }) => amount === 0n || usdValue !== null),
      }
    },
    emissions: () => ({ pools: [], complete: true }),
  }
}

function namesOf({ state, at }: FxdaoAsOf, { views: { fxdao: view }, network }: RouteContext): Names {
  const description = (id: ContractId): ContractDescription | null => {
    const of = { protocol: 'fxdao', status: 'active', version: '' }
    for (const { vaults, lockingPools } of network.deployments.fxdao) {
      if (id === vaults) {
        const isStopped = state.core?.value.panic === true
        return {
          ...of,
          name: 'FxDAO vaults',
          position_types: ['collateral', 'liability', 'vault'],
          status: isStopped ? 'paused' : 'active',
        }
      }
      if (lockingPools.includes(id)) return { ...of, name: 'FxDAO locking pool', position_types: ['supply'] }
    }
    return null
  }
  return {
    protocol: 'fxdao',
    knowsPool: (id) => view.currencies(state).some((denomination) => poolOfCurrency(denomination) === id),
    contract: description,
    isToken: (id) => description(id) === null && view.asset(state, id).decimals !== null,
    asset: (id) => view.asset(state, id),
    price: (id) => view.price(state, id, at),
  }
}
