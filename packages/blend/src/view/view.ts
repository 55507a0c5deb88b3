// Blend for readers: which state rows an answer needs, and the functions that make the answer from them.
// Pure, and the same code as the fold: a reader loads rows as of its ledger and calls the functions.

import type { Address, ContractId } from '@orrery/ledger'
import { type At, type Pricing, pricesOf } from '@orrery/pricing'
import type { Announcement, AssetInfo, Network, PositionTerm, Price, StateRef, StateRow } from '@orrery/protocol-kit'
import { directoryOf } from '../fold/directory.ts'
import * as ofBackstop from '../state/backstop.ts'
import * as ofComet from '../state/comet.ts'
import { ENTRIES, emptyState, token } from '../state/entries.ts'
import { listing } from '../state/pool.ts'
import { assetsOf, type BlendState } from '../state/state.ts'
import { assetInfo } from './asset.ts'
import { type LendingPool, lendingPool, type PoolStatus, poolStatus } from './pool.ts'
import { type PoolAuction, poolAuctions } from './pool-auctions.ts'
import { type LendingPosition, lendingPosition } from './position.ts'
import { positionTerms } from './position-terms.ts'
import { type ValuedPool, valuePool, valueToken } from './valuation.ts'

/** What a contract of Blend is. */
export interface BlendContract {
  readonly role: 'pool' | 'backstop' | 'factory' | 'emitter' | 'comet'
  /** A pool's own name; of a pool whose instance was not seen, and of the others, what they are, e.g. `Blend v2 backstop`. */
  readonly name: string
  readonly version: 'v1' | 'v2'
  /** Everything but a pool is `active`, and so is a pool of the registry whose instance was not seen: its status is not known. */
  readonly status: PoolStatus
}

/**
 * What a reader loads for an answer as of ledger L. "As of L" is the newest row at or before L of each (contract, key).
 *
 * | question                     | rows                                                                                                  |
 * |------------------------------|-------------------------------------------------------------------------------------------------------|
 * | positions of an account      | all rows of the account as owner, as of L; `poolsOf(rows)` names the pools                            |
 * | pools, or those of positions | of each pool the range `key >= 'a'` as of L, `sharedRefs()` as of L, `assetRefs(state)` if not empty  |
 * | all pools                    | of `factories()` the range `key >= 'a'` as of L; `pools(state)` then names the pools                  |
 */
export interface BlendView {
  /** Rows that every answer needs: backstops as wholes, Comet totals, and everything that prices are made of. */
  sharedRefs(): readonly StateRef[]
  /** The factories: under each stands the list of its pools. */
  factories(): readonly ContractId[]
  readonly announcement: Announcement
  /** Names and decimals of tokens that the registry does not hint at. Usually none. */
  assetRefs(state: BlendState): readonly StateRef[]
  /** The pools that an account's rows are filed under: others of its rows stand under the Comet pool. */
  poolsOf(ownRows: Iterable<StateRow>): readonly ContractId[]

  /** State from rows in any order. Rows of other protocols must not be among them; rows after `asOf` are passed over. */
  load(rows: Iterable<StateRow>, asOf: number): BlendState

  /** Every pool of the loaded rows and of the registry, by address. */
  pools(state: BlendState): ContractId[]
  /** Null when the pool is unknown or its instance was not seen yet. */
  pool(state: BlendState, pool: ContractId, at: At): LendingPool | null
  /** The terms by which positions in the pool are valued. None while its instance is not known. */
  terms(state: BlendState, pool: ContractId, at: At): PositionTerm[]
  /** Open auctions of the pool, of the accounts whose auction rows are loaded. */
  auctions(state: BlendState, pool: ContractId, at: At): PoolAuction[]
  /** Null when the account never had anything in the pool; empty with `open` false when it has nothing any more. */
  position(state: BlendState, pool: ContractId, address: Address, at: At): LendingPosition | null
  /** Open positions of the account, by pool. A backstop's own (bad debt) is its position too. */
  positions(state: BlendState, address: Address, at: At): LendingPosition[]
  /** Null of a contract that is not Blend's. */
  contract(state: BlendState, contract: ContractId): BlendContract | null
  asset(state: BlendState, asset: ContractId): AssetInfo
  /** The network's price of an asset: oracles, the Comet pool for BLND and its LP tokens, without a lending pool's own oracle. */
  price(state: BlendState, asset: ContractId, at: At): Price | null
}

/** The view of one network. It keeps no state between calls. */
export function blendView(network: Network): BlendView {
  return new View(network, pricesOf(network))
}

class View implements BlendView {
  readonly announcement: Announcement = { keyOf: (pool) => listing.keyOf({ pool }), isCreation: ({ announced }) => announced === true }
  readonly network: Network
  readonly pricing: Pricing

