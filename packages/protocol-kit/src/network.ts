// What the rest of Orrery knows of a network. `registry` reads it from a file and checks it; this is its shape.

import { assert } from '@orrery/errors'
import type { ContractId } from '@orrery/ledger'
import type { Deployments } from './deployments.ts'
import type { ProtocolFacts } from './protocol-facts.ts'
import type { ProtocolId } from './protocol-id.ts'

/** Partitions of a protocol's topic unless its operator chose otherwise. */
export function defaultPartitions({ protocols }: Pick<Network, 'protocols'>, protocol: ProtocolId): number {
  const facts = protocols.find(({ id }) => id === protocol)
  assert(facts !== undefined, 'The network was read with the protocol.', { protocol })
  return facts.defaultPartitions
}

export type OracleBase = { readonly kind: 'asset'; readonly asset: ContractId } | { readonly kind: 'symbol'; readonly symbol: string }

export interface OracleConfig {
  readonly contract: ContractId
  readonly kind: 'reflector' | 'oracle_aggregator' | 'fxdao_currencies'
  readonly base: OracleBase
  /** Decimals of its prices. */
  readonly decimals: number
}

/** A pool that exists before the index begins. */
export interface KnownPool {
  readonly protocol: ProtocolId
  readonly contract: ContractId
  readonly fromLedger: number
  /** Tokens of the pool in its own order, where they are known. */
  readonly tokens: readonly ContractId[]
  /** What made it, where a protocol has several that make pools of different versions: without it Blend reads nothing of the pool before its instance. */
  readonly factory?: ContractId
}

export interface AssetHint {
  readonly code: string
  readonly issuer: string | null
  readonly decimals: number
  readonly tags: readonly string[]
}

export interface Network {
  /** Short name, part of topic names: `^[a-z0-9-]+$`. */
  readonly name: string
  readonly passphrase: string
  readonly firstLedger: number
  /** The protocols that the registry was read with: all that a build has, deployed in this network or not. */
  readonly protocols: readonly ProtocolFacts[]
  readonly deployments: Deployments
  readonly oracles: readonly OracleConfig[]
  readonly pricePools: readonly { readonly protocol: ProtocolId; readonly contract: ContractId }[]
  /** Assets that count as 1 USD where an oracle is quoted in them. */
  readonly usdPegs: readonly { readonly asset: ContractId; readonly why: string }[]
  readonly assets: Readonly<Record<ContractId, AssetHint>>
  readonly knownPools: readonly KnownPool[]
}
