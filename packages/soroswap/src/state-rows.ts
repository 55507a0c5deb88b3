// State as rows and back. One key names one thing; its JSON has integers as decimal strings, so that nothing loses a digit.
// What is read here was written here: a row that cannot be read is a bug of ours or a broken store, and stops the load.

import { OrreryError } from '@orrery/errors'
import type { Address, ContractId } from '@orrery/ledger'
import type { StateRow } from '@orrery/protocol-kit'
import type { FactoryInstance, PairInstance, TokenMetadata } from './entries.ts'
import { type Cost, type Counters, holderOf, pairOf, type SoroswapState, setShares } from './state.ts'
import { usdText, usdUnits } from './usd-units.ts'

type Json = Readonly<Record<string, string | boolean | null>>

/** Keys of state. What belongs to an account begins with `@`, everything else with a letter. */
export const stateKey = {
  /** Under the pair. */
  pair: 'pair',
  balance: (token: ContractId) => `balance:${token}`,
  counters: 'counters',
  shares: (holder: Address) => `@${holder}:shares`,
  cost: (holder: Address) => `@${holder}:cost`,
  /** Under the factory. */
  factory: 'factory',
  listing: (pair: ContractId) => `pair:${pair}`,
  /** Under the token. */
  asset: 'asset',
}

