// A lending protocol for the endpoints: pools with their backstops, what accounts have in them, and who its contracts are.

import type { BlendContract, BlendState, BlendView, GivenPrices, LendingPool, LendingPosition } from '@orrery/blend'
import type { Address, ContractId } from '@orrery/ledger'
import type { ProtocolId, StateRow } from '@orrery/protocol-kit'
import { poolAuctionKeys } from '@orrery/read-model/queries'
import { lendingEntry } from '../present/lending-entry.ts'
import { isComplete } from '../present/lending-position.ts'
import { areEmissionsPriced, isPoolComplete, lendingBackstop, lendingEmissions, lendingReserves } from '../present/lending-reserve.ts'
import { rewardsOf } from '../present/lending-rewards.ts'
import { lendingPoolEntry } from '../present/pools/lending-pool.ts'
import { createdAt, type PoolEntry } from '../present/pools/pool-item.ts'
import type { PriceUse } from '../present/price-use.ts'
import { isPriced } from '../present/reward.ts'
import type { RouteContext } from '../route.ts'
import { type ProtocolOf, viewOf } from '../views.ts'
import { createdLedgers } from './created-ledgers.ts'
import type { AccountsState, ContractDescription, Moment, Names, PoolNames, PoolsState, ProtocolReader } from './protocol-reader.ts'
import { readerAt } from './registry-as-of.ts'
import { type Loadable, type Loaded, NO_WINDOW, StateLoader } from './state-loader.ts'

interface LendingAccount extends AccountsState {
  /** Open positions, by pool. Their prices go into `prices`. */
  positions(prices: PriceUse): LendingPosition[]
}

interface LendingPoolAccount extends PoolNames {
  /** Null when the account never had anything in the pool. `given`: prices in place of those of the oracle. */
  position(prices: PriceUse, given?: GivenPrices): LendingPosition | null
  /** '' before the pool's first ledger. */
  readonly poolName: string
  /** Assets of its reserves, none before the pool's first ledger. */
  readonly reserves: readonly ContractId[]
}

interface LendingReader extends ProtocolReader {
  account(address: Address, own: Promise<readonly StateRow[]>, moment: Moment): Promise<LendingAccount>
  /** One pool, and what the account has in it. */
  poolAccount(pool: ContractId, address: Address, own: Promise<readonly StateRow[]>, moment: Moment): Promise<LendingPoolAccount>
}

