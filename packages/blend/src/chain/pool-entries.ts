// Every contract-data entry of a lending pool, one reader a key. Both versions: v2 adds members, and puts the config of emissions into their data.
// Readers give null for bytes that have another shape.
// Source: blend-contracts(-v2) pool/src/storage.rs; docs/protocols/blend.md, "State".

import {
  address,
  bool,
  type ContractId,
  dict,
  i128,
  type Of,
  oneOf,
  readInstance,
  sc,
  string,
  struct,
  u32,
  u64,
  writeScVal,
} from '@orrery/ledger'
import { AuctionShape, auctionFrom, isAuctionType } from './auction-shape.ts'
import { key, keyReader, valueReader } from './entry-reader.ts'
import {
  type EmissionConfig,
  type EmissionData,
  NO_SHARES,
  type PoolInstance,
  type Positions,
  type QueuedConfig,
  type ReserveConfig,
  type ReserveData,
  type SharesByReserve,
  type UserEmission,
} from './values.ts'

/** What a key of a pool holds. `token`: reserve token id. The proposed admin is not kept. */
export const readPoolKey = keyReader({
  ResList: 'reserve_list',
  PoolEmis: 'emission_shares',
  PropAdmin: 'proposed_admin',
  Positions: key([address], (owner) => ({ kind: 'positions', owner })),
  ResData: key([address], (asset) => ({ kind: 'data', asset })),
  ResConfig: key([address], (asset) => ({ kind: 'config', asset })),
  ResInit: key([address], (asset) => ({ kind: 'queued', asset })),
  EmisConfig: key([u32], (token) => ({ kind: 'emission_config', token: token.toString() })),
  EmisData: key([u32], (token) => ({ kind: 'emission', token: token.toString() })),
  UserEmis: key([struct({ reserve_id: u32, user: address })], ({ reserve_id: token, user }) => {
    return { kind: 'user_emission', token: token.toString(), owner: user }
  }),
  Auction: key([struct({ auct_type: u32, user: address })], ({ auct_type: type, user }) => {
    return isAuctionType(type) ? { kind: 'auction', type: type.toString(), owner: user } : null
  }),
})
export type PoolKey = ReturnType<typeof readPoolKey>

const INSTANCE_KEYS = {
  admin: writeScVal(sc.symbol('Admin')),
  name: writeScVal(sc.symbol('Name')),
  backstop: writeScVal(sc.symbol('Backstop')),
  blnd: writeScVal(sc.symbol('BLNDTkn')),
  config: writeScVal(sc.symbol('Config')),
}
const PoolConfigV1 = { bstop_rate: u32, max_positions: u32, oracle: address, status: u32 }
const PoolConfig = oneOf([struct({ ...PoolConfigV1, min_collateral: i128 }), struct(PoolConfigV1)])

/**
 * Null while the pool is made but not set up.
 * @throws OrreryError `corrupt`/`unexpected_shape` when the instance is not that of a pool.
 */
export function readPoolInstance(value: Uint8Array, pool: ContractId): PoolInstance | null {
  const { executable, get } = readInstance(value, { contract: pool, what: 'pool instance' })
  const config = get(INSTANCE_KEYS.config, PoolConfig)
  const backstop = get(INSTANCE_KEYS.backstop, address)
  if (config === null || backstop === null) return null
  return {
    name: get(INSTANCE_KEYS.name, string) ?? '',
    admin: get(INSTANCE_KEYS.admin, address) ?? '',
    backstop,
    blnd: get(INSTANCE_KEYS.blnd, address) ?? '',
    oracle: config.oracle,
    backstopTakeRate: BigInt(config.bstop_rate),
    maxPositions: config.max_positions,
    status: config.status,
    minCollateral: 'min_collateral' in config ? config.min_collateral : null,
    code: executable.kind === 'wasm' ? executable.hash.slice(0, 8) : '',
  }
}

const ConfigV1 = {
  c_factor: u32,
  decimals: u32,
  index: u32,
  l_factor: u32,
  max_util: u32,
  r_base: u32,
  r_one: u32,
  r_three: u32,
  r_two: u32,
  reactivity: u32,
  util: u32,
}
const Config = oneOf([struct({ ...ConfigV1, enabled: bool, supply_cap: i128 }), struct(ConfigV1)])

function configOf(read: Of<typeof Config>): ReserveConfig {
  return {
    index: read.index,
    decimals: read.decimals,
    cFactor: BigInt(read.c_factor),
    lFactor: BigInt(read.l_factor),
    util: BigInt(read.util),
    maxUtil: BigInt(read.max_util),
    rBase: BigInt(read.r_base),
    rOne: BigInt(read.r_one),
    rTwo: BigInt(read.r_two),
    rThree: BigInt(read.r_three),
    reactivity: BigInt(read.reactivity),
    supplyCap: 'supply_cap' in read ? read.supply_cap : null,
    enabled: 'enabled' in read ? read.enabled : null,
  }
}

export const readReserveConfig = valueReader(Config, configOf)

export const readQueuedConfig = valueReader(
  struct({ new_config: Config, unlock_time: u64 }),
  (queued): QueuedConfig => ({ config: configOf(queued.new_config), unlockTime: queued.unlock_time }),
)

export const readReserveData = valueReader(
  struct({ b_rate: i128, b_supply: i128, backstop_credit: i128, d_rate: i128, d_supply: i128, ir_mod: i128, last_time: u64 }),
  (data): ReserveData => ({
    bRate: data.b_rate,
    dRate: data.d_rate,
    bSupply: data.b_supply,
    dSupply: data.d_supply,
    backstopCredit: data.backstop_credit,
    rateModifier: data.ir_mod,
    lastTime: data.last_time,
  }),
)

export const readEmissionShares = valueReader(dict(u32, u64), (shares): ReadonlyMap<number, bigint> => new Map(shares))

/** `EmisConfig` of a pool and `BEmisCfg` of a backstop, v1. */
export const readEmissionConfig = valueReader(struct({ eps: u64, expiration: u64 }), (config): EmissionConfig => config)

/** `EmisData` of a pool and `BEmisData` of a backstop. */
export const readEmissionData = valueReader(
  oneOf([struct({ eps: u64, expiration: u64, index: i128, last_time: u64 }), struct({ index: i128, last_time: u64 })]),
  (data): EmissionData => {
    const config = 'eps' in data ? { eps: data.eps, expiration: data.expiration } : null
    return { index: data.index, lastTime: data.last_time, config }
  },
)

/** `UserEmis` of a pool and `UEmisData` of a backstop. */
export const readUserEmission = valueReader(
  struct({ accrued: i128, index: i128 }),
  ({ accrued, index }): UserEmission => ({ index, accrued }),
)

const Shares = dict(u32, i128)

export const readPositions = valueReader(
  struct({ collateral: Shares, liabilities: Shares, supply: Shares }),
  ({ collateral, liabilities, supply }): Positions => {
    return { supply: sharesOf(supply), collateral: sharesOf(collateral), liabilities: sharesOf(liabilities) }
  },
)

/** Most maps of most accounts are empty: they share one. */
function sharesOf(read: readonly (readonly [number, bigint])[]): SharesByReserve {
  return read.length === 0 ? NO_SHARES : new Map(read)
}

export const readAuction = valueReader(AuctionShape, auctionFrom)
