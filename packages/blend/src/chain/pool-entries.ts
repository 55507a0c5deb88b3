// Every contract-data entry of a lending pool, one reader a key. Both versions: v2 adds members, and puts the config of emissions into their data.
// Readers give null for bytes that have another shape.
// Source: blend-contracts(-v2) pool/src/storage.rs; docs/protocols/blend.md, "State".

import { isInstanceKey } from '@orrery/fold-kit'
import {
  type Address,
  address,
  bool,
  type ContractId,
  dict,
  i128,
  matches,
  type Of,
  oneOf,
  readInstance,
  sc,
  string,
  struct,
  symbol,
  u32,
  u64,
  variant,
  vec,
  writeScVal,
} from '@orrery/ledger'
import { AuctionShape, auctionFrom, isAuctionType } from './auction-shape.ts'
import {
  type Auction,
  type AuctionType,
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

/** What a key of a pool holds. `proposed_admin` is not kept. */
export type PoolKey =
  | { readonly kind: 'instance' | 'reserve_list' | 'emission_shares' | 'proposed_admin' | 'unknown' }
  | { readonly kind: 'config' | 'data' | 'queued'; readonly asset: ContractId }
  | { readonly kind: 'emission' | 'emission_config'; readonly tokenId: number }
  | { readonly kind: 'user_emission'; readonly tokenId: number; readonly user: Address }
  | { readonly kind: 'positions'; readonly user: Address }
  | { readonly kind: 'auction'; readonly type: AuctionType; readonly user: Address }

const NamedKey = oneOf([
  variant({
    Positions: [address],
    ResData: [address],
    ResConfig: [address],
    ResInit: [address],
    EmisConfig: [u32],
    EmisData: [u32],
    UserEmis: [struct({ reserve_id: u32, user: address })],
    Auction: [struct({ auct_type: u32, user: address })],
  }),
  symbol,
])

const BARE_KEYS: Readonly<Record<string, PoolKey>> = {
  ResList: { kind: 'reserve_list' },
  PoolEmis: { kind: 'emission_shares' },
  PropAdmin: { kind: 'proposed_admin' },
}
const UNKNOWN: PoolKey = { kind: 'unknown' }

export function readPoolKey(key: Uint8Array): PoolKey {
  if (isInstanceKey(key)) return { kind: 'instance' }
  const read = matches(NamedKey, key)
  if (read === null) return UNKNOWN
  if (typeof read === 'string') return BARE_KEYS[read] ?? UNKNOWN
  switch (read.name) {
    case 'Positions':
      return { kind: 'positions', user: read.values[0] }
    case 'ResData':
      return { kind: 'data', asset: read.values[0] }
    case 'ResConfig':
      return { kind: 'config', asset: read.values[0] }
    case 'ResInit':
      return { kind: 'queued', asset: read.values[0] }
    case 'EmisConfig':
      return { kind: 'emission_config', tokenId: read.values[0] }
    case 'EmisData':
      return { kind: 'emission', tokenId: read.values[0] }
    case 'UserEmis':
      return { kind: 'user_emission', tokenId: read.values[0].reserve_id, user: read.values[0].user }
    case 'Auction': {
      const { auct_type: type, user } = read.values[0]
      return isAuctionType(type) ? { kind: 'auction', type, user } : UNKNOWN
    }
  }
}

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

const ReserveList = vec(address)

/** Assets by reserve index. */
export function readReserveList(value: Uint8Array): readonly ContractId[] | null {
  return matches(ReserveList, value)
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

export function readReserveConfig(value: Uint8Array): ReserveConfig | null {
  const read = matches(Config, value)
  return read === null ? null : configOf(read)
}

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
const Queued = struct({ new_config: Config, unlock_time: u64 })

export function readQueuedConfig(value: Uint8Array): QueuedConfig | null {
  const read = matches(Queued, value)
  return read === null ? null : { config: configOf(read.new_config), unlockTime: read.unlock_time }
}

const Data = struct({ b_rate: i128, b_supply: i128, backstop_credit: i128, d_rate: i128, d_supply: i128, ir_mod: i128, last_time: u64 })

export function readReserveData(value: Uint8Array): ReserveData | null {
  const read = matches(Data, value)
  if (read === null) return null
  return {
    bRate: read.b_rate,
    dRate: read.d_rate,
    bSupply: read.b_supply,
    dSupply: read.d_supply,
    backstopCredit: read.backstop_credit,
    rateModifier: read.ir_mod,
    lastTime: read.last_time,
  }
}

const EmissionShares = dict(u32, u64)

export function readEmissionShares(value: Uint8Array): ReadonlyMap<number, bigint> | null {
  const read = matches(EmissionShares, value)
  return read === null ? null : new Map(read)
}

const EmissionConfigShape = struct({ eps: u64, expiration: u64 })
const EmissionDataShape = oneOf([
  struct({ eps: u64, expiration: u64, index: i128, last_time: u64 }),
  struct({ index: i128, last_time: u64 }),
])

/** `EmisConfig` of a pool and `BEmisCfg` of a backstop, v1. */
export function readEmissionConfig(value: Uint8Array): EmissionConfig | null {
  return matches(EmissionConfigShape, value)
}

/** `EmisData` of a pool and `BEmisData` of a backstop. */
export function readEmissionData(value: Uint8Array): EmissionData | null {
  const read = matches(EmissionDataShape, value)
  if (read === null) return null
  const config = 'eps' in read ? { eps: read.eps, expiration: read.expiration } : null
  return { index: read.index, lastTime: read.last_time, config }
}

const UserEmissionShape = struct({ accrued: i128, index: i128 })

/** `UserEmis` of a pool and `UEmisData` of a backstop. */
export function readUserEmission(value: Uint8Array): UserEmission | null {
  const read = matches(UserEmissionShape, value)
  return read === null ? null : { index: read.index, accrued: read.accrued }
}

const Shares = dict(u32, i128)
const PositionsShape = struct({ collateral: Shares, liabilities: Shares, supply: Shares })

export function readPositions(value: Uint8Array): Positions | null {
  const read = matches(PositionsShape, value)
  if (read === null) return null
  return { supply: sharesOf(read.supply), collateral: sharesOf(read.collateral), liabilities: sharesOf(read.liabilities) }
}

/** Most maps of most accounts are empty: they share one. */
function sharesOf(read: readonly (readonly [number, bigint])[]): SharesByReserve {
  return read.length === 0 ? NO_SHARES : new Map(read)
}

export function readAuction(value: Uint8Array): Auction | null {
  const read = matches(AuctionShape, value)
  return read === null ? null : auctionFrom(read)
}
