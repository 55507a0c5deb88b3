// The state of an AMM whose pools count shares by themselves: the list of pools, each pool's instance, and the shares of each holder.

import type { Address, ContractId } from '@orrery/ledger'
import { i128, matches } from '@orrery/ledger'
import type { Pricing } from '@orrery/pricing'
import type { Network } from '@orrery/protocol-kit'
import { getOrMake } from '../get-or-make.ts'
import type { LiveEntry } from '../state/apply-entry.ts'
import { smallFact } from '../state/common-facts.ts'
import { amountValue } from '../state/common-values.ts'
import { item, member } from '../state/place.ts'
import type { SmallPositions } from '../state/small-positions.ts'
import { type FoldState, StateEntries } from '../state/state-entries.ts'
import { stateEntry } from '../state/state-entry.ts'
import { flag, integer, list, object, text, type ValueOf } from '../state/stored-value.ts'

const instanceValue = object({ tokens: list(text), reserves: list(integer), supply: integer })

/** A pool's instance: raw `reserves` in the order of `tokens`, and the raw supply of shares. */
export type SharePoolInstance = ValueOf<typeof instanceValue>

export interface SharePool {
  readonly pool: ContractId
  instance: LiveEntry<SharePoolInstance> | null
  /** Raw shares. */
  readonly holders: Map<Address, LiveEntry<bigint>>
  /** Nothing counts its fees. */
  readonly counters: null
  readonly small: SmallPositions
}

export interface SharePoolState extends FoldState {
  readonly pools: Map<ContractId, SharePool>
}

/** Pools that changed in a ledger, each with the holders whose shares changed. */
export type SharePoolChanges = Map<SharePool, Set<Address>>

export type SharePoolEntries = ReturnType<typeof sharePoolEntries>

/**
 * The state entries of such an AMM: `pool:{pool}` under the contract that announces the pool, `pool` and `@{owner}:shares` under the pool.
 *
 * @param read A pool's instance.
 * @param announcement The event that announces a pool, as the table of state names it.
 */
export function sharePoolEntries(read: (instance: Uint8Array, pool: ContractId) => SharePoolInstance, announcement: string) {
  const declare = stateEntry<SharePoolState, SharePoolChanges>()
  const listing = declare({
    key: 'pool:{pool}',
    value: object({ listed: flag }),
    shared: true,
    place: (state, { pool: contract }) => ({ set: () => void poolOf(state, contract) }),
    docs: { under: 'factory', from: announcement, what: 'a pool' },
  })
  const pool = declare({
    key: 'pool',
    value: instanceValue,
    read: (bytes, { contract }) => read(bytes, contract),
    place: (state, { contract }) => member(poolOf(state, contract), 'instance'),
    onChange: (_, { contract }, { state, changes }) => void changedHolders(changes, poolOf(state, contract)),
    docs: { under: 'pool', from: 'instance', what: 'tokens, reserves and the supply of shares' },
  })
  const shares = declare({
    key: '@{owner}:shares',
    value: amountValue,
    read: (bytes) => matches(i128, bytes),
    place: (state, { contract, owner }) => item(poolOf(state, contract).holders, owner),
    onChange: (_, { contract, owner }, { state, changes }) => void changedHolders(changes, poolOf(state, contract)).add(owner),
    docs: { under: 'pool', from: '`Balance(holder)`', what: 'shares of an account' },
  })
  const small = smallFact<SharePoolState>((state, contract) => poolOf(state, contract).small, 'pool')
  return { listing, pool, shares, all: new StateEntries<SharePoolState>([listing, pool, shares, small]) }
}

/** The state before the first ledger: no pool. */
export function emptySharePools(_: Network, pricing: Pricing): SharePoolState {
  return { ledger: 0, pools: new Map(), pricing: pricing.empty() }
}

function poolOf({ pools }: SharePoolState, contract: ContractId): SharePool {
  return getOrMake(pools, contract, () => ({ pool: contract, instance: null, holders: new Map(), counters: null, small: new Set() }))
}

function changedHolders(changes: SharePoolChanges, pool: SharePool): Set<Address> {
  return getOrMake(changes, pool, () => new Set())
}
