// A protocol of vaults for the endpoints: vaults by currency, locked stakes, and who its contracts are. One deployment holds everything.

import {
  type CurrencyReserve,
  type FxdaoState,
  type FxdaoView,
  type LockedPosition,
  poolOfCurrency,
  type VaultPosition,
} from '@orrery/fxdao'
import type { Address, ContractId } from '@orrery/ledger'
import type { Network, Price, ProtocolId, StateRow } from '@orrery/protocol-kit'
import type { PoolEntry } from '../present/pools/pool-item.ts'
import { currencyPoolEntry, stakingPoolEntry } from '../present/pools/vault-pool.ts'
import type { PriceUse } from '../present/price-use.ts'
import { areVaultsComplete, vaultEntry } from '../present/vault-position.ts'
import { currencyReserves } from '../present/vault-reserve.ts'
import type { RouteContext } from '../route.ts'
import { type ProtocolOf, viewOf } from '../views.ts'
import type { AccountsState, ContractDescription, Moment, Names, PoolNames, PoolsState, ProtocolReader } from './protocol-reader.ts'
import { readerAt } from './registry-as-of.ts'
import { type Loadable, type Loaded, NO_WINDOW, StateLoader } from './state-loader.ts'

interface VaultAccount extends Names {
  /** Open vaults, by currency, and what is locked. Their prices go into `prices`. */
  positions(prices: PriceUse): VaultHoldings
}

interface VaultHoldings {
  readonly vaults: VaultPosition[]
  readonly locked: LockedPosition[]
}

interface VaultReader extends ProtocolReader {
  /** An account with everybody's vaults: the rank of one counts those before it. */
  rankedAccount(address: Address, own: Promise<readonly StateRow[]>, moment: Moment): Promise<VaultAccount>
}

export function vaultReader(protocol: ProtocolOf<'vault'>, context: RouteContext): VaultReader {
  const at = readerAt(context, (bound) => readerWith(protocol, bound))
  return {
    protocol: protocol.id,
    hasEmissions: protocol.view.hasEmissions,
    accounts: async (addresses, own, moment) => (await at(moment.at.ledger)).accounts(addresses, own, moment),
    rankedAccount: async (address, own, moment) => (await at(moment.at.ledger)).rankedAccount(address, own, moment),
    pool: async (pool, moment) => (await at(moment.at.ledger)).pool(pool, moment),
    pools: async (moment) => (await at(moment.at.ledger)).pools(moment),
    listed: async (moment) => (await at(moment.at.ledger)).listed(moment),
    onePool: async (pool, moment) => (await at(moment.at.ledger)).onePool(pool, moment),
    holdings: async (pool, moment) => (await at(moment.at.ledger)).holdings(pool, moment),
    contracts: async (ids, then) => (await at(then.ledger)).contracts(ids, then),
    prepare: async (ledger) => (await at(ledger)).prepare(ledger),
  }
}

/** With the registry of the context. */
function readerWith(protocol: ProtocolOf<'vault'>, context: RouteContext): VaultReader {
  const bound: Bound = { protocol: protocol.id, view: viewOf(context.views, protocol), network: context.network }
  const loader = new StateLoader(loadable(bound), context)
  return {
    protocol: protocol.id,
    hasEmissions: protocol.view.hasEmissions,
    accounts: async (addresses, own, moment) => accountsOf(await loader.accounts(addresses, own, moment), bound),
    async rankedAccount(address, own, moment) {
      const rows = await own
      return accountOf(address, await (rows.length > 0 ? loader.everything(moment, rows) : loader.accounts([address], own, moment)), bound)
    },
    pool: async (pool, { at }) => poolNamesOf(pool, await loader.contracts([], at), bound),
    pools: async (moment) => poolsOf(await loader.everything(moment), bound),
    async listed(moment) {
      const loaded = await loader.everything(moment)
      const entries = entriesOf(loaded, bound)
      return {
        ...namesOf(loaded, bound),
        entries,
        // Nothing announces a currency.
        createdLedgers: async () => new Map(),
        withYields: async (pools) => pools.flatMap((pool) => entries.find(({ item }) => item.pool_id === pool) ?? []),
      }
    },
    async onePool(pool, moment) {
      const loaded = await (isOurs(pool, bound) ? loader.everything(moment) : loader.contracts([], moment.at))
      return {
        ...namesOf(loaded, bound),
        feeApy: () => null,
        entry: entriesOf(loaded, bound).find(({ item }) => item.pool_id === pool) ?? null,
      }
    },
    async holdings(_, moment) {
      const loaded = await loader.allPoolsNow(moment)
      const terms = bound.view.terms(loaded.state, moment.at)
      return { ...namesOf(loaded, bound), hasPool: (pool) => terms.some((term) => term.pool === pool), terms, ranged: [] }
    },
    contracts: async (ids, at) => namesOf(await loader.contracts(ids, at), bound),
    prepare: (ledger) => loader.prepare(ledger),
  }
}

