// What is remembered: the list of pools, each pool's instance, and who holds its shares.

import {
  amountValue,
  type FoldState,
  flag,
  integer,
  item,
  type LiveEntry,
  member,
  object,
  StateEntries,
  smallFact,
  stateEntry,
  text,
} from '@orrery/fold-kit'
import { i128, matches } from '@orrery/ledger'
import type { Pricing } from '@orrery/pricing'
import type { Network } from '@orrery/protocol-kit'
import { readPool } from './chain.ts'

export interface Pool {
  readonly pool: string
  instance: LiveEntry<ReturnType<typeof readPool>> | null
  readonly holders: Map<string, LiveEntry<bigint>>
  readonly small: Set<string>
}
export type State = FoldState & { readonly pools: Map<string, Pool> }
/** Pools that changed in a ledger, each with the holders whose shares did. */
export type Changes = Map<Pool, Set<string>>

export function poolOf({ pools }: State, contract: string): Pool {
  const known = pools.get(contract) ?? { pool: contract, instance: null, holders: new Map(), small: new Set<string>() }
  pools.set(contract, known)
  return known
}

function changed(changes: Changes, pool: Pool): Set<string> {
  const holders = changes.get(pool) ?? new Set<string>()
  changes.set(pool, holders)
  return holders
}

export const listing = stateEntry<State>()({
  key: 'pool:{pool}',
  value: object({ listed: flag }),
  shared: true,
  place: (state, { pool: contract }) => ({ set: () => void poolOf(state, contract) }),
  docs: { under: 'factory', from: 'event `new_pool`', what: 'a pool' },
})

export const pool = stateEntry<State, Changes>()({
  key: 'pool',
  value: object({ tokenA: text, tokenB: text, reserveA: integer, reserveB: integer, supply: integer }),
  read: (bytes, { contract }) => readPool(bytes, contract),
  place: (state, { contract }) => member(poolOf(state, contract), 'instance'),
  onChange: (_, { contract }, { state, changes }) => void changed(changes, poolOf(state, contract)),
  docs: { under: 'pool', from: 'instance', what: 'tokens, reserves and the supply of shares' },
})

export const shares = stateEntry<State, Changes>()({
  key: '@{owner}:shares',
  value: amountValue,
  read: (bytes) => matches(i128, bytes),
  place: (state, { contract, owner }) => item(poolOf(state, contract).holders, owner),
  onChange: (_, { contract, owner }, { state, changes }) => void changed(changes, poolOf(state, contract)).add(owner),
  docs: { under: 'pool', from: '`Balance(holder)`', what: 'shares of an account' },
})

export const ENTRIES = new StateEntries<State>([listing, pool, shares, smallFact<State>((state, id) => poolOf(state, id).small, 'pool')])

export const emptyState = (_: Network, pricing: Pricing): State => ({ ledger: 0, pools: new Map(), pricing: pricing.empty() })
