// Entries of a gauge: a contract that pays one more reward token to the holders of one pool.
// Source: soroban-amm rewards_gauge/src/storage.rs.

import { integer, list, object, stored, text, tuple, type ValueOf } from '@orrery/fold-kit'
import { address, type ContractId, struct, u64, u128, u256, variant, vec } from '@orrery/ledger'
import { entryReader } from './entry-reader.ts'
import { readInstanceStorage } from './instance-storage.ts'

/** A rate and when it holds, unix seconds. */
export interface GaugeRate {
  readonly startsAt: bigint
  readonly endsAt: bigint
  /** Raw units a second over all holders. */
  readonly tokensPerSecond: bigint
}

const gaugeRate = stored(tuple(integer, integer, integer), {
  toStored: ({ startsAt, endsAt, tokensPerSecond }: GaugeRate) => [startsAt, endsAt, tokensPerSecond] as const,
  fromStored: ([startsAt, endsAt, tokensPerSecond]) => ({ startsAt, endsAt, tokensPerSecond }),
})

export const gaugeInstance = object({
  pool: text,
  rewardToken: text,
  /** Present and future ones; ended ones stay until the next checkpoint. */
  rates: list(gaugeRate),
  accumulated: integer,
  claimed: integer,
  /** Unix seconds of the newest checkpoint, 0 before the first. */
  epoch: integer,
  /** Reward for one unit of working balance so far, scale 10^22. */
  index: integer,
})
export type GaugeInstance = ValueOf<typeof gaugeInstance>

const Rates = vec(struct({ expired_at: u64, start_at: u64, tps: u128 }))
const GlobalData = struct({ accumulated: u128, claimed: u128, epoch: u64, inv: u256 })

/** Null when it is not the instance of a gauge. @throws OrreryError `corrupt`/`unexpected_shape` when the value is no instance. */
export function readGaugeInstance(value: Uint8Array, gauge: ContractId): GaugeInstance | null {
  const storage = readInstanceStorage(value, gauge, 'gauge instance')
  const pool = storage.get('Pool', address)
  const rewardToken = storage.get('RewardToken', address)
  if (pool === null || rewardToken === null) return null
  const data = storage.get('GlobalRewardData', GlobalData)
  return {
    pool,
    rewardToken,
    rates: (storage.get('RewardConfigs', Rates) ?? []).map((rate) => ({
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

/** A holder as of the last checkpoint in the gauge. One without a checkpoint has index 0: rewards reach back to the gauge's beginning. */
export const gaugeUser = object({ epoch: integer, index: integer, toClaim: integer })
export type GaugeUser = ValueOf<typeof gaugeUser>

const GaugeKey = variant({ UserRewardData: [address] })

/** The holder of a `UserRewardData` entry, or null when the key is something else. */
export const readGaugeUserKey = entryReader(GaugeKey, ({ values: [holder] }) => holder)

export const readGaugeUser = entryReader(
  struct({ epoch: u64, last_inv: u256, to_claim: u128 }),
  (read): GaugeUser => ({ epoch: read.epoch, index: read.last_inv, toClaim: read.to_claim }),
)
