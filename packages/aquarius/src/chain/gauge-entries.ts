// Entries of a gauge: a contract that pays one more reward token to the holders of one pool.
// Source: soroban-amm rewards_gauge/src/storage.rs.

import { type Address, address, type ContractId, matches, struct, u64, u128, u256, variant, vec } from '@orrery/ledger'
import { readStored } from './instance-storage.ts'

/** A rate and when it holds, unix seconds. */
export interface GaugeRate {
  readonly startsAt: bigint
  readonly endsAt: bigint
  /** Raw units a second over all holders. */
  readonly tokensPerSecond: bigint
}

export interface GaugeInstance {
  readonly pool: ContractId
  readonly rewardToken: ContractId
  /** Present and future ones; ended ones stay until the next checkpoint. */
  readonly rates: readonly GaugeRate[]
  readonly accumulated: bigint
  readonly claimed: bigint
  /** Unix seconds of the newest checkpoint, 0 before the first. */
  readonly epoch: bigint
  /** Reward for one unit of working balance so far, scale 10^22. */
  readonly index: bigint
}

const Rates = vec(struct({ expired_at: u64, start_at: u64, tps: u128 }))
const GlobalData = struct({ accumulated: u128, claimed: u128, epoch: u64, inv: u256 })

/** Null when it is not the instance of a gauge. @throws OrreryError `corrupt`/`unexpected_shape` when the value is no instance. */
export function readGaugeInstance(value: Uint8Array, gauge: ContractId): GaugeInstance | null {
  const stored = readStored(value, gauge, 'gauge instance')
  const pool = stored.get('Pool', address)
  const rewardToken = stored.get('RewardToken', address)
  if (pool === null || rewardToken === null) return null
  const data = stored.get('GlobalRewardData', GlobalData)
  return {
    pool,
    rewardToken,
    rates: (stored.get('RewardConfigs', Rates) ?? []).map((rate) => ({
      startsAt: rate.start_at,
      endsAt: rate.expired_at,
      tokensPerSecond: rate.tps,
    })),
    accumulated: data?.accumulated ?? 0n,
    claimed: data?.claimed ?? 0n,
    epoch: data?.epoch ?? 0n,
    index: data?.inv ?? 0n,
  }
}

/** A holder as of his last checkpoint in the gauge. Whom the gauge never met has index 0: rewards reach back to its beginning. */
export interface GaugeUser {
  readonly epoch: bigint
  readonly index: bigint
  readonly toClaim: bigint
}

const GaugeKey = variant({ UserRewardData: [address] })
const GaugeUserValue = struct({ epoch: u64, last_inv: u256, to_claim: u128 })

/** The holder of a `UserRewardData` entry, or null when the key is something else. */
export function readGaugeUserKey(key: Uint8Array): Address | null {
  return matches(GaugeKey, key)?.values[0] ?? null
}

export function readGaugeUser(value: Uint8Array): GaugeUser | null {
  const read = matches(GaugeUserValue, value)
  return read === null ? null : { epoch: read.epoch, index: read.last_inv, toClaim: read.to_claim }
}