interface Bound {
  readonly protocol: ProtocolId
  readonly view: FxdaoView
  readonly network: Network
}

function loadable({ protocol, view }: Bound): Loadable<FxdaoState, null> {
  return {
    protocol,
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

type VaultAsOf = Loaded<FxdaoState, null>

function accountOf(address: Address, loaded: VaultAsOf, bound: Bound): VaultAccount {
  return { ...namesOf(loaded, bound), positions: (prices) => holdingsOf(address, loaded, bound, prices) }
}

function accountsOf(loaded: VaultAsOf, bound: Bound): AccountsState {
  return {
    ...namesOf(loaded, bound),
    portfolio(address, prices) {
      const { vaults, locked } = holdingsOf(address, loaded, bound, prices)
      if (vaults.length + locked.length === 0) return null
      return { entry: vaultEntry(bound.protocol, vaults, locked, loaded.at.ledger), complete: areVaultsComplete(vaults, locked) }
    },
  }
}

function holdingsOf(address: Address, { state, at }: VaultAsOf, { view }: Bound, prices: PriceUse): VaultHoldings {
  const vaults = view.vaults(state, address, at)
  const locked = view.locked(state, address, at)
  const used = [...vaults.flatMap(({ collateral, debt }) => [collateral, debt]), ...locked.map(({ stake }) => stake)]
  for (const { price } of used) prices.add(price)
  return { vaults, locked }
}

/** `pool` names a currency: `fxdao:USD`. */
function poolNamesOf(pool: ContractId, loaded: VaultAsOf, bound: Bound): PoolNames {
  const { view } = bound
  const { state, at } = loaded
  const prices = (): Price[] =>
    view
      .reserves(state, at)
      .filter(({ denomination }) => poolOfCurrency(denomination) === pool)
      .flatMap(({ debt, collateral }) => [debt.price ?? [], collateral.price ?? []].flat())
  return { ...namesOf(loaded, bound), prices }
}

function poolsOf(loaded: VaultAsOf, bound: Bound): PoolsState {
  const { view } = bound
  const { state, at } = loaded
  return {
    ...namesOf(loaded, bound),
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

/** By its name: no other protocol has such pools. */
function isOurs(pool: ContractId, { view }: Bound): boolean {
  return pool.startsWith(poolOfCurrency('')) || view.contracts().includes(pool)
}

/** Currencies, then contracts of locked stakes. */
function entriesOf({ state, at }: VaultAsOf, { protocol, view }: Bound): PoolEntry[] {
  const staked = Map.groupBy(view.lockedReserves(state, at), ({ contract }) => contract)
  return [
    ...view.reserves(state, at).map((currency) => currencyPoolEntry(protocol, currency)),
    ...[...staked].map(([contract, stakes]) => stakingPoolEntry(protocol, contract, stakes)),
  ]
}

function namesOf({ state, at }: VaultAsOf, { protocol, view, network }: Bound): Names {
  const description = (id: ContractId): ContractDescription | null => {
    const of = { protocol, status: 'active' as const, version: '' }
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
    protocol,
    knowsPool: (id) => view.currencies(state).some((denomination) => poolOfCurrency(denomination) === id),
    contract: description,
    isToken: (id) => description(id) === null && view.asset(state, id).decimals !== null,
    asset: (id) => view.asset(state, id),
    price: (id) => view.price(state, id, at),
  }
}
