// The coins of one issuer: the tokens, the issuer's price feed, and whether there is collateral for a currency. The issuer's protocol reads them.

import type { ContractId, EntryRecord, TtlRecord } from '@orrery/ledger'
import type { At, PeggedCoin, PeggedCoinsReader } from '@orrery/protocol-kit'
import type { Book, Unusable } from './oracle.ts'
import { unlessUnusable } from './unusable.ts'

export interface Coin extends Omit<PeggedCoin, 'token'> {
  /** Ledger in which the last collateral was withdrawn; 0 if there is some, or has been none since the index began. */
  readonly emptiedLedger: number
}

/** Whether the coin is worth one unit of its currency. Also true in the ledger that repaid or redeemed the last of it, which happened at par. */
export function hasPar({ hasCollateral, emptiedLedger }: Coin, at: At): boolean {
  return hasCollateral || emptiedLedger === at.ledger
}

export class CoinList implements Book {
  readonly dirty = new Set<string>()
  readonly #reader: PeggedCoinsReader
  /** The issuer's price feed, null before the issuer is initialized. */
  oracle: ContractId | null = null
  /** By token. */
  readonly coins = new Map<ContractId, Coin>()

  constructor(reader: PeggedCoinsReader) {
    this.#reader = reader
  }

  /** Not `settings`, because the contract also has rows of its own protocol. */
  static keys(): string[] {
    return ['pricing_coins']
  }

  needsPreImage(): boolean {
    return this.oracle === null
  }

  apply(record: EntryRecord | TtlRecord, ledger: number): Unusable | null {
    if (record.kind !== 'entry') return null
    return unlessUnusable(() => {
      const read = this.#reader.read(record)
      if (read === null) return
      const before = new Map(this.coins)
      this.oracle = read.oracle
      this.coins.clear()
      for (const { token, denomination, hasCollateral } of read.coins) {
        const was = before.get(token)
        const emptiedLedger = hasCollateral ? 0 : was?.hasCollateral === true ? ledger : (was?.emptiedLedger ?? 0)
        this.coins.set(token, { denomination, hasCollateral, emptiedLedger })
      }
      this.dirty.add('pricing_coins')
    })
  }

  value(): unknown {
    if (this.oracle === null) return null
    const coins = [...this.coins].map(([token, { denomination, hasCollateral, emptiedLedger }]) => ({
      token,
      denomination,
      has_collateral: hasCollateral,
      emptied_ledger: emptiedLedger,
    }))
    return { oracle: this.oracle, coins: coins.sort((a, b) => (a.denomination < b.denomination ? -1 : 1)) }
  }

  restore(_key: string, value: unknown): void {
    const stored = value as StoredCoins
    this.oracle = stored.oracle
    this.coins.clear()
    for (const { token, denomination, has_collateral = true, emptied_ledger = 0 } of stored.coins) {
      this.coins.set(token, { denomination, hasCollateral: has_collateral, emptiedLedger: emptied_ledger })
    }
  }
}

/**
 * Rows of adapter versions that priced every coin at par lack the last two members. They are read until a newer version is active, with the
 * prices of that version.
 */
interface StoredCoins {
  readonly oracle: ContractId
  readonly coins: readonly {
    readonly token: ContractId
    readonly denomination: string
    readonly has_collateral?: boolean
    readonly emptied_ledger?: number
  }[]
}
