// An AMM for the endpoints: liquidity pools, what accounts hold of them, and who its contracts are.

import type { Address, ContractId } from '@orrery/ledger'
import type { AmmView, ContractDescription as Described, ProtocolId, StateRow } from '@orrery/protocol-kit'
import type { LedgerTime } from '@orrery/read-model'
import { createdAt } from '../present/pools/pool-item.ts'
import type { RouteContext } from '../route.ts'
import { type ProtocolOf, viewOf } from '../views.ts'
import { type LiquidityAccount, liquidityAccount, liquidityAccounts, liquidityPools } from './liquidity.ts'
import { listedLiquidity } from './listed-liquidity.ts'
import type { ContractDescription, Moment, Names, ProtocolReader, RangedPosition } from './protocol-reader.ts'
import { readerAt } from './registry-as-of.ts'
import { type Loadable, type Loaded, StateLoader } from './state-loader.ts'

type View = AmmView<unknown, unknown>

interface AmmReader extends ProtocolReader {
  account(address: Address, own: Promise<readonly StateRow[]>, moment: Moment): Promise<LiquidityAccount>
}

export function ammReader(protocol: ProtocolOf<'amm'>, context: RouteContext): AmmReader {
  const at = readerAt(context, (bound) => readerWith(protocol, bound))
  return {
    protocol: protocol.id,
    hasEmissions: protocol.view.hasEmissions,
    account: async (address, own, moment) => (await at(moment.at.ledger)).account(address, own, moment),
    accounts: async (addresses, own, moment) => (await at(moment.at.ledger)).accounts(addresses, own, moment),
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
function readerWith(protocol: ProtocolOf<'amm'>, context: RouteContext): AmmReader {
  const view = viewOf(context.views, protocol)
  const { id } = protocol
  const loader = new StateLoader(loadable(id, view), context)
  return {
    protocol: id,
    hasEmissions: protocol.view.hasEmissions,
    async account(address, own, moment) {
      const loaded = await loader.accounts([address], own, moment)
      return liquidityAccount(address, view, loaded, namesOf(id, loaded, view))
    },
    async accounts(addresses, own, moment) {
      const loaded = await loader.accounts(addresses, own, moment)
      return liquidityAccounts(id, view, loaded, namesOf(id, loaded, view))
    },
    async pool(pool, moment) {
      const none = Promise.resolve([])
      const loaded = await (view.pricesNeed === 'pool' ? loader.pool(pool, none, moment) : loader.contracts([pool], moment.at))
      const { state, at, window } = loaded
      return { ...namesOf(id, loaded, view), prices: () => view.pricesOfPool(state, pool, at, window) }
    },
    async pools(moment) {
      const loaded = await loader.allPools(moment)
      return liquidityPools(view, loaded, namesOf(id, loaded, view))
    },
    async listed(moment) {
      const loaded = await loader.allPoolsNow(moment)
      return listedLiquidity(id, view, loader, loaded, namesOf(id, loaded, view), moment, context)
    },
    async onePool(pool, moment) {
      const loaded = await loader.poolNow(pool, moment)
      const names = { ...namesOf(id, loaded, view), feeApy: view.feeApy }
      // Most contracts that this is asked for are pools of another protocol.
      if (view.pool(loaded.state, pool, moment.at, loaded.window) === null) return { ...names, entry: null }
      const listed = listedLiquidity(id, view, loader, loaded, names, moment, context)
      const [[entry = null], created] = await Promise.all([listed.withYields([pool]), listed.createdLedgers([pool])])
      return { ...names, entry: entry === null ? null : createdAt(entry, created) }
    },
    async holdings(pool, moment) {
      const loaded = await (pool === undefined ? loader.allPoolsNow(moment) : loader.poolNow(pool, moment))
      const { state, at } = loaded
      const asked = pool === undefined ? view.pools(state) : [pool]
      const terms = asked.map((one) => ({ pool: one, terms: view.terms(state, one, at) }))
      const ranged = terms.flatMap((it) => (it.terms === null ? it.pool : []))
      return {
        ...namesOf(id, loaded, view),
        hasPool: (one) => view.pool(state, one, at, loaded.window) !== null,
        terms: terms.flatMap((it) => it.terms ?? []),
        ranged: (await Promise.all(ranged.map((one) => rangedPositions(one, view, loader, at)))).flat(),
      }
    },
    contracts: async (ids, at) => namesOf(id, await loader.contracts(ids, at), view),
    prepare: (ledger) => loader.prepare(ledger),
  }
}

/** Open positions in a pool of ranges, from the state of all its accounts. */
async function rangedPositions(
  pool: ContractId,
  view: View,
  loader: StateLoader<unknown, unknown>,
  at: LedgerTime,
): Promise<RangedPosition[]> {
  const { rows, state, window } = await loader.poolOfAccounts(pool, at)
  const holders = [...new Set(rows.flatMap(({ owner }) => (owner === '' ? [] : owner)))].sort()
  return holders
    .flatMap((address) => view.positions(state, address, at, window))
    .filter(({ shares }) => shares > 0n)
    .map(({ address, netUsd }) => ({ pool, address, netUsd: netUsd ?? '0' }))
}

function loadable(protocol: ProtocolId, view: View): Loadable<unknown, unknown> {
  return {
    protocol,
    listings: view.listings(),
    nameKeys: view.nameKeys,
    sharedRefs: () => view.sharedRefs(),
    assetRefs: (state) => view.assetRefs(state),
    load: (rows, asOf) => view.load(rows, asOf),
    pools: (state) => view.pools(state),
    window: { seconds: view.windowSeconds, refs: (pools) => view.windowRefs(pools), load: (rows, at) => view.feeWindow(rows, at) },
  }
}

function namesOf(protocol: ProtocolId, { state, at }: Loaded<unknown, unknown>, view: View): Names {
  return {
    protocol,
    knowsPool: (id) => view.hasPool(state, id),
    contract: (id) => descriptionOf(protocol, view.contract(state, id)),
    isToken: (id) => view.isToken(state, id),
    asset: (id) => view.asset(state, id),
    price: (id) => view.price(state, id, at),
  }
}

function descriptionOf(protocol: ProtocolId, described: Described | null): ContractDescription | null {
  if (described === null) return null
  const { name, positionTypes, status, version } = described
  return { name, protocol, position_types: [...positionTypes], status, version }
}
