// What endpoints read of a protocol's state. This folder has one reader for each kind of view: amm, lending, vault.
// A reader loads the state that one question needs, as of a ledger. Its result answers that question and describes the contracts in it.

import type { Address, ContractId } from '@orrery/ledger'
import type { AssetInfo, DecimalText, PositionTerm, Price, ProtocolId, StateRow } from '@orrery/protocol-kit'
import type { LedgerTime } from '@orrery/read-model'
import type { Enrichment } from '../envelope.ts'
import type { IndexedSpan } from '../params/bucket-window.ts'
import type { EmissionPool } from '../present/emission.ts'
import type { PoolEntry } from '../present/pools/pool-item.ts'
import type { ProtocolEntry } from '../present/portfolio.ts'
import type { PriceUse } from '../present/price-use.ts'
import type { Backstop, Reserve } from '../present/reserve.ts'

export interface ProtocolReader {
  readonly protocol: ProtocolId
  /** False: the protocol pays no rewards beside the yield of positions, so nothing is read for them. */
  readonly hasEmissions: boolean
  /**
   * State of the accounts and of every pool that one of them ever touched, loaded once. `own`: the accounts' rows of this protocol as of the
   * ledger; without rows, nothing else is read.
   */
  accounts(addresses: readonly Address[], own: Promise<readonly StateRow[]>, moment: Moment): Promise<AccountsState>
  /** State of one pool, without accounts. */
  pool(pool: ContractId, moment: Moment): Promise<PoolNames>
  /** State of every pool. */
  pools(moment: Moment): Promise<PoolsState>
  /** Every pool that has a value, for lists of pools. */
  listed(moment: Moment): Promise<ListedPools>
  /** One pool with everything that is shown of it alone. */
  onePool(pool: ContractId, moment: Moment): Promise<OnePool>
  /** What positions in all pools, or in one, are valued by for a list of them. */
  holdings(pool: string | undefined, moment: Moment): Promise<Holdings>
  /** State that describes contracts and prices the assets among them, without accounts, balances and fees. */
  contracts(ids: readonly ContractId[], at: LedgerTime): Promise<Names>
  /** Reads what all of these have in common as of a ledger that is final, while its caller does not know yet what else it needs. */
  prepare(ledger: number): Promise<void>
}

/** The ledger of an answer, and the span of the index. */
export interface Moment {
  readonly at: LedgerTime
  readonly indexed: IndexedSpan
}

export type ContractDescription = Enrichment['contracts'][string]

/** Descriptions of contracts by one protocol. */
export interface Names {
  readonly protocol: ProtocolId
  /** Whether it is a pool of the index: announced by a factory or router, or named by the registry. */
  knowsPool(id: ContractId): boolean
  /** The description of one of the protocol's own contracts; null for others. */
  contract(id: ContractId): ContractDescription | null
  /** Whether it is a plain token. A pool's shares are described with the pool. */
  isToken(id: ContractId): boolean
  /** A token of which nothing is known has no decimals and an empty symbol. */
  asset(id: ContractId): AssetInfo
  /** The network's price at the ledger. */
  price(id: ContractId): Price | null
}

/** A part of an answer, and whether everything that belongs in its totals has a price. */
interface Part {
  readonly complete: boolean
}

export interface AccountsState extends Names {
  /**
   * The entry of one of the accounts in its portfolio; null if nothing is open and there is nothing to claim. Prices that it shows or values
   * with go into `prices`.
   */
  portfolio(address: Address, prices: PriceUse): (Part & { readonly entry: ProtocolEntry }) | null
}

export interface ListedPools extends Names {
  /** What needs no yield of it: volumes are null, and a fee APY is "0". */
  readonly entries: readonly PoolEntry[]
  /** Some of the pools with their yields and volumes. */
  withYields(pools: readonly ContractId[]): Promise<readonly PoolEntry[]>
  /** The ledgers that made pools, where the index saw it. */
  createdLedgers(pools: readonly ContractId[]): Promise<ReadonlyMap<ContractId, number>>
}

export interface OnePool extends Names {
  /** Null when the pool is unknown, or nothing of it is indexed yet. */
  readonly entry: PoolEntry | null
  /** APY of fees over a window, from their sum and the integral of the pool's value, in USD seconds. Null for pools that are not AMMs. */
  feeApy(feesUsd: DecimalText, valueSecondsUsd: DecimalText): DecimalText | null
}

export interface Holdings extends Names {
  /** Whether a pool is one in which accounts have positions. */
  hasPool(pool: string): boolean
  /** Those of pools with shares and debts, in the order of pools. */
  readonly terms: readonly PositionTerm[]
  /** Open positions in pools of ranges: each is the sum of its own ranges. */
  readonly ranged: readonly RangedPosition[]
}

export interface RangedPosition {
  readonly pool: ContractId
  readonly address: Address
  /** Scale 8; "0" where a token has no price. */
  readonly netUsd: DecimalText
}

export interface PoolNames extends Names {
  /** The prices that values in the pool are made with at the moment. */
  prices(): readonly Price[]
}

export interface PoolsState extends Names {
  reserves(prices: PriceUse): Part & { readonly reserves: Reserve[]; readonly backstops: Backstop[] }
  emissions(prices: PriceUse): Part & { readonly pools: EmissionPool[] }
}
