// Blend for readers: which state rows an answer needs, and the functions that make the answer from them.
// Pure, and the same code as the fold: a reader loads rows as of its ledger and calls the functions.

import { ReadValues } from '@orrery/fold-kit'
import type { Address, ContractId } from '@orrery/ledger'
import { type At, pricesOf } from '@orrery/pricing'
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
import { type GivenPrices, type ValuedPool, valuePool, valueToken } from './valuation.ts'

/** What a contract of Blend is. */
export interface BlendContract {
  readonly role: 'pool' | 'backstop' | 'factory' | 'emitter' | 'comet'
  /** A pool's own name; of a pool whose instance was not seen, and of the others, what they are, e.g. `Blend v2 backstop`. */
  readonly name: string
  readonly version: 'v1' | 'v2'
  /** Everything but a pool is `active`, and so is a pool of the registry whose instance was not seen: its status is not known. */
  readonly status: PoolStatus
}

export type BlendView = Readonly<ReturnType<typeof blendView>>

/**
 * The view of one network. Between calls it keeps the values of pools of loaded states, while these are in use.
 *
 * What a reader loads for an answer as of ledger L. "As of L" is the newest row at or before L of each (contract, key).
 *
 * | question                     | rows                                                                                                  |
 * |------------------------------|-------------------------------------------------------------------------------------------------------|
 * | positions of an account      | all rows of the account as owner, as of L; `poolsOf(rows)` names the pools                            |
 * | pools, or those of positions | of each pool the range `key >= 'a'` as of L, `sharedRefs()` as of L, `assetRefs(state)` if not empty  |
 * | all pools                    | of `factories()` the range `key >= 'a'` as of L; `pools(state)` then names the pools                  |
 */
export function blendView(network: Network) {
  const pricing = pricesOf(network)
  const valuer = { network, pricing }
  const deployments = network.deployments.blend
  const asset = (state: BlendState, id: ContractId): AssetInfo => assetInfo(state, id, network)
  const values = new ReadValues<BlendState, ValuedPool | null>()
  const valued = (state: BlendState, id: ContractId, at: At, given?: GivenPrices) => {
    const pool = state.pools.get(id)
    if (pool === undefined) return null
    return given === undefined
      ? values.of(state, id, at, () => valuePool(state, pool, at, valuer))
      : valuePool(state, pool, at, valuer, given)
  }
  const pools = (state: BlendState): ContractId[] => [...state.pools.keys()].sort()
  const position = (state: BlendState, pool: ContractId, address: Address, at: At, given?: GivenPrices): LendingPosition | null => {
    // Many accounts are asked about in many pools: a pool is valued only for accounts that are in it.
    const of = state.pools.get(pool)?.accounts.has(address) ? valued(state, pool, at, given) : null
    return of === null ? null : lendingPosition(of, address)
  }
  return {
    announcement: { keyOf: (pool) => listing.keyOf({ pool }), isCreation: ({ announced }) => announced === true } satisfies Announcement,
    /** Rows that every answer needs: backstops as wholes, Comet totals, and everything that prices are made of. */
    sharedRefs(): readonly StateRef[] {
      const refs = deployments.flatMap(({ backstop, backstopToken }) => [
        ...BACKSTOP_KEYS.map((key) => ({ contract: backstop, key })),
        ...COMET_KEYS.map((key) => ({ contract: backstopToken, key })),
      ])
      return [...new Map(refs.map((ref) => [`${ref.contract} ${ref.key}`, ref])).values(), ...pricing.stateRefs()]
    },
    /** The factories: under each stands the list of its pools. */
    factories: (): readonly ContractId[] => deployments.map(({ factory }) => factory),
    /** Names and decimals of tokens that the registry does not hint at. Usually none. */
    assetRefs(state: BlendState): readonly StateRef[] {
      const assets = new Set([...state.pools.values()].flatMap((pool) => assetsOf(pool)))
      return [...assets].filter((id) => asset(state, id).decimals === null).map((contract) => ({ contract, key: token.key }))
    },
    /** The pools that an account's rows are filed under: others of its rows stand under the Comet pool. */
    poolsOf(ownRows: Iterable<StateRow>): readonly ContractId[] {
      const others = new Set(deployments.flatMap((it) => [it.backstop, it.backstopToken, it.emitter, it.factory]))
      return [...new Set([...ownRows].map((row) => row.contract))].filter((contract) => !others.has(contract)).sort()
    },
    /** State from rows in any order. Rows of other protocols must not be among them; rows after `asOf` are passed over. */
    load: (rows: Iterable<StateRow>, asOf: number): BlendState =>
      values.opened(ENTRIES.read((shared) => emptyState(network, shared), rows, asOf, pricing)),
    /** Every pool of the loaded rows and of the registry, by address. */
    pools,
    /** Null when the pool is unknown or its instance was not seen yet. */
    pool(state: BlendState, id: ContractId, at: At): LendingPool | null {
      const of = valued(state, id, at)
      return of === null ? null : lendingPool(state, of, valuer)
    },
    /** The terms by which positions in the pool are valued. None while its instance is not known. */
    terms(state: BlendState, id: ContractId, at: At): PositionTerm[] {
      const of = valued(state, id, at)
      return of === null ? [] : positionTerms(of)
    },
    /** Open auctions of the pool, of the accounts whose auction rows are loaded. */
    auctions: (state: BlendState, pool: ContractId, at: At): PoolAuction[] => poolAuctions(state, pool, at.ledger),
    /** Null when the account never had anything in the pool; empty with `open` false when it has nothing any more. With `given`: at these prices of reserves. */
    position,
    /** Open positions of the account, by pool. A backstop's own (bad debt) is its position too. */
    positions: (state: BlendState, address: Address, at: At): LendingPosition[] =>
      pools(state)
        .flatMap((pool) => position(state, pool, address, at) ?? [])
        .filter(({ open }) => open),
    /** Null of a contract that is not Blend's. */
    contract: describeContract,
    asset,
    /** The network's price of an asset: oracles, the Comet pool for BLND and its LP tokens, without a lending pool's own oracle. */
    price: (state: BlendState, id: ContractId, at: At): Price | null => valueToken(state, id, at, valuer).price,
  }
}

function describeContract(state: BlendState, contract: ContractId): BlendContract | null {
  const directory = directoryOf(state)
  const role = directory.roleOf(contract)
  const deployment = directory.deploymentOf(contract)
  if (role === null || role === 'oracle' || deployment === null) return null
  const { version } = deployment
  // A pool of the registry whose instance was not read: the index began later, without an RPC.
  const instance = role === 'pool' ? state.pools.get(contract)?.instance?.value : undefined
  if (instance === undefined) return { role, name: NAMES[role](version), version, status: 'active' }
  return { role, name: instance.name, version, status: poolStatus(instance.status) }
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
