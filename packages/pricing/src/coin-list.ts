// Which token is which currency: FxDAO's vaults contract names the token of each denomination, and the feed that it believes.
// Only its instance is read. A code like `EURx` proves nothing: anybody can issue one.

import type { ContractId, EntryRecord, TtlRecord } from '@orrery/ledger'
import { address, matches, struct, symbol, variant } from '@orrery/ledger'
import { isInstanceKey, readStorage, variantKey } from './instance-storage.ts'
import type { Book, Unusable } from './oracle.ts'

const CurrencyKey = variant({ Currency: [symbol] })
const CurrencyShape = struct({ contract: address, denomination: symbol })
const CORE_STATE = variantKey('CoreState')
const CoreShape = struct({ oracle: address })

export class CoinList implements Book {
  readonly dirty = new Set<string>()
  /** The feed that the vaults are valued by, null before the contract is set up. */
  oracle: ContractId | null = null
  /** Denomination by token. */
  readonly coins = new Map<ContractId, string>()

  /** Not `settings`: the same contract has rows of FxDAO's own adapter. */
  static keys(): string[] {
    return ['pricing_coins']
  }

  adopts(record: EntryRecord): boolean {
    return this.oracle === null && isInstanceKey(record.key)
  }

  apply(record: EntryRecord | TtlRecord): Unusable | null {
    if (!isInstanceKey(record.key) || record.kind !== 'entry' || record.value === null) return null
    const read = readStorage(record.value, ({ entries, get }) => ({
      oracle: get(CORE_STATE, CoreShape)?.oracle ?? null,
      currencies: entries.flatMap(({ key, value }) => (matches(CurrencyKey, key) === null ? [] : [matches(CurrencyShape, value)])),
    }))
    if (read === null || read.currencies.includes(null)) return 'unexpected_shape'
    this.oracle = read.oracle
    this.coins.clear()
    for (const currency of read.currencies) if (currency !== null) this.coins.set(currency.contract, currency.denomination)
    this.dirty.add('pricing_coins')
    return null
  }

  value(): unknown {
    if (this.oracle === null) return null
    const coins = [...this.coins].map(([token, denomination]) => ({ token, denomination }))
    return { oracle: this.oracle, coins: coins.sort((a, b) => (a.denomination < b.denomination ? -1 : 1)) }
  }

  restore(_key: string, value: unknown): void {
    const stored = value as { oracle: ContractId; coins: { token: ContractId; denomination: string }[] }
    this.oracle = stored.oracle
    this.coins.clear()
    for (const { token, denomination } of stored.coins) this.coins.set(token, denomination)
  }
}