  constructor(network: Network, prices: Pricing) {
    this.network = network
    this.pricing = prices
  }

  sharedRefs(): readonly StateRef[] {
    const refs = this.network.deployments.blend.flatMap(({ backstop, backstopToken }) => [
      ...BACKSTOP_KEYS.map((key) => ({ contract: backstop, key })),
      ...COMET_KEYS.map((key) => ({ contract: backstopToken, key })),
    ])
    return [...new Map(refs.map((ref) => [`${ref.contract} ${ref.key}`, ref])).values(), ...this.pricing.stateRefs()]
  }

  factories(): readonly ContractId[] {
    return this.network.deployments.blend.map(({ factory }) => factory)
  }

  assetRefs(state: BlendState): readonly StateRef[] {
    const assets = new Set([...state.pools.values()].flatMap((pool) => assetsOf(pool)))
    return [...assets].filter((asset) => this.asset(state, asset).decimals === null).map((contract) => ({ contract, key: token.key }))
  }

  poolsOf(ownRows: Iterable<StateRow>): readonly ContractId[] {
    const others = new Set(this.network.deployments.blend.flatMap((it) => [it.backstop, it.backstopToken, it.emitter, it.factory]))
    return [...new Set([...ownRows].map((row) => row.contract))].filter((contract) => !others.has(contract)).sort()
  }

  load(rows: Iterable<StateRow>, asOf: number): BlendState {
    return ENTRIES.load(emptyState(this.network, this.pricing), rows, asOf, this.pricing)
  }

  pools(state: BlendState): ContractId[] {
    return [...state.pools.keys()].sort()
  }

  pool(state: BlendState, pool: ContractId, at: At): LendingPool | null {
    const valued = this.#value(state, pool, at)
    return valued === null ? null : lendingPool(state, valued, this)
  }

  terms(state: BlendState, pool: ContractId, at: At): PositionTerm[] {
    const valued = this.#value(state, pool, at)
    return valued === null ? [] : positionTerms(valued)
  }

  auctions(state: BlendState, pool: ContractId, at: At): PoolAuction[] {
    return poolAuctions(state, pool, at.ledger)
  }

  position(state: BlendState, pool: ContractId, address: Address, at: At): LendingPosition | null {
    // Many accounts are asked about in many pools: a pool is valued only for accounts that are in it.
    if (state.pools.get(pool)?.accounts.has(address) !== true) return null
    const valued = this.#value(state, pool, at)
    return valued === null ? null : lendingPosition(valued, address)
  }

  positions(state: BlendState, address: Address, at: At): LendingPosition[] {
    return this.pools(state)
      .filter((pool) => state.pools.get(pool)?.accounts.has(address))
      .flatMap((pool) => this.position(state, pool, address, at) ?? [])
      .filter((position) => position.open)
  }

  contract(state: BlendState, contract: ContractId): BlendContract | null {
    const directory = directoryOf(state)
    const role = directory.roleOf(contract)
    const deployment = directory.deploymentOf(contract)
    if (role === null || role === 'oracle' || deployment === null) return null
    const { version } = deployment
    if (role === 'pool') {
      const instance = state.pools.get(contract)?.instance?.value
      // A pool of the registry whose instance was not read: the index began later, without an RPC.
      if (instance === undefined) return { role, name: NAMES[role](version), version, status: 'active' }
      return { role, name: instance.name, version, status: poolStatus(instance.status) }
    }
    return { role, name: NAMES[role](version), version, status: 'active' }
  }

  asset(state: BlendState, asset: ContractId): AssetInfo {
    return assetInfo(state, asset, this.network)
  }

  price(state: BlendState, asset: ContractId, at: At): Price | null {
    return valueToken(state, asset, at, this).price
  }

  #value(state: BlendState, pool: ContractId, at: At): ValuedPool | null {
    const known = state.pools.get(pool)
    return known === undefined ? null : valuePool(state, known, at, this)
  }
}

const BACKSTOP_KEYS = [ofBackstop.backstop, ofBackstop.rewardZone, ofBackstop.lastDistribution, ofBackstop.lpValue].map(({ key }) => key)
const COMET_KEYS = [ofComet.records, ofComet.totalShares, ofComet.swapFee].map(({ key }) => key)

/** Emitter and Comet pool serve several deployments. */
const NAMES: Readonly<Record<BlendContract['role'], (version: string) => string>> = {
  pool: (version) => `Blend ${version} pool`,
  factory: (version) => `Blend ${version} pool factory`,
  backstop: (version) => `Blend ${version} backstop`,
  emitter: () => 'Blend emitter',
  comet: () => 'Comet BLND:USDC pool',
}
