// Every contract-data entry of a backstop and of a pool factory, one reader a key.
// Most entries of a backstop are of one pool: their keys name it, and they belong to the pool's partition.
// Source: blend-contracts(-v2) backstop/src/storage.rs, pool-factory/src/storage.rs; docs/protocols/blend.md, "State".

import { isInstanceKey } from '@orrery/fold-kit'
import {
  type Address,
  address,
  bool,
  type ContractId,
  i128,
  matches,
  oneOf,
  readInstance,
  sc,
  struct,
  symbol,
  tuple,
  u64,
  variant,
  vec,
  writeScVal,
} from '@orrery/ledger'
import {
  type BackstopBalance,
  type BackstopInstance,
  type BackstopUser,
  type LpTokenValue,
  NO_QUEUE,
  type WaitingEmission,
} from './values.ts'

/** What a key of a backstop holds. The list of a drop is not kept. */
export type BackstopKey =
  | { readonly kind: 'instance' | BackstopWide | 'drop_list' | 'unknown' }
  | { readonly kind: 'balance' | 'emission' | 'emission_config' | 'waiting'; readonly pool: ContractId }
  | { readonly kind: 'user' | 'user_emission'; readonly pool: ContractId; readonly user: Address }

type BackstopWide = 'reward_zone' | 'last_distribution' | 'lp_value' | 'backfill_emissions' | 'backfilled'

const PoolUser = struct({ pool: address, user: address })
const NamedKey = oneOf([
  variant({
    UserBalance: [PoolUser],
    UEmisData: [PoolUser],
    PoolBalance: [address],
    BEmisData: [address],
    BEmisCfg: [address],
    PoolEmis: [address],
    RzEmis: [address],
  }),
  symbol,
])

const BARE_KEYS: Readonly<Record<string, BackstopKey>> = {
  RZ: { kind: 'reward_zone' },
  LastDist: { kind: 'last_distribution' },
  LPTknVal: { kind: 'lp_value' },
  BackfillEmis: { kind: 'backfill_emissions' },
  Backfill: { kind: 'backfilled' },
  DropList: { kind: 'drop_list' },
}
const UNKNOWN: BackstopKey = { kind: 'unknown' }

export function readBackstopKey(key: Uint8Array): BackstopKey {
  if (isInstanceKey(key)) return { kind: 'instance' }
  const read = matches(NamedKey, key)
  if (read === null) return UNKNOWN
  if (typeof read === 'string') return BARE_KEYS[read] ?? UNKNOWN
  switch (read.name) {
    case 'UserBalance':
      return { kind: 'user', ...read.values[0] }
    case 'UEmisData':
      return { kind: 'user_emission', ...read.values[0] }
    case 'PoolBalance':
      return { kind: 'balance', pool: read.values[0] }
    case 'BEmisData':
      return { kind: 'emission', pool: read.values[0] }
    case 'BEmisCfg':
      return { kind: 'emission_config', pool: read.values[0] }
    case 'PoolEmis':
    case 'RzEmis':
      return { kind: 'waiting', pool: read.values[0] }
  }
}

const INSTANCE_KEYS = {
  emitter: writeScVal(sc.symbol('Emitter')),
  backstopToken: writeScVal(sc.symbol('BToken')),
  poolFactory: writeScVal(sc.symbol('PoolFact')),
  blnd: writeScVal(sc.symbol('BLNDTkn')),
  usdc: writeScVal(sc.symbol('USDCTkn')),
}

/** @throws OrreryError `corrupt`/`unexpected_shape` when the instance is not that of a backstop. */
export function readBackstopInstance(value: Uint8Array, backstop: ContractId): BackstopInstance {
  const { get } = readInstance(value, { contract: backstop, what: 'backstop instance' })
  return {
    emitter: get(INSTANCE_KEYS.emitter, address) ?? '',
    backstopToken: get(INSTANCE_KEYS.backstopToken, address) ?? '',
    poolFactory: get(INSTANCE_KEYS.poolFactory, address) ?? '',
    blnd: get(INSTANCE_KEYS.blnd, address) ?? '',
    usdc: get(INSTANCE_KEYS.usdc, address) ?? '',
  }
}

const Balance = struct({ q4w: i128, shares: i128, tokens: i128 })

export function readBackstopBalance(value: Uint8Array): BackstopBalance | null {
  const read = matches(Balance, value)
  return read === null ? null : { shares: read.shares, queuedShares: read.q4w, tokens: read.tokens }
}

const User = struct({ q4w: vec(struct({ amount: i128, exp: u64 })), shares: i128 })

export function readBackstopUser(value: Uint8Array): BackstopUser | null {
  const read = matches(User, value)
  if (read === null) return null
  const queue = read.q4w.length === 0 ? NO_QUEUE : read.q4w.map(({ amount, exp }) => ({ shares: amount, unlocksAt: exp }))
  return { shares: read.shares, queue }
}

const Waiting = oneOf([struct({ accrued: i128, last_time: u64 }), i128])

/** v2 `RzEmis`, v1 `PoolEmis` (a bare amount). */
export function readWaitingEmission(value: Uint8Array): WaitingEmission | null {
  const read = matches(Waiting, value)
  if (read === null) return null
  return typeof read === 'bigint' ? { accrued: read, lastTime: null } : { accrued: read.accrued, lastTime: read.last_time }
}

const Zone = vec(address)

export function readRewardZone(value: Uint8Array): readonly ContractId[] | null {
  return matches(Zone, value)
}

const LpValue = tuple(i128, i128)

export function readLpTokenValue(value: Uint8Array): LpTokenValue | null {
  const read = matches(LpValue, value)
  return read === null ? null : { blndPerLp: read[0], usdcPerLp: read[1] }
}

export const readSeconds = (value: Uint8Array): bigint | null => matches(u64, value)
export const readAmount = (value: Uint8Array): bigint | null => matches(i128, value)
export const readFlag = (value: Uint8Array): boolean | null => matches(bool, value)

const FactoryKey = variant({ Contracts: [address] })

/** The pool of a factory's `Contracts(pool)` entry, or null when the key is something else. */
export function readFactoryPool(key: Uint8Array): ContractId | null {
  return matches(FactoryKey, key)?.values[0] ?? null
}
