// State as rows and back. One key names one thing; its JSON has integers as decimal strings, so that nothing loses a digit.
// What is read here was written here: a row that cannot be read is a bug of ours or a broken store, and stops the load.

import {
  type Cost,
  type Counters,
  costMembers,
  counterMembers,
  LOSS_KEY,
  lossHourOf,
  SMALL_KEY,
  StateValue,
  stateText,
  TOKEN_KEY,
  tokenOfValue,
} from '@orrery/fold-kit'
import type { Address, ContractId } from '@orrery/ledger'
import type { StateRow } from '@orrery/protocol-kit'
import type { FactoryInstance, PairInstance } from './entries.ts'
import { holderOf, pairOf, type SoroswapState, setShares } from './state.ts'

/** Keys of state. What belongs to an account begins with `@`, everything else with a letter. */
export const stateKey = {
  /** Under the pair. */
  pair: 'pair',
  balance: (token: ContractId) => `balance:${token}`,
  counters: 'counters',
  /** Written with snapshots: `writesLoss`. */
  loss: LOSS_KEY,
  shares: (holder: Address) => `@${holder}:shares`,
  cost: (holder: Address) => `@${holder}:cost`,
  /** Written with snapshots: `rememberSize`. */
  small: (holder: Address) => `@${holder}:${SMALL_KEY}`,
  /** Under the factory. */
  factory: 'factory',
  listing: (pair: ContractId) => `pair:${pair}`,
  /** Under the token. */
  asset: TOKEN_KEY,
}

export const encode = {
  pair: (it: PairInstance): string =>
    stateText({
      token_0: it.token0,
      token_1: it.token1,
      reserve_0: it.reserve0.toString(),
      reserve_1: it.reserve1.toString(),
      factory: it.factory,
      k_last: it.kLast?.toString() ?? null,
      total_supply: it.totalSupply.toString(),
      decimals: it.metadata?.decimals.toString() ?? null,
      name: it.metadata?.name ?? null,
      symbol: it.metadata?.symbol ?? null,
      code: it.code,
    }),
  amount: (amount: bigint): string => stateText({ amount: amount.toString() }),
  counters: (it: Counters): string => stateText(counterMembers(it)),
  cost: (it: Cost): string => stateText(costMembers(it)),
  factory: (it: FactoryInstance): string =>
    stateText({
      fee_to: it.feeTo,
      fee_to_setter: it.feeToSetter,
      total_pairs: it.totalPairs.toString(),
      fees_enabled: it.feesEnabled,
    }),
  /** `index` is null of a pair that was announced before the index began: its holders are not all known. */
  listing: (tokens: readonly [ContractId, ContractId], index: number | null): string =>
    stateText({ token_0: tokens[0], token_1: tokens[1], index: index?.toString() ?? null }),
}

/**
 * Puts one row into the state. Rows of pricing were taken by pricing before.
 * @throws OrreryError `corrupt`/`state_unreadable` naming contract, key and ledger.
 */
export function takeRow(state: SoroswapState, row: StateRow): void {
  if (row.removed) return
  const value = new StateValue(row)
  if (row.key === stateKey.factory) {
    state.factories.set(row.contract, { value: factoryOfValue(value), liveUntil: row.liveUntil })
    return
  }
  if (row.key === stateKey.asset) {
    state.assets.set(row.contract, tokenOfValue(value))
    return
  }
  if (row.key.startsWith('pair:')) {
    const pair = pairOf(state, row.key.slice('pair:'.length))
    pair.factory = row.contract
    pair.tokens = [value.text('token_0'), value.text('token_1')]
    const index = value.textOrNull('index')
    pair.listing = index === null ? null : { index: Number(index) }
    return
  }
  const pair = pairOf(state, row.contract)
  // Shared rows of a pair are prices; whatever else is here was folded by this partition.
  pair.owned = true
  if (row.key === stateKey.pair) {
    pair.instance = { value: pairOfValue(value), liveUntil: row.liveUntil }
    pair.changedLedger = row.ledger
    pair.factory = pair.instance.value.factory
    pair.tokens = [pair.instance.value.token0, pair.instance.value.token1]
  } else if (row.key === stateKey.counters) {
    pair.counters = value.counters()
  } else if (row.key === stateKey.loss) {
    pair.lossHour = lossHourOf(value)
  } else if (row.key.startsWith('balance:')) {
    pair.balances.set(row.key.slice('balance:'.length), { value: value.integer('amount'), liveUntil: row.liveUntil })
  } else if (row.key === stateKey.shares(row.owner)) {
    setShares(pair, row.owner, { value: value.integer('amount'), liveUntil: row.liveUntil })
  } else if (row.key === stateKey.cost(row.owner)) {
    holderOf(pair, row.owner).cost = value.cost()
  } else if (row.key === stateKey.small(row.owner)) {
    pair.small.add(row.owner)
  } else {
    throw value.broken('key')
  }
}

function pairOfValue(value: StateValue): PairInstance {
  const decimals = value.textOrNull('decimals')
  return {
    token0: value.text('token_0'),
    token1: value.text('token_1'),
    reserve0: value.integer('reserve_0'),
    reserve1: value.integer('reserve_1'),
    factory: value.text('factory'),
    kLast: value.integerOrNull('k_last'),
    totalSupply: value.integer('total_supply'),
    metadata: decimals === null ? null : { decimals: Number(decimals), name: value.text('name'), symbol: value.text('symbol') },
    code: value.text('code'),
  }
}

function factoryOfValue(value: StateValue): FactoryInstance {
  return {
    feeTo: value.text('fee_to'),
    feeToSetter: value.text('fee_to_setter'),
    totalPairs: value.number('total_pairs'),
    feesEnabled: value.flag('fees_enabled'),
  }
}
