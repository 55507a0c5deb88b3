// What the rest of Orrery knows of a network. `registry` reads it from a file and checks it; this is its shape.

import type { ContractId } from '@orrery/ledger'
import type { ProtocolId } from './protocol-id.ts'

export type OracleBase = { readonly kind: 'asset'; readonly asset: ContractId } | { readonly kind: 'symbol'; readonly symbol: string }

export interface OracleConfig {
  readonly contract: ContractId
  readonly kind: 'reflector' | 'oracle_aggregator' | 'fxdao_currencies'
  readonly base: OracleBase
  /** Decimals of its prices. */
  readonly decimals: number
}

export interface SoroswapDeployment {
  readonly factory: ContractId
  readonly routers: readonly ContractId[]
  readonly fromLedger: number
}

export interface BlendDeployment {
  readonly version: 'v1' | 'v2'
  readonly factory: ContractId
  readonly backstop: ContractId
  readonly emitter: ContractId
  /** The Comet pool whose LP tokens the backstop holds; it is its own token. */
  readonly backstopToken: ContractId
  readonly blnd: ContractId
  readonly usdc: ContractId
  readonly fromLedger: number
}

export interface AquariusDeployment {
  readonly router: ContractId
  /** AQUA, which rewards are paid in. Null where nobody told: the pools' own state names it then. */
  readonly rewardToken: ContractId | null
  /** Locked by accounts to boost their rewards. */
  readonly boostToken: ContractId | null
  readonly boostFeed: ContractId | null
  readonly fromLedger: number
}

export interface FxdaoDeployment {
  readonly vaults: ContractId
  readonly lockingPools: readonly ContractId[]
  readonly fromLedger: number
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
  readonly deployments: {
    readonly soroswap: readonly SoroswapDeployment[]
    readonly blend: readonly BlendDeployment[]
    readonly aquarius: readonly AquariusDeployment[]
    readonly fxdao: readonly FxdaoDeployment[]
  }
  readonly oracles: readonly OracleConfig[]
  readonly pricePools: readonly { readonly protocol: ProtocolId; readonly contract: ContractId }[]
  /** Assets that count as 1 USD where an oracle is quoted in them. */
  readonly usdPegs: readonly { readonly asset: ContractId; readonly why: string }[]
  readonly assets: Readonly<Record<ContractId, AssetHint>>
  readonly knownPools: readonly KnownPool[]
}
