// What the endpoints ask of a protocol's state, the same of all four: a file in here for each of them.
// A reader loads state as of a ledger for one question, and what it gives knows how to answer exactly that question and who is who in it.

import type { Address, ContractId } from '@orrery/ledger'
import type { AssetInfo, Price, ProtocolId, StateRow } from '@orrery/protocol-kit'
import type { LedgerTime } from '@orrery/read-model'
import type { Enrichment } from '../envelope.ts'
import type { IndexedSpan } from '../params/bucket-window.ts'
import type { EmissionPool } from '../present/emission.ts'
import type { ProtocolEntry } from '../present/position-item.ts'
import type { PriceUse } from '../present/price-use.ts'
import type { Backstop, Reserve } from '../present/reserve.ts'

export interface ProtocolReader {
  readonly protocol: ProtocolId
  /** False: it never pays anything beside what positions earn by themselves, and nobody needs to look. */
  readonly hasEmissions: boolean
  /**
   * State of everything that belongs to the account, and of the pools that it ever touched. `own`: the account's rows of this protocol as
   * of the moment; without one, nothing more is read.
   */
  account(address: Address, own: Promise<readonly StateRow[]>, moment: Moment): Promise<AccountState>
  /** State of one pool: nothing of accounts. */
  pool(pool: ContractId, moment: Moment): Promise<PoolNames>
  /** State of every pool. */
  pools(moment: Moment): Promise<PoolsState>
  /** Enough of some contracts to say what they are and what assets among them cost: nothing of accounts, balances or fees. */
  contracts(ids: readonly ContractId[], at: LedgerTime): Promise<Names>
}

/** The ledger that an answer is of, and the index that it stands in. */
export interface Moment {
  readonly at: LedgerTime
  readonly indexed: IndexedSpan
}

export type ContractDescription = Enrichment['contracts'][string]

/** Who contracts are, as far as one protocol knows. */
export interface Names {
  readonly protocol: ProtocolId
  /** Whether it is a pool of this index: announced by a factory or router, or named by the registry. */
  knowsPool(id: ContractId): boolean
  /** What the protocol says of its own contracts; null for others. */
  contract(id: ContractId): ContractDescription | null
  /** A token, and nothing more: what a pool's shares are called stands beside the pool. */
  isToken(id: ContractId): boolean
  /** A token that nobody told of has no decimals and no symbol. */
  asset(id: ContractId): AssetInfo
  /** The network's price at the moment. */
  price(id: ContractId): Price | null
}

/** A part of an answer, and whether everything that belongs in its totals has a price. */
interface Part {
  readonly complete: boolean
}

export interface AccountState extends Names {
  /** The account's entry in the portfolio; null when nothing is open. Prices that it shows or values with go into `prices`. */
  portfolio(prices: PriceUse): (Part & { readonly entry: ProtocolEntry }) | null
}

export interface PoolNames extends Names {
  /** The prices that values in the pool are made with at the moment. */
  prices(): readonly Price[]
}

export interface PoolsState extends Names {
  reserves(prices: PriceUse): Part & { readonly reserves: Reserve[]; readonly backstops: Backstop[] }
  emissions(prices: PriceUse): Part & { readonly pools: EmissionPool[] }
}
