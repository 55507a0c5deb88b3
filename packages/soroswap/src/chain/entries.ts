// Readers of every contract-data entry of Soroswap's contracts, one for each key. Names and scales as on chain, in camelCase.
// Instance storage is a map ordered by key: positions shift when KLast appears, so everything is looked up by key.
// Source: soroswap/core contracts/{pair,factory,router}/src/storage.rs, contracts/pair/src/soroswap_pair_token.

import { flag, integer, isInstanceKey, nullable, number, object, text, tokenMetadata, tokenValue, type ValueOf } from '@orrery/fold-kit'
import {
  type Address,
  address,
  any,
  bool,
  type ContractId,
  i128,
  matches,
  readInstance,
  sc,
  u32,
  variant,
  writeScVal,
} from '@orrery/ledger'

/** A parsed key of a pair. `allowance` changes no position. */
export type PairKey =
  | { readonly kind: 'instance' }
  | { readonly kind: 'shares'; readonly holder: Address }
  | { readonly kind: 'allowance' }
  | { readonly kind: 'unknown' }

const PairEntryKey = variant({ Balance: [address], Allowance: [any] })

export function readPairKey(key: Uint8Array): PairKey {
  if (isInstanceKey(key)) return { kind: 'instance' }
  const read = matches(PairEntryKey, key)
  if (read === null) return { kind: 'unknown' }
  return read.name === 'Balance' ? { kind: 'shares', holder: read.values[0] } : { kind: 'allowance' }
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

/** A parsed key of a factory. */
export type FactoryKey =
  | { readonly kind: 'instance' }
  | { readonly kind: 'pair_by_index'; readonly index: number }
  | { readonly kind: 'pair_by_tokens' }
  | { readonly kind: 'pair_wasm' }
  | { readonly kind: 'unknown' }

const FactoryEntryKey = variant({ PairAddressesNIndexed: [u32], PairAddressesByTokens: [any], PairWasmHash: [] })

export function readFactoryKey(key: Uint8Array): FactoryKey {
  if (isInstanceKey(key)) return { kind: 'instance' }
  const read = matches(FactoryEntryKey, key)
  switch (read?.name) {
    case 'PairAddressesNIndexed':
      return { kind: 'pair_by_index', index: read.values[0] }
    case 'PairAddressesByTokens':
      return { kind: 'pair_by_tokens' }
    case 'PairWasmHash':
      return { kind: 'pair_wasm' }
    default:
      return { kind: 'unknown' }
  }
}

/** The key of a factory's n-th pair, from 0. */
export function listedPairKey(index: number): Uint8Array {
  return writeScVal(sc.vec(sc.symbol('PairAddressesNIndexed'), sc.u32(index)))
}

/** The address of a pair in the factory's list, or null when the value has another shape. */
export function readListedPair(value: Uint8Array): ContractId | null {
  return matches(address, value)
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
