// Aquarius for the endpoints: liquidity pools of every kind, what accounts hold of them, and who its contracts are.

import type { AquariusContract, AquariusState, AquariusView, FeeWindow } from '@orrery/aquarius'
import type { Address, ContractId } from '@orrery/ledger'
import { Decimal } from '@orrery/pricing'
import type { DecimalText, LpPoolType, StateRow } from '@orrery/protocol-kit'
import type { RouteContext } from '../route.ts'
import { type LiquidityAccount, liquidityAccount, liquidityPools } from './liquidity.ts'
import type { ContractDescription, Moment, Names, PoolNames, ProtocolReader } from './protocol-reader.ts'
import { readerAt } from './registry-as-of.ts'
import { type Loadable, type Loaded, StateLoader } from './state-loader.ts'

interface AquariusReader extends ProtocolReader {
  account(address: Address, own: Promise<readonly StateRow[]>, moment: Moment): Promise<LiquidityAccount>
}

export function aquariusReader(context: RouteContext): AquariusReader {
  const at = readerAt(context, readerWith)
  return {
    protocol: 'aquarius',
    hasEmissions: true,
    account: async (address, own, moment) => (await at(moment.at.ledger)).account(address, own, moment),
    pool: async (pool, moment) => (await at(moment.at.ledger)).pool(pool, moment),
    pools: async (moment) => (await at(moment.at.ledger)).pools(moment),
    contracts: async (ids, then) => (await at(then.ledger)).contracts(ids, then),
  }
}

/** With the registry of the context. */
function readerWith(context: RouteContext): AquariusReader {
  const { aquarius: view } = context.views
  const loader = new StateLoader(loadable(view), context)
  return {
    protocol: 'aquarius',
    hasEmissions: true,
    async account(address, own, moment) {
      const loaded = await loader.account(address, own, moment)
      return liquidityAccount('aquarius', address, view, loaded, namesOf(loaded, view))
    },
    pool: async (pool, moment) => poolNamesOf(pool, await loader.pool(pool, Promise.resolve([]), moment), view),
    async pools(moment) {
      const loaded = await loader.allPools(moment)
      return liquidityPools(view, loaded, namesOf(loaded, view))
    },
    contracts: async (ids, at) => namesOf(await loader.contracts(ids, at), view),
  }
}

function loadable(view: AquariusView): Loadable<AquariusState, FeeWindow> {
  return {
    protocol: 'aquarius',
    listings: view.routers(),
    nameKeys: view.nameKeys,
    sharedRefs: () => view.sharedRefs(),
    assetRefs: (state) => view.assetRefs(state),
    load: (rows, asOf) => view.load(rows, asOf),
    pools: (state) => view.pools(state),
    window: { seconds: view.windowSeconds, refs: (pools) => view.windowRefs(pools), load: (rows, at) => view.feeWindow(rows, at) },
  }
}

type AquariusAsOf = Loaded<AquariusState, FeeWindow>

function poolNamesOf(pool: ContractId, loaded: AquariusAsOf, view: AquariusView): PoolNames {
  const { state, at, window } = loaded
  const tokens = view.pool(state, pool, at, window)?.reserves ?? []
  return { ...namesOf(loaded, view), prices: () => tokens.flatMap(({ price }) => price ?? []) }
}

function namesOf({ state, at }: AquariusAsOf, view: AquariusView): Names {
  return {
    protocol: 'aquarius',
    knowsPool: (id) => view.pools(state).includes(id),
    contract: (id) => descriptionOf(view.contract(state, id)),
    isToken: (id) => view.contract(state, id) === null && view.asset(state, id).decimals !== null,
    asset: (id) => view.asset(state, id),
    price: (id) => view.price(state, id, at),
  }
}

const KINDS: Readonly<Record<LpPoolType, string>> = {
  constant_product: 'constant product',
  stable: 'stable',
  concentrated: 'concentrated',
  unknown: 'unknown kind',
}

function descriptionOf(contract: AquariusContract | null): ContractDescription | null {
  if (contract === null) return null
  const { role, status, version } = contract
  return {
    name: nameOf(contract),
    protocol: 'aquarius',
    position_types: role === 'pool' || role === 'share' ? ['lp'] : [],
    status,
    version,
  }
}

function nameOf({ role, name, poolType, fee }: AquariusContract): string {
  if (role === 'router') return 'Aquarius router'
  const kind = poolType === null ? '' : ` (${[KINDS[poolType], ...(fee === null ? [] : [percent(fee)])].join(' ')})`
  if (role === 'pool') return `${name}${kind}`
  return `${name === '' ? 'Aquarius' : `${name}${kind}`} ${role === 'share' ? 'share token' : 'gauge'}`
}

/** `0.003` is `0.3%`. */
function percent(fraction: DecimalText): string {
  return `${new Decimal(fraction).times(100).toFixed()}%`
}