export const encode = {
  pair: (it: PairInstance): string =>
    text({
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
  amount: (amount: bigint): string => text({ amount: amount.toString() }),
  counters: (it: Counters): string =>
    text({
      since_seconds: it.sinceSeconds.toString(),
      at_seconds: it.atSeconds.toString(),
      fees_usd: usdText(it.feesUsd),
      lp_fees_usd: usdText(it.lpFeesUsd),
      volume_usd: usdText(it.volumeUsd),
      value_seconds_usd: usdText(it.valueSeconds),
      tvl_usd: usdText(it.tvlUsd),
    }),
  cost: (it: Cost): string =>
    text({
      units: it.units.toString(),
      cost_usd: it.costUsd === null ? null : usdText(it.costUsd),
      realized_usd: it.realizedUsd === null ? null : usdText(it.realizedUsd),
      opened_ledger: it.openedLedger.toString(),
      confidence: it.confidence,
    }),
  factory: (it: FactoryInstance): string =>
    text({
      fee_to: it.feeTo,
      fee_to_setter: it.feeToSetter,
      total_pairs: it.totalPairs.toString(),
      fees_enabled: it.feesEnabled,
    }),
  listing: (tokens: readonly [ContractId, ContractId], index: number): string =>
    text({ token_0: tokens[0], token_1: tokens[1], index: index.toString() }),
  asset: (it: TokenMetadata): string => text({ decimals: it.decimals.toString(), name: it.name, symbol: it.symbol }),
}

/**
 * Puts one row into the state. Rows of pricing were taken by pricing before.
 * @throws OrreryError `corrupt`/`state_unreadable` naming contract, key and ledger.
 */
export function takeRow(state: SoroswapState, row: StateRow): void {
  if (row.removed) return
  const value = new Value(row)
  if (row.key === stateKey.factory) {
    state.factories.set(row.contract, { value: value.factory(), liveUntil: row.liveUntil })
    return
  }
  if (row.key === stateKey.asset) {
    state.assets.set(row.contract, { decimals: value.number('decimals'), name: value.text('name'), symbol: value.text('symbol') })
    return
  }
  if (row.key.startsWith('pair:')) {
    const pair = pairOf(state, row.key.slice('pair:'.length))
    pair.factory = row.contract
    pair.tokens = [value.text('token_0'), value.text('token_1')]
    pair.listing = { index: value.number('index') }
    return
  }
  const pair = pairOf(state, row.contract)
  // Shared rows of a pair are prices; whatever else is here was folded by this partition.
  pair.owned = true
  if (row.key === stateKey.pair) {
    pair.instance = { value: value.pair(), liveUntil: row.liveUntil }
    pair.changedLedger = row.ledger
    pair.factory = pair.instance.value.factory
    pair.tokens = [pair.instance.value.token0, pair.instance.value.token1]
  } else if (row.key === stateKey.counters) {
    pair.counters = value.counters()
  } else if (row.key.startsWith('balance:')) {
    pair.balances.set(row.key.slice('balance:'.length), { value: value.integer('amount'), liveUntil: row.liveUntil })
  } else if (row.key === stateKey.shares(row.owner)) {
    setShares(pair, row.owner, { value: value.integer('amount'), liveUntil: row.liveUntil })
  } else if (row.key === stateKey.cost(row.owner)) {
    holderOf(pair, row.owner).cost = value.cost()
  } else {
    throw value.broken('key')
  }
}

/** Counters of a row of key `counters`. @throws as `takeRow`. */
export function readCounters(row: StateRow): Counters {
  return new Value(row).counters()
}

function text(value: Json): string {
  return JSON.stringify(value)
}

/** The JSON of a row, read member by member. */
class Value {
  readonly #row: StateRow
  readonly #json: Json

  constructor(row: StateRow) {
    this.#row = row
    try {
      this.#json = JSON.parse(row.value) as Json
    } catch (cause) {
      throw unreadable(row, 'value', cause)
    }
  }

  broken(member: string): OrreryError {
    return unreadable(this.#row, member)
  }

  text(member: string): string {
    const value = this.#json[member]
    if (typeof value !== 'string') throw this.broken(member)
    return value
  }

  textOrNull(member: string): string | null {
    return this.#json[member] === null ? null : this.text(member)
  }

  integer(member: string): bigint {
    const value = this.text(member)
    if (!/^-?\d+$/.test(value)) throw this.broken(member)
    return BigInt(value)
  }

  number(member: string): number {
    return Number(this.integer(member))
  }

  usd(member: string): bigint {
    return usdUnits(this.text(member))
  }

  usdOrNull(member: string): bigint | null {
    return this.#json[member] === null ? null : this.usd(member)
  }

  pair(): PairInstance {
    const decimals = this.textOrNull('decimals')
    return {
      token0: this.text('token_0'),
      token1: this.text('token_1'),
      reserve0: this.integer('reserve_0'),
      reserve1: this.integer('reserve_1'),
      factory: this.text('factory'),
      kLast: this.#json.k_last === null ? null : this.integer('k_last'),
      totalSupply: this.integer('total_supply'),
      metadata: decimals === null ? null : { decimals: Number(decimals), name: this.text('name'), symbol: this.text('symbol') },
      code: this.text('code'),
    }
  }

  counters(): Counters {
    return {
      sinceSeconds: this.number('since_seconds'),
      atSeconds: this.number('at_seconds'),
      feesUsd: this.usd('fees_usd'),
      lpFeesUsd: this.usd('lp_fees_usd'),
      volumeUsd: this.usd('volume_usd'),
      valueSeconds: this.usd('value_seconds_usd'),
      tvlUsd: this.usd('tvl_usd'),
    }
  }

  cost(): Cost {
    return {
      units: this.integer('units'),
      costUsd: this.usdOrNull('cost_usd'),
      realizedUsd: this.usdOrNull('realized_usd'),
      openedLedger: this.number('opened_ledger'),
      confidence: this.text('confidence') === 'exact' ? 'exact' : 'inferred',
    }
  }

  factory(): FactoryInstance {
    return {
      feeTo: this.text('fee_to'),
      feeToSetter: this.text('fee_to_setter'),
      totalPairs: this.number('total_pairs'),
      feesEnabled: this.#json.fees_enabled === true,
    }
  }
}

function unreadable(row: StateRow, member: string, cause?: unknown): OrreryError {
  return new OrreryError(
    'corrupt',
    'state_unreadable',
    `A state row of Soroswap cannot be read: ${member} of ${row.key}. Nothing was changed. Replay soroswap from its first ledger.`,
    { context: { contract: row.contract, key: row.key, ledger: row.ledger, member }, cause },
  )
}
