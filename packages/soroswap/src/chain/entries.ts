// Readers of every contract-data entry of Soroswap's contracts, one for each key. Names and scales as on chain, in camelCase.
// Instance storage is a map ordered by key: positions shift when KLast appears, so everything is looked up by key.
// Source: soroswap/core contracts/{pair,factory,router}/src/storage.rs, contracts/pair/src/soroswap_pair_token.

import { flag, integer, nullable, number, object, text, tokenMetadata, tokenValue, type ValueOf } from '@orrery/fold-kit'
import {
  address,
  any,
  bool,
  type ContractId,
  type EntryRecord,
  i128,
  matches,
  readInstance,
  sc,
  u32,
  variant,
  writeScVal,
} from '@orrery/ledger'

const PairEntryKey = variant({ Balance: [address], Allowance: [any] })

/** A pair's key beside that of its instance, null for an unknown one. An `Allowance` changes no position. */
export function readPairKey(key: Uint8Array) {
  return matches(PairEntryKey, key)
}

/** LP shares of a holder: a bare i128, unlike the balance of a Stellar Asset Contract. Null when the value has another shape. */
export function readShares(value: Uint8Array): bigint | null {
  return matches(i128, value)
}

/** A pair's instance. Raw amounts. */
export const pairInstance = object({
  token0: text,
  token1: text,
  reserve0: integer,
  reserve1: integer,
  factory: text,
  /** Absent until the first deposit or withdraw with fees on; 0 afterwards if they were switched off. */
  kLast: nullable(integer),
  /** The locked minimum included. 0 before the first mint, when the key is absent. */
  totalSupply: integer,
  metadata: nullable(tokenValue),
  /** First 8 hex characters of the code's hash: the version in answers. */
  code: text,
})
export type PairInstance = ValueOf<typeof pairInstance>

/** Bare u32 keys, then a bare symbol, then a vec of one symbol: three conventions in one map. */
const PAIR_KEYS = {
  token0: writeScVal(sc.u32(0)),
  token1: writeScVal(sc.u32(1)),
  reserve0: writeScVal(sc.u32(2)),
  reserve1: writeScVal(sc.u32(3)),
  factory: writeScVal(sc.u32(4)),
  kLast: writeScVal(sc.u32(5)),
  totalSupply: writeScVal(sc.vec(sc.symbol('TotalSupply'))),
}

/**
 * Null while the pair is created but not initialised: it has no tokens yet.
 * @throws OrreryError `corrupt`/`unexpected_shape` when the instance is not that of a pair.
 */
export function readPairInstance(value: Uint8Array, pair: ContractId): PairInstance | null {
  const instance = readInstance(value, { contract: pair, what: 'pair instance' })
  const token0 = instance.get(PAIR_KEYS.token0, address)
  const token1 = instance.get(PAIR_KEYS.token1, address)
  if (token0 === null || token1 === null) return null
  return {
    token0,
    token1,
    reserve0: instance.get(PAIR_KEYS.reserve0, i128) ?? 0n,
    reserve1: instance.get(PAIR_KEYS.reserve1, i128) ?? 0n,
    factory: instance.get(PAIR_KEYS.factory, address) ?? '',
    kLast: instance.get(PAIR_KEYS.kLast, i128),
    totalSupply: instance.get(PAIR_KEYS.totalSupply, i128) ?? 0n,
    metadata: tokenMetadata(instance),
    code: instance.executable.kind === 'wasm' ? instance.executable.hash.slice(0, 8) : '',
  }
}

/** The two tokens of a pair by its instance, or null while it is not initialised. */
export function readPairTokens(value: Uint8Array, pair: ContractId): readonly [ContractId, ContractId] | null {
  const instance = readPairInstance(value, pair)
  return instance === null ? null : [instance.token0, instance.token1]
}

const FactoryEntryKey = variant({ PairAddressesNIndexed: [u32], PairAddressesByTokens: [any], PairWasmHash: [] })

/** A factory's key beside that of its instance, null for an unknown one. */
export function readFactoryKey(key: Uint8Array) {
  return matches(FactoryEntryKey, key)
}

/** The key of a factory's n-th pair, from 0. */
export function listedPairKey(index: number): Uint8Array {
  return writeScVal(sc.vec(sc.symbol('PairAddressesNIndexed'), sc.u32(index)))
}

/** The address of a pair in the factory's list. Null when the entry is not of the list, or its value has another shape. */
export function readListedPair({ key, value }: Pick<EntryRecord, 'key' | 'value'>): ContractId | null {
  return value !== null && readFactoryKey(key)?.name === 'PairAddressesNIndexed' ? matches(address, value) : null
}

export const factoryInstance = object({
  feeTo: text,
  feeToSetter: text,
  totalPairs: number,
  /** Absent on chain means off. */
  feesEnabled: flag,
})
export type FactoryInstance = ValueOf<typeof factoryInstance>

const FACTORY_KEYS = {
  feeTo: writeScVal(sc.vec(sc.symbol('FeeTo'))),
  feeToSetter: writeScVal(sc.vec(sc.symbol('FeeToSetter'))),
  totalPairs: writeScVal(sc.vec(sc.symbol('TotalPairs'))),
  feesEnabled: writeScVal(sc.vec(sc.symbol('FeesEnabled'))),
}

/** @throws OrreryError `corrupt`/`unexpected_shape` when the instance is not that of a factory. */
export function readFactoryInstance(value: Uint8Array, factory: ContractId): FactoryInstance {
  const instance = readInstance(value, { contract: factory, what: 'factory instance' })
  return {
    feeTo: instance.get(FACTORY_KEYS.feeTo, address) ?? '',
    feeToSetter: instance.get(FACTORY_KEYS.feeToSetter, address) ?? '',
    totalPairs: instance.get(FACTORY_KEYS.totalPairs, u32) ?? 0,
    feesEnabled: instance.get(FACTORY_KEYS.feesEnabled, bool) ?? false,
  }
}