export function lendingReader(protocol: ProtocolOf<'lending'>, context: RouteContext): LendingReader {
  const at = readerAt(context, (bound) => readerWith(protocol, bound))
  return {
    protocol: protocol.id,
    hasEmissions: protocol.view.hasEmissions,
    account: async (address, own, moment) => (await at(moment.at.ledger)).account(address, own, moment),
    accounts: async (addresses, own, moment) => (await at(moment.at.ledger)).accounts(addresses, own, moment),
    poolAccount: async (pool, address, own, moment) => (await at(moment.at.ledger)).poolAccount(pool, address, own, moment),
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
function readerWith(protocol: ProtocolOf<'lending'>, context: RouteContext): LendingReader {
  const view = viewOf(context.views, protocol)
  const { id } = protocol
  const loader = new StateLoader(loadable(id, view), context)
  const announced = { protocol: id, listings: view.factories(), announcement: view.announcement }
  return {
    protocol: protocol.id,
    hasEmissions: protocol.view.hasEmissions,
    account: async (address, own, moment) => accountOf(id, address, await loader.accounts([address], own, moment), view),
    accounts: async (addresses, own, moment) => accountsOf(id, await loader.accounts(addresses, own, moment), view),
    poolAccount: async (pool, address, own, moment) => poolAccountOf(id, pool, address, await loader.pool(pool, own, moment), view),
    pool: async (pool, moment) => poolNamesOf(id, pool, await loader.pool(pool, Promise.resolve([]), moment), view),
    pools: async (moment) => poolsOf(id, await loader.allPools(moment), view),
    async listed(moment) {
      const loaded = await loader.allPools(moment)
      const entryOf = (pool: ContractId) => entryFrom(id, pool, loaded, view)
      const entries = view.pools(loaded.state).flatMap((pool) => entryOf(pool) ?? [])
      return {
        ...namesOf(id, loaded, view),
        entries,
        createdLedgers: (pools) => createdLedgers(announced, pools, moment, context),
        withYields: async (pools) => pools.flatMap((pool) => entryOf(pool) ?? []),
      }
    },
    async onePool(pool, moment) {
      const loaded = await loader.pool(pool, auctionRows(id, pool, moment, context), moment)
      const entry = entryFrom(id, pool, loaded, view)
      const created = entry === null ? new Map() : await createdLedgers(announced, [pool], moment, context)
      return { ...namesOf(id, loaded, view), entry: entry === null ? null : createdAt(entry, created), feeApy: () => null }
    },
    async holdings(pool, moment) {
      const loaded = await (pool === undefined ? loader.allPools(moment) : loader.pool(pool, Promise.resolve([]), moment))
      const { state, at } = loaded
      const asked = pool === undefined ? view.pools(state) : [pool]
      return {
        ...namesOf(id, loaded, view),
        hasPool: (one) => view.pool(state, one, at) !== null,
        terms: asked.flatMap((one) => view.terms(state, one, at)),
        ranged: [],
      }
    },
    contracts: async (ids, at) => namesOf(id, await loader.contracts(ids, at), view),
    prepare: (ledger) => loader.prepare(ledger),
  }
}

function loadable(protocol: ProtocolId, view: BlendView): Loadable<BlendState, null> {
  return {
    protocol,
    listings: view.factories(),
    nameKeys: NAME_KEYS,
    poolsOf: (own) => view.poolsOf(own),
    sharedRefs: () => view.sharedRefs(),
    assetRefs: (state) => view.assetRefs(state),
    load: (rows, asOf) => view.load(rows, asOf),
    pools: (state) => view.pools(state),
    window: NO_WINDOW,
  }
}

/** A pool says of itself who it is; other contracts of ours are in the registry. */
const NAME_KEYS = ['pool', 'asset'] as const

type LendingAsOf = Loaded<BlendState, null>

function accountOf(protocol: ProtocolId, address: Address, loaded: LendingAsOf, view: BlendView): LendingAccount {
  const { state, at } = loaded
  return {
    ...accountsOf(protocol, loaded, view),
    positions(prices) {
      const open = view.positions(state, address, at)
      for (const position of open) usePrices(position, prices)
      return open
    },
  }
}

function accountsOf(protocol: ProtocolId, loaded: LendingAsOf, view: BlendView): AccountsState {
  const { state, at } = loaded
  return {
    ...namesOf(protocol, loaded, view),
    portfolio(address, prices) {
      // Pools that the account has left count while rewards can be claimed there.
      const touched = view.pools(state).flatMap((pool) => view.position(state, pool, address, at) ?? [])
      const shown = touched.filter((position) => position.open || rewardsOf(position).length > 0)
      for (const position of shown) usePrices(position, prices)
      if (shown.length === 0) return null
      const complete = shown.every((position) => isComplete(position) && rewardsOf(position).every(isPriced))
      return { entry: lendingEntry(protocol, shown, at.ledger), complete }
    },
  }
}

function usePrices({ supply, borrow, backstop, claimable }: LendingPosition, prices: PriceUse): void {
  const balances = [...supply, ...borrow]
  for (const { price } of balances) prices.add(price)
  // What is paid on top of interest is worth what BLND is worth.
  if (balances.some((balance) => balance.emissionApy !== '0' || balance.claimable > 0n)) prices.add(claimable.price)
  prices.add(backstop?.lpPrice ?? null)
}

function poolAccountOf(protocol: ProtocolId, pool: ContractId, address: Address, loaded: LendingAsOf, view: BlendView): LendingPoolAccount {
  const { state, at } = loaded
  const shown = view.pool(state, pool, at)
  return {
    ...poolNamesOf(protocol, pool, loaded, view),
    poolName: shown?.name ?? '',
    reserves: (shown?.reserves ?? []).map(({ asset }) => asset.asset),
    position(prices, given) {
      const position = view.position(state, pool, address, at, given)
      if (position !== null) usePrices(position, prices)
      return position
    },
  }
}

function poolNamesOf(protocol: ProtocolId, pool: ContractId, loaded: LendingAsOf, view: BlendView): PoolNames {
  const { state, at } = loaded
  return {
    ...namesOf(protocol, loaded, view),
    prices: () => (view.pool(state, pool, at)?.reserves ?? []).flatMap((reserve) => reserve.price ?? []),
  }
}

function poolsOf(protocol: ProtocolId, loaded: LendingAsOf, view: BlendView): PoolsState {
  const { state, at } = loaded
  const pools = (): LendingPool[] => view.pools(state).flatMap((pool) => view.pool(state, pool, at) ?? [])
  return {
    ...namesOf(protocol, loaded, view),
    reserves(prices) {
      const all = pools()
      for (const { price } of all.flatMap((pool) => pool.reserves)) prices.add(price)
      for (const { backstop } of all) prices.add(backstop.lpPrice)
      return { reserves: all.flatMap(lendingReserves), backstops: all.map(lendingBackstop), complete: all.every(isPoolComplete) }
    },
    emissions(prices) {
      const emitting = pools().filter((pool) => lendingEmissions(pool).assets.length > 0)
      for (const { price } of emitting.flatMap((pool) => pool.reserves)) prices.add(price)
      for (const { backstop } of emitting) prices.add(view.price(state, backstop.blnd.asset, at))
      return { pools: emitting.map(lendingEmissions), complete: emitting.every(areEmissionsPriced) }
    },
  }
}

function entryFrom(protocol: ProtocolId, id: ContractId, { state, at }: LendingAsOf, view: BlendView): PoolEntry | null {
  const pool = view.pool(state, id, at)
  return pool === null ? null : lendingPoolEntry(protocol, pool, view.auctions(state, id, at))
}

/** Rows of the auctions of a pool. They are filed under the accounts that they are of, so their keys are looked up first. */
async function auctionRows(
  protocol: ProtocolId,
  pool: ContractId,
  { at }: Moment,
  { readModel, call }: RouteContext,
): Promise<readonly StateRow[]> {
  const keys = (await readModel.query(poolAuctionKeys, { protocol, pool }, call)).map(({ key }) => key)
  return keys.length === 0 ? [] : readModel.stateAsOf({ protocol, ledger: at.ledger, contracts: [pool], keys }, call)
}

const POSITION_TYPES: Readonly<Record<BlendContract['role'], readonly string[]>> = {
  pool: ['supply', 'collateral', 'liability'],
  backstop: ['backstop'],
  factory: [],
  emitter: [],
  comet: [],
}

function namesOf(protocol: ProtocolId, { state, at }: LendingAsOf, view: BlendView): Names {
  return {
    protocol,
    knowsPool: (id) => view.pools(state).includes(id),
    contract: (id) => descriptionOf(protocol, view.contract(state, id)),
    // What backstops hold is a token beside being a contract of ours.
    isToken: (id) => view.contract(state, id) === null && view.asset(state, id).decimals !== null,
    asset: (id) => view.asset(state, id),
    price: (id) => view.price(state, id, at),
  }
}

function descriptionOf(protocol: ProtocolId, contract: BlendContract | null): ContractDescription | null {
  if (contract === null) return null
  const { role, name, version, status } = contract
  return { name, protocol, position_types: [...POSITION_TYPES[role]], status, version }
}
