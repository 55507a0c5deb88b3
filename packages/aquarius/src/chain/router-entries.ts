// Entries of the router, one reader a key: which pools it lists, and how it shares out rewards.
// Source: soroban-amm liquidity_pool_router/src/storage.rs.

import { integer, number, object, text, type ValueOf } from '@orrery/fold-kit'
import { address, any, bytes, type ContractId, dict, matches, type Of, struct, u32, u64, u128, variant } from '@orrery/ledger'
import { entryReader } from './entry-reader.ts'
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

const RouterKey = variant({
  /** The tokens of one set, by its number. */
  TokensSet: [u128],
  /** The pools of one set of tokens, by the hash of the tokens. */
  TokensSetPools: [bytes],
  RewardsConfig: [],
  /** How votes and liquidity of the running round are shared out: what each pool gets is in its instance. */
  RewardTokensList: [],
  RewardTokensPoolsLiquidity: [bytes],
  GaugeRewardsEnabled: [any],
})

/** Null: the key of something else, such as the instance. */
export const readRouterKey = (key: Uint8Array): Of<typeof RouterKey> | null => matches(RouterKey, key)

/** Whether it is the key of a list of pools. */
export const isPoolListKey = (key: Uint8Array): boolean => readRouterKey(key)?.name === 'TokensSetPools'

export interface ListedPool {
  readonly index: string
  readonly pool: ContractId
  /** As `add_pool` names it; of an unknown number `type <n>`. */
  readonly kind: string
}

/** `pool_type` of the list, as `add_pool` names it. */
const KINDS: Readonly<Record<number, string>> = { 1: 'constant', 2: 'stable', 3: 'concentrated' }

/** The pools of one set of tokens that the router lists now, or null when the value is something else. */
export const readListedPools = entryReader(dict(bytes, struct({ address, pool_type: u32 })), (pools): readonly ListedPool[] =>
  pools.map(([index, listed]) => ({
    index: Buffer.from(index).toString('hex'),
    pool: listed.address,
    kind: KINDS[listed.pool_type] ?? `type ${listed.pool_type}`,
  })),
)

/** The router's rate of the running round: what is shared out among voted sets of tokens. */
export const routerRewards = object({
  tokensPerSecond: integer,
  /** Unix seconds. */
  expiresAt: integer,
})
export type RouterRewards = ValueOf<typeof routerRewards>

export const readRouterRewards = entryReader(
  struct({ expired_at: u64, tps: u128 }),
  (read): RouterRewards => ({ tokensPerSecond: read.tps, expiresAt: read.expired_at }),
)
