// Entries of the router, one reader a key: which pools it lists, and how it shares out rewards.
// Source: soroban-amm liquidity_pool_router/src/storage.rs.

import { integer, isInstanceKey, number, object, text, type ValueOf } from '@orrery/fold-kit'
import { address, any, bytes, type ContractId, dict, matches, struct, u32, u64, u128, variant } from '@orrery/ledger'
import { readInstanceStorage } from './instance-storage.ts'

export const routerInstance = object({
  /** '' before it is set. */
  rewardToken: text,
  /** Sets of tokens that have pools. */
  tokenSets: integer,
  /** Of 10,000; given to new pools. */
  protocolFee: number,
  /** 64 hex characters. */
  code: text,
})
export type RouterInstance = ValueOf<typeof routerInstance>

/** @throws OrreryError `corrupt`/`unexpected_shape` when the value is no instance. */
export function readRouterInstance(value: Uint8Array, router: ContractId): RouterInstance {
  const storage = readInstanceStorage(value, router, 'router instance')
  return {
    rewardToken: storage.get('RewardToken', address) ?? '',
    tokenSets: storage.get('TokensSetCounter', u128) ?? 0n,
    protocolFee: storage.get('ProtocolFeeFraction', u32) ?? 0,
    code: storage.code,
  }
}

export type RouterKey =
  | { readonly kind: 'instance' }
  /** Pools of one set of tokens. `set`: 64 hex characters. */
  | { readonly kind: 'pools'; readonly set: string }
  | { readonly kind: 'tokens'; readonly number: bigint }
  | { readonly kind: 'rewards' }
  /** How votes and liquidity of the running round are shared out: what each pool gets is in its instance. */
  | { readonly kind: 'distribution' }
  | { readonly kind: 'unknown' }

const RouterEntryKey = variant({
  TokensSet: [u128],
  TokensSetPools: [bytes],
  RewardsConfig: [],
  RewardTokensList: [],
  RewardTokensPoolsLiquidity: [bytes],
  GaugeRewardsEnabled: [any],
})

export function readRouterKey(key: Uint8Array): RouterKey {
  if (isInstanceKey(key)) return { kind: 'instance' }
  const read = matches(RouterEntryKey, key)
  switch (read?.name) {
    case 'TokensSet':
      return { kind: 'tokens', number: read.values[0] }
    case 'TokensSetPools':
      return { kind: 'pools', set: hex(read.values[0]) }
    case 'RewardsConfig':
      return { kind: 'rewards' }
    case 'RewardTokensList':
    case 'RewardTokensPoolsLiquidity':
    case 'GaugeRewardsEnabled':
      return { kind: 'distribution' }
    default:
      return { kind: 'unknown' }
  }
}

const ListedPools = dict(bytes, struct({ address, pool_type: u32 }))

export interface ListedPool {
  readonly index: string
  readonly pool: ContractId
  /** As `add_pool` names it; of an unknown number `type <n>`. */
  readonly kind: string
}

/** `pool_type` of the list, as `add_pool` names it. */
const KINDS: Readonly<Record<number, string>> = { 1: 'constant', 2: 'stable', 3: 'concentrated' }

/** The pools of one set of tokens that the router lists now, or null when the value is something else. */
export function readListedPools(value: Uint8Array): readonly ListedPool[] | null {
  return (
    matches(ListedPools, value)?.map(([index, listed]) => ({
      index: hex(index),
      pool: listed.address,
      kind: KINDS[listed.pool_type] ?? `type ${listed.pool_type}`,
    })) ?? null
  )
}

/** The router's rate of the running round: what is shared out among voted sets of tokens. */
export const routerRewards = object({
  tokensPerSecond: integer,
  /** Unix seconds. */
  expiresAt: integer,
})
export type RouterRewards = ValueOf<typeof routerRewards>

const RewardsConfig = struct({ expired_at: u64, tps: u128 })

export function readRouterRewards(value: Uint8Array): RouterRewards | null {
  const read = matches(RewardsConfig, value)
  return read === null ? null : { tokensPerSecond: read.tps, expiresAt: read.expired_at }
}

function hex(value: Uint8Array): string {
  return Buffer.from(value).toString('hex')
}
