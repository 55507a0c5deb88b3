// The stablecoins of FxDAO: its vaults contract names the token of each denomination, the price feed of the vaults, and the collateral of the
// vaults of a denomination. Only its instance is read. An asset code like `EURx` proves nothing, because any account can issue one.

import type { ContractId, EntryRecord, TtlRecord } from '@orrery/ledger'
import { address, matches, struct, symbol, u128, variant } from '@orrery/ledger'
import type { At } from '@orrery/protocol-kit'
import { isInstanceKey, readStorage, variantKey } from './instance-storage.ts'
import type { Book, Unusable } from './oracle.ts'

const CurrencyKey = variant({ Currency: [symbol] })
const CurrencyShape = struct({ contract: address, denomination: symbol })
const TotalsKey = variant({ VaultsInfo: [symbol] })
const TotalsShape = struct({ denomination: symbol, total_col: u128 })
const CORE_STATE = variantKey('CoreState')
const CoreShape = struct({ oracle: address })

/** A coin, from the instance of the vaults contract. */
export interface Coin {
  readonly denomination: string
  /** The vaults of the denomination hold collateral. Without collateral a coin cannot repay or redeem anything, even if there is debt. */
  readonly hasCollateral: boolean
  /** Ledger in which the last collateral was withdrawn; 0 if there is some, or has been none since the index began. */
  readonly emptiedLedger: number
}

/** Whether the coin is worth one unit of its currency. Also true in the ledger that repaid or redeemed the last of it, which happened at par. */
export function hasPar({ hasCollateral, emptiedLedger }: Coin, at: At): boolean {
  return hasCollateral || emptiedLedger === at.ledger
}

export class CoinList implements Book {
  readonly dirty = new Set<string>()
  /** The price feed of the vaults, null before the contract is initialized. */
  oracle: ContractId | null = null
  /** By token. */
  readonly coins = new Map<ContractId, Coin>()

  /** Not `settings`, because the contract also has rows of FxDAO's own adapter. */
  static keys(): string[] {
    return ['pricing_coins']
  }

  needsPreImage(record: EntryRecord): boolean {
    return this.oracle === null && isInstanceKey(record.key)
  }

  apply(record: EntryRecord | TtlRecord, ledger: number): Unusable | null {
    if (!isInstanceKey(record.key) || record.kind !== 'entry' || record.value === null) return null
    const read = readStorage(record.value, ({ entries, get }) => ({
      oracle: get(CORE_STATE, CoreShape)?.oracle ?? null,
      currencies: entries.flatMap(({ key, value }) => (matches(CurrencyKey, key) === null ? [] : [matches(CurrencyShape, value)])),
      totals: entries.flatMap(({ key, value }) => (matches(TotalsKey, key) === null ? [] : [matches(TotalsShape, value)])),
    }))
    if (read === null || read.currencies.includes(null) || read.totals.includes(null)) return 'unexpected_shape'
    const secured = new Set(read.totals.flatMap((of) => (of !== null && of.total_col > 0n ? [of.denomination] : [])))
    const before = new Map(this.coins)
    this.oracle = read.oracle
    this.coins.clear()
    for (const currency of read.currencies) {
      if (currency === null) continue
      const { contract, denomination } = currency
      const hasCollateral = secured.has(denomination)
      const was = before.get(contract)
      const emptiedLedger = hasCollateral ? 0 : was?.hasCollateral === true ? ledger : (was?.emptiedLedger ?? 0)
      this.coins.set(contract, { denomination, hasCollateral, emptiedLedger })
    }
    this.dirty.add('pricing_coins')
    return null
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
