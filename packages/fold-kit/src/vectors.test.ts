// The metadata of tokens of mainnet and testnet, and the example of a fee yield, from the collected vectors.
// The vectors are beside the repository, not in it; without them these tests are skipped.

import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { type Counters, feeYield } from './fee-yield.ts'
import { readTokenMetadata } from './token-entries.ts'

const folder = fileURLToPath(new URL('reference/vectors/', new URL('../../../../shared/', import.meta.url)))
const vectorsOf = (name: string) => JSON.parse(readFileSync(`${folder}${name}.json`, 'utf8'))

interface TokenCase {
  readonly xdr: string
  readonly expect: { readonly name: string; readonly symbol: string; readonly decimals: number }
  readonly expected: { readonly contract: string; readonly key_scval: string }
}

describe.runIf(existsSync(folder))('tokens (from ../shared)', () => {
  it('have their name, symbol and decimals in their instances: a native one, a classic one, and the token of a pool', () => {
    const cases = vectorsOf('blend').sdk_tests.token_instances.entries as TokenCase[]
    for (const { xdr, expected, expect: stated } of cases) {
      // LedgerEntryData: type, extension and contract (44 bytes), the key, the durability, then the value.
      const value = new Uint8Array(Buffer.from(xdr, 'base64')).subarray(44 + Buffer.from(expected.key_scval, 'base64').length + 4)
      // The SDK gives XLM for the native one; its contract has another name.
      const symbol = stated.name === 'native' ? 'native' : stated.symbol
      expect(readTokenMetadata(value, expected.contract)).toEqual({ name: stated.name, symbol, decimals: stated.decimals })
    }
    expect(cases).toHaveLength(3)
  })
})

describe.runIf(existsSync(folder))('the fee yield of a pool (from ../shared)', () => {
  it('is that of a day, and of a week, of the example', () => {
    const { fees_24h_usd, fees_7d_usd, tvl_usd, fee_apr, fee_apr_7d, fee_apy_daily_compounding } = vectorsOf('soroswap').fee_apy_example
    const after = (days: number, fees: number): Counters => {
      const [lpFeesUsd, tvlUsd] = [BigInt(fees) * 100_000_000n, BigInt(tvl_usd) * 100_000_000n]
      const valueSeconds = tvlUsd * BigInt(days * 86_400)
      return { sinceSeconds: 0, atSeconds: days * 86_400, feesUsd: lpFeesUsd, lpFeesUsd, volumeUsd: 0n, valueSeconds, tvlUsd }
    }
    const day = feeYield(null, after(1, fees_24h_usd))
    expect([day.apr, day.apy]).toEqual([String(fee_apr), Number(fee_apy_daily_compounding).toFixed(8)])
    expect(feeYield(null, after(7, fees_7d_usd)).apr).toBe(String(fee_apr_7d))
  })
})
