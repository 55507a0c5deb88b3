// Aquarius' view as the API reads every AMM: pools of every kind, what accounts hold of them, and who its contracts are.

import { type FeeWindow, feeApyOf, volumeInWindow } from '@orrery/fold-kit'
import { Decimal } from '@orrery/pricing'
import type { AmmView, ContractDescription, DecimalText, LpPoolType, Network } from '@orrery/protocol-kit'
import { listing } from '../state/listing.ts'
import type { AquariusState } from '../state/state.ts'
import { poolCurve } from './curve.ts'
import type { AquariusContract } from './describe.ts'
import { aquariusView } from './view.ts'

export function ammView(network: Network): AmmView<AquariusState, FeeWindow> {
  const view = aquariusView(network)
  return {
    announcement: { keyOf: (pool) => listing.keyOf({ pool }), isCreation: ({ announced }) => announced === true },
    nameKeys: view.nameKeys,
    windowSeconds: view.windowSeconds,
    listings: () => view.routers(),
    sharedRefs: () => view.sharedRefs(),
    assetRefs: (state) => view.assetRefs(state),
    windowRefs: (pools) => view.windowRefs(pools),
    load: (rows, asOf) => view.load(rows, asOf),
    feeWindow: (rows, at) => view.feeWindow(rows, at),
    pools: (state) => view.pools(state),
    hasPool: (state, pool) => view.pools(state).includes(pool),
    pool: (state, pool, at, window) => view.pool(state, pool, at, window),
    curve: (state, pool, at) => poolCurve(state, pool, at),
    feeApy: feeApyOf,
    volumeUsd: (state, pool, since) => volumeInWindow(pool, state.pools.get(pool)?.counters ?? null, since),
    positions: (state, address, at, window) => view.positions(state, address, at, window),
    asset: (state, asset) => view.asset(state, asset),
    price: (state, asset, at) => view.price(state, asset, at),
    pricesNeed: 'pool',
    pricesOfPool: (state, pool, at, window) => (view.pool(state, pool, at, window)?.reserves ?? []).flatMap(({ price }) => price ?? []),
    contract: (state, id) => descriptionOf(view.contract(state, id)),
    isToken: (state, id) => view.contract(state, id) === null && view.asset(state, id).decimals !== null,
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
  return { name: nameOf(contract), positionTypes: role === 'pool' || role === 'share' ? ['lp'] : [], status, version }
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
