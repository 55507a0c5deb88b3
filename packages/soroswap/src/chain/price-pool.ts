// A Soroswap pair where it serves as a price pool: the ratio of its stored reserves.
// Source: soroswap/core contracts/pair/src/storage.rs: instance keys are bare numbers.

import { address, i128, readInstance, sc, writeScVal } from '@orrery/ledger'
import { constantProductQuote, isInstanceKey } from '@orrery/pricing'
import type { PricePoolFacts, PricePoolReader } from '@orrery/protocol-kit'

interface Facts extends PricePoolFacts {
  readonly tokens: readonly [string, string]
  /** Decimal strings. */
  readonly reserves: readonly [string, string]
}

const KEYS = [0, 1, 2, 3].map((n) => writeScVal(sc.u32(n))) as [Uint8Array, Uint8Array, Uint8Array, Uint8Array]

export const pricePool: PricePoolReader = {
  read(entry, before): Facts | PricePoolFacts | null {
    if (!isInstanceKey(entry.key) || entry.value === null) return before
    const instance = readInstance(entry.value, { contract: entry.contract, what: 'pair instance' })
    const [token0, token1] = [instance.get(KEYS[0], address), instance.get(KEYS[1], address)]
    // A pair that was made and not initialised has no tokens yet.
    if (token0 === null || token1 === null) return before
    const reserves = [instance.get(KEYS[2], i128) ?? 0n, instance.get(KEYS[3], i128) ?? 0n]
    return { tokens: [token0, token1], reserves: reserves.map(String) }
  },

  quote(pool, facts) {
    const { tokens, reserves } = facts as Facts
    return constantProductQuote(pool, tokens, reserves.map(BigInt))
  },
}
