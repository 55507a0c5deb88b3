// Values of state rows: JSON with integers as decimal strings, one codec a kind of value. Members are named in snake_case.

import { type StateValue, stateText } from '@orrery/fold-kit'
import type { ContractId } from '@orrery/ledger'
import {
  type Auction,
  type BackstopBalance,
  type BackstopInstance,
  type BackstopUser,
  type CometRecords,
  type EmissionConfig,
  type EmissionData,
  type EmitterInstance,
  type LpTokenValue,
  NO_SHARES,
  type PoolInstance,
  type Positions,
  type QueuedConfig,
  type QueuedSwap,
  type ReserveConfig,
  type ReserveData,
  type SharesByReserve,
  type UserEmission,
  type WaitingEmission,
} from '../chain/values.ts'

/** How a value becomes the text of a row and back. `decode` throws `corrupt`/`state_unreadable`. */
export interface Codec<T> {
  encode(value: T): string
  decode(value: StateValue): T
}

export const poolInstance: Codec<PoolInstance> = {
  encode: (it) =>
    stateText({
      name: it.name,
      admin: it.admin,
      backstop: it.backstop,
      blnd: it.blnd,
      oracle: it.oracle,
      bstop_rate: it.backstopTakeRate.toString(),
      max_positions: it.maxPositions.toString(),
      status: it.status.toString(),
      min_collateral: it.minCollateral?.toString() ?? null,
      code: it.code,
    }),
  decode: (value) => ({
    name: value.text('name'),
    admin: value.text('admin'),
    backstop: value.text('backstop'),
    blnd: value.text('blnd'),
    oracle: value.text('oracle'),
    backstopTakeRate: value.integer('bstop_rate'),
    maxPositions: value.number('max_positions'),
    status: value.number('status'),
    minCollateral: value.integerOrNull('min_collateral'),
    code: value.text('code'),
  }),
}

const configMembers = (it: ReserveConfig): Readonly<Record<string, string | boolean | null>> => ({
  index: it.index.toString(),
  decimals: it.decimals.toString(),
  c_factor: it.cFactor.toString(),
  l_factor: it.lFactor.toString(),
  util: it.util.toString(),
  max_util: it.maxUtil.toString(),
  r_base: it.rBase.toString(),
  r_one: it.rOne.toString(),
  r_two: it.rTwo.toString(),
  r_three: it.rThree.toString(),
  reactivity: it.reactivity.toString(),
  supply_cap: it.supplyCap?.toString() ?? null,
  enabled: it.enabled,
})

export const reserveConfig: Codec<ReserveConfig> = {
  encode: (it) => stateText(configMembers(it)),
  decode: (value) => ({
    index: value.number('index'),
    decimals: value.number('decimals'),
    cFactor: value.integer('c_factor'),
    lFactor: value.integer('l_factor'),
    util: value.integer('util'),
    maxUtil: value.integer('max_util'),
    rBase: value.integer('r_base'),
    rOne: value.integer('r_one'),
    rTwo: value.integer('r_two'),
    rThree: value.integer('r_three'),
    reactivity: value.integer('reactivity'),
    supplyCap: value.integerOrNull('supply_cap'),
    enabled: value.isNull('enabled') ? null : value.flag('enabled'),
  }),
}

export const queuedConfig: Codec<QueuedConfig> = {
  encode: ({ config, unlockTime }) => stateText({ ...configMembers(config), unlock_time: unlockTime.toString() }),
  decode: (value) => ({ config: reserveConfig.decode(value), unlockTime: value.integer('unlock_time') }),
}

export const reserveData: Codec<ReserveData> = {
  encode: (it) =>
    stateText({
      b_rate: it.bRate.toString(),
      d_rate: it.dRate.toString(),
      b_supply: it.bSupply.toString(),
      d_supply: it.dSupply.toString(),
      backstop_credit: it.backstopCredit.toString(),
      ir_mod: it.rateModifier.toString(),
      last_time: it.lastTime.toString(),
    }),
  decode: (value) => ({
    bRate: value.integer('b_rate'),
    dRate: value.integer('d_rate'),
    bSupply: value.integer('b_supply'),
    dSupply: value.integer('d_supply'),
    backstopCredit: value.integer('backstop_credit'),
    rateModifier: value.integer('ir_mod'),
    lastTime: value.integer('last_time'),
  }),
}

