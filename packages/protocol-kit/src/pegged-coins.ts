// Coins that contracts of a protocol issue, and take back at the value of one unit of a currency. A protocol with such coins declares how they are
// read; `@orrery/pricing` remembers them and prices them by the feed that their contract names.

import type { ContractId, EntryRecord } from '@orrery/ledger'
import type { Deployments } from './deployments.ts'

export interface PeggedCoin {
  readonly token: ContractId
  /** The currency, by the symbol that the feed has for it: `EUR`. */
  readonly denomination: string
  /** Whether the issuer holds collateral for coins of this currency. Without collateral a coin cannot repay or redeem anything, even if there is debt. */
  readonly hasCollateral: boolean
}

/** What the instance of an issuer names. */
export interface PeggedCoins {
  /** The issuer's price feed, null before the issuer is initialized. */
  readonly oracle: ContractId | null
  /** In the order of the chain. */
  readonly coins: readonly PeggedCoin[]
}

/** A contract that issues coins. */
export interface CoinIssuer {
  readonly contract: ContractId
  /** First ledger that it is tracked at. */
  readonly fromLedger: number
}

/** Reads the coins of one protocol. A change of it changes rows of every protocol: raise their versions. */
export interface PeggedCoinsReader {
  issuers(deployments: Deployments): readonly CoinIssuer[]
  /**
   * The coins after this entry of an issuer, or null if the entry does not name them. Only the issuer's instance may: every protocol follows that
   * entry and no other.
   * @throws OrreryError `corrupt`/`unexpected_shape` when the entry has another shape. The coins then stay what they were.
   */
  read(entry: EntryRecord): PeggedCoins | null
}
