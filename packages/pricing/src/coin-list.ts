// Which token is which currency: FxDAO's vaults contract names the token of each denomination, the feed that its vaults are
// valued by, and what the vaults of the denomination hold. Only its instance is read. A code like `EURx` proves nothing: any account can issue
// one.

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

/** What the vaults contract says of a coin. */
export interface Coin {
  readonly denomination: string
  /** The vaults of the denomination hold collateral. Where they hold none, a coin repays and redeems nothing, whatever is still owed. */
  readonly hasCollateral: boolean
  /** Ledger in which the last collateral left; 0 where it holds some, or never had any since the index began. */
  readonly emptiedLedger: number
}

/** Whether the coin is worth one unit of its currency: also in the ledger that repaid or redeemed the last of it, which was done at par. */
export function hasPar({ hasCollateral, emptiedLedger }: Coin, at: At): boolean {
  return hasCollateral || emptiedLedger === at.ledger
}

export class CoinList implements Book {
  readonly dirty = new Set<string>()
  /** The feed that the vaults are valued by, null before the contract is set up. */
  oracle: ContractId | null = null
  /** By token. */
  readonly coins = new Map<ContractId, Coin>()

  /** Not `settings`: the same contract has rows of FxDAO's own adapter. */
  static keys(): string[] {
    return ['pricing_coins']
  }

  adopts(record: EntryRecord): boolean {
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
 * Rows of adapter versions that priced every coin at par lack the last two members. They are read until a newer version is active, and are
 * worth what that version made them worth.
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