export const emissionConfig: Codec<EmissionConfig> = {
  encode: ({ eps, expiration }) => stateText({ eps: eps.toString(), expiration: expiration.toString() }),
  decode: (value) => ({ eps: value.integer('eps'), expiration: value.integer('expiration') }),
}

export const emissionData: Codec<EmissionData> = {
  encode: ({ index, lastTime, config }) =>
    stateText({
      index: index.toString(),
      last_time: lastTime.toString(),
      eps: config?.eps.toString() ?? null,
      expiration: config?.expiration.toString() ?? null,
    }),
  decode: (value) => ({
    index: value.integer('index'),
    lastTime: value.integer('last_time'),
    config: value.isNull('eps') ? null : emissionConfig.decode(value),
  }),
}

export const userEmission: Codec<UserEmission> = {
  encode: ({ index, accrued }) => stateText({ index: index.toString(), accrued: accrued.toString() }),
  decode: (value) => ({ index: value.integer('index'), accrued: value.integer('accrued') }),
}

export const positions: Codec<Positions> = {
  encode: ({ supply, collateral, liabilities }) =>
    stateText({ supply: numbered(supply), collateral: numbered(collateral), liabilities: numbered(liabilities) }),
  decode: (value) => ({
    supply: sharesOf(value, 'supply'),
    collateral: sharesOf(value, 'collateral'),
    liabilities: sharesOf(value, 'liabilities'),
  }),
}

/** Shares of the pool's emissions by reserve token id. */
export const emissionShares: Codec<ReadonlyMap<number, bigint>> = {
  encode: (shares) => stateText({ shares: numbered(shares) }),
  decode: (value) => sharesOf(value, 'shares'),
}

export const auction: Codec<Auction> = {
  encode: ({ bid, lot, block }) =>
    stateText({ bid: Object.fromEntries(texts(bid)), lot: Object.fromEntries(texts(lot)), block: block.toString() }),
  decode: (value) => ({ bid: amountsOf(value, 'bid'), lot: amountsOf(value, 'lot'), block: value.number('block') }),
}

export const backstopBalance: Codec<BackstopBalance> = {
  encode: ({ shares, queuedShares, tokens }) =>
    stateText({ shares: shares.toString(), queued_shares: queuedShares.toString(), tokens: tokens.toString() }),
  decode: (value) => ({
    shares: value.integer('shares'),
    queuedShares: value.integer('queued_shares'),
    tokens: value.integer('tokens'),
  }),
}

const NO_QUEUE: BackstopUser['queue'] = []

export const backstopUser: Codec<BackstopUser> = {
  encode: ({ shares, queue }) =>
    stateText({ shares: shares.toString(), queue: queue.map((it) => [it.shares.toString(), it.unlocksAt.toString()]) }),
  decode: (value) => {
    const queue = listOf(value, 'queue').map((item) => {
      const [shares, unlocksAt] = textsIn(value, 'queue', item, 2)
      return { shares: BigInt(shares), unlocksAt: BigInt(unlocksAt) }
    })
    return { shares: value.integer('shares'), queue: queue.length === 0 ? NO_QUEUE : queue }
  },
}

export const waitingEmission: Codec<WaitingEmission> = {
  encode: ({ accrued, lastTime }) => stateText({ accrued: accrued.toString(), last_time: lastTime?.toString() ?? null }),
  decode: (value) => ({ accrued: value.integer('accrued'), lastTime: value.integerOrNull('last_time') }),
}

export const backstopInstance: Codec<BackstopInstance> = {
  encode: (it) =>
    stateText({
      emitter: it.emitter,
      backstop_token: it.backstopToken,
      pool_factory: it.poolFactory,
      blnd: it.blnd,
      usdc: it.usdc,
    }),
  decode: (value) => ({
    emitter: value.text('emitter'),
    backstopToken: value.text('backstop_token'),
    poolFactory: value.text('pool_factory'),
    blnd: value.text('blnd'),
    usdc: value.text('usdc'),
  }),
}

