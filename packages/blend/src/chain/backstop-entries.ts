// Every contract-data entry of a backstop and of a pool factory, one reader a key.
// Most entries of a backstop are of one pool: their keys name it, and they belong to the pool's partition.
// Source: blend-contracts(-v2) backstop/src/storage.rs, pool-factory/src/storage.rs; docs/protocols/blend.md, "State".

import { address, type ContractId, i128, matches, oneOf, struct, tuple, u64, variant, vec } from '@orrery/ledger'
import { contractsReader, key, keyReader, valueReader } from './entry-reader.ts'
import {
  type BackstopBalance,
  type BackstopInstance,
  type BackstopUser,
  type LpTokenValue,
  NO_QUEUE,
  type WaitingEmission,
} from './values.ts'

const PoolUser = struct({ pool: address, user: address })

/** What a key of a backstop holds. The list of a drop is not kept. */
export const readBackstopKey = keyReader({
  RZ: 'reward_zone',
  LastDist: 'last_distribution',
  LPTknVal: 'lp_value',
  BackfillEmis: 'backfill_emissions',
  Backfill: 'backfilled',
  DropList: 'drop_list',
  UserBalance: key([PoolUser], ({ pool, user }) => ({ kind: 'user', pool, owner: user })),
  UEmisData: key([PoolUser], ({ pool, user }) => ({ kind: 'user_emission', pool, owner: user })),
  PoolBalance: key([address], (pool) => ({ kind: 'balance', pool })),
  BEmisData: key([address], (pool) => ({ kind: 'emission', pool })),
  BEmisCfg: key([address], (pool) => ({ kind: 'emission_config', pool })),
  PoolEmis: key([address], (pool) => ({ kind: 'waiting', pool })),
  RzEmis: key([address], (pool) => ({ kind: 'waiting', pool })),
})
export type BackstopKey = ReturnType<typeof readBackstopKey>

/** @throws OrreryError `corrupt`/`unexpected_shape` when the instance is not that of a backstop. */
export const readBackstopInstance: (value: Uint8Array, backstop: ContractId) => BackstopInstance = contractsReader('backstop instance', {
  emitter: 'Emitter',
  backstopToken: 'BToken',
  poolFactory: 'PoolFact',
  blnd: 'BLNDTkn',
  usdc: 'USDCTkn',
})

export const readBackstopBalance = valueReader(
  struct({ q4w: i128, shares: i128, tokens: i128 }),
  ({ q4w, shares, tokens }): BackstopBalance => ({ shares, queuedShares: q4w, tokens }),
)

export const readBackstopUser = valueReader(
  struct({ q4w: vec(struct({ amount: i128, exp: u64 })), shares: i128 }),
  ({ q4w, shares }): BackstopUser => {
    return { shares, queue: q4w.length === 0 ? NO_QUEUE : q4w.map(({ amount, exp }) => ({ shares: amount, unlocksAt: exp })) }
  },
)

/** v2 `RzEmis`, v1 `PoolEmis` (a bare amount). */
export const readWaitingEmission = valueReader(oneOf([struct({ accrued: i128, last_time: u64 }), i128]), (read): WaitingEmission => {
  return typeof read === 'bigint' ? { accrued: read, lastTime: null } : { accrued: read.accrued, lastTime: read.last_time }
})

export const readLpTokenValue = valueReader(tuple(i128, i128), ([blndPerLp, usdcPerLp]): LpTokenValue => ({ blndPerLp, usdcPerLp }))

const FactoryKey = variant({ Contracts: [address] })

/** The pool of a factory's `Contracts(pool)` entry, or null when the key is something else. */
export function readFactoryPool(key: Uint8Array): ContractId | null {
  return matches(FactoryKey, key)?.values[0] ?? null
}
