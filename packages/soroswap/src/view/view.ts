// Soroswap for readers: pairs, what accounts hold of them, and who its contracts are.

import { type PoolView, poolView } from '@orrery/fold-kit'
import type { ContractId } from '@orrery/ledger'
import type { ContractDescription, Network } from '@orrery/protocol-kit'
import type { FactoryInstance } from '../chain/entries.ts'
import { rootPairs } from '../registry.ts'
import { counters, ENTRIES, emptyState, token } from '../state/entries.ts'
import { factory } from '../state/factory.ts'
import { listing } from '../state/listing.ts'
import { pair } from '../state/pair.ts'
import type { PairState, SoroswapState } from '../state/state.ts'
import { assetInfo, pairName } from './asset.ts'
import { pairAnswer, positionAnswer } from './position.ts'
import { type ValuedPair, valuePair } from './valuation.ts'

export interface SoroswapView extends PoolView<SoroswapState> {
  /** The settings of a factory, or null before its first ledger. */
  factory(state: SoroswapState, factory: ContractId): FactoryInstance | null
}

/** Readers of one network. Between two calls it keeps only the registry. */
export function soroswapView(network: Network): SoroswapView {
  const factories = network.deployments.soroswap.map((deployment) => deployment.factory)
  const view = poolView<SoroswapState, PairState, ValuedPair>(
    {
      entries: ENTRIES,
      emptyState,
      listings: factories,
      announcement: { keyOf: (pair) => listing.keyOf({ pair }), isCreation: ({ index }) => index !== null },
      sharedRefs: factories.map((contract) => ({ contract, key: factory.key })),
      rootPools: rootPairs(network).map((root) => root.contract),
      keys: { counters: counters.key, token: token.key },
      pools: ({ pairs }) => pairs,
      // A pair with tokens was listed by a factory, perhaps before the index began: then it has no announcement (`listing`), and where only the
      // factory's rows are loaded no instance either.
      isListed: ({ instance, tokens }) => instance !== null || tokens !== null,
      tokensOf: ({ tokens }) => tokens ?? [],
      asset: assetInfo,
      value: valuePair,
      pool: pairAnswer,
      position: positionAnswer,
      curve: ({ instance }) => (instance === null ? null : { kind: 'constant_product' }),
      payout: ({ tokens, pool, payoutSupply }) => ({
        tokens,
        amounts: [pool.balance0, pool.balance1],
        supply: payoutSupply,
        isOfPair: true,
      }),
      // The shares that a pair locks in itself belong to no account.
      isOpen: ({ pool, address, shares }) => pool !== address && shares > 0n,
    },
    network,
  )
  return {
    ...view,
    nameKeys: [pair.key, token.key],
    // A pair's own ratio can price one of its tokens, but the network's prices have their age as well.
    pricesNeed: 'names',
    pricesOfPool: (state, id, at) => (state.pairs.get(id)?.tokens ?? []).flatMap((it) => view.price(state, it, at) ?? []),
    contract: (state, id) => describePair(id, state, network) ?? describeRoot(id, network),
    // A pair that the registry knows before it exists is a contract of no protocol yet, not a token.
    isToken: (state, id) => !state.pairs.has(id) && view.asset(state, id).decimals !== null,
    factory: (state, contract) => state.factories.get(contract)?.value ?? null,
  }
}

function describeRoot(id: ContractId, { deployments }: Network): ContractDescription | null {
  for (const { factory, routers } of deployments.soroswap) {
    const name = id === factory ? 'Soroswap factory' : routers.includes(id) ? 'Soroswap router' : null
    if (name !== null) return { name, positionTypes: [], status: 'active', version: '' }
  }
  return null
}

function describePair(id: ContractId, state: SoroswapState, network: Network): ContractDescription | null {
  const pair = state.pairs.get(id)
  if (pair?.tokens == null) return null
  return {
    name: `${pairName(state, pair.tokens, network)} (constant product 0.3%)`,
    positionTypes: ['lp'],
    // A pair cannot be paused, and its factory never forgets it.
    status: 'active',
    version: pair.instance?.value.code ?? '',
  }
}