/** Contracts in an order that means something: reserves by index, the reward zone. */
export const contracts: Codec<readonly ContractId[]> = {
  encode: (list) => stateText({ contracts: list }),
  decode: (value) =>
    listOf(value, 'contracts').map((item) => {
      if (typeof item !== 'string') throw value.broken('contracts')
      return item
    }),
}

export const lpTokenValue: Codec<LpTokenValue> = {
  encode: (it) => stateText({ blnd_per_lp: it.blndPerLp.toString(), usdc_per_lp: it.usdcPerLp.toString() }),
  decode: (value) => ({ blndPerLp: value.integer('blnd_per_lp'), usdcPerLp: value.integer('usdc_per_lp') }),
}

export const cometRecords: Codec<CometRecords> = {
  encode: (records) => {
    const members = [...records].map(([token, it]) => [token, it.balance.toString(), it.weight.toString()])
    return stateText({ records: members })
  },
  decode: (value) =>
    new Map(
      listOf(value, 'records').map((item) => {
        const [token, balance, weight] = textsIn(value, 'records', item, 3)
        return [token, { balance: BigInt(balance), weight: BigInt(weight) }]
      }),
    ),
}

export const emitterInstance: Codec<EmitterInstance> = {
  encode: (it) => stateText({ backstop: it.backstop, backstop_token: it.backstopToken, blnd: it.blnd }),
  decode: (value) => ({ backstop: value.text('backstop'), backstopToken: value.text('backstop_token'), blnd: value.text('blnd') }),
}

export const queuedSwap: Codec<QueuedSwap> = {
  encode: (it) => stateText({ backstop: it.backstop, backstop_token: it.backstopToken, unlock_time: it.unlockTime.toString() }),
  decode: (value) => ({
    backstop: value.text('backstop'),
    backstopToken: value.text('backstop_token'),
    unlockTime: value.integer('unlock_time'),
  }),
}

/** One raw amount, or one number of seconds. */
export const amount: Codec<bigint> = {
  encode: (it) => stateText({ amount: it.toString() }),
  decode: (value) => value.integer('amount'),
}

export const flag: Codec<boolean> = {
  encode: (it) => stateText({ flag: it }),
  decode: (value) => value.flag('flag'),
}

/** Small integers are ordered among the keys of an object, as the contract's maps are. */
function numbered(shares: ReadonlyMap<number, bigint>): Readonly<Record<string, string>> {
  const members: Record<string, string> = {}
  for (const [key, value] of shares) members[key] = value.toString()
  return members
}

function texts(amounts: ReadonlyMap<string, bigint>): [string, string][] {
  return [...amounts].map(([key, value]) => [key, value.toString()])
}

function sharesOf(value: StateValue, member: string): SharesByReserve {
  const read = textsOf(value, member)
  return read.length === 0 ? NO_SHARES : new Map(read.map(([key, text]) => [Number(key), BigInt(text)]))
}

function amountsOf(value: StateValue, member: string): ReadonlyMap<ContractId, bigint> {
  return new Map(textsOf(value, member).map(([key, text]) => [key, BigInt(text)]))
}

function textsOf(value: StateValue, member: string): [string, string][] {
  const read = value.raw(member)
  if (typeof read !== 'object' || read === null || Array.isArray(read)) throw value.broken(member)
  return Object.entries(read).map(([key, text]) => {
    if (typeof text !== 'string') throw value.broken(member)
    return [key, text]
  })
}

function listOf(value: StateValue, member: string): readonly unknown[] {
  const read = value.raw(member)
  if (!Array.isArray(read)) throw value.broken(member)
  return read
}

/** A list of `length` texts; asking for more of them gives ''. */
function textsIn(value: StateValue, member: string, item: unknown, length: number): readonly [string, string, string] {
  if (!Array.isArray(item) || item.length !== length || !item.every((it) => typeof it === 'string')) throw value.broken(member)
  const [first = '', second = '', third = ''] = item
  return [first, second, third]
}
