import { describe, expect, it } from 'vitest'
import { CoinList, hasPar } from './coin-list.ts'
import { contract } from './test-slices.ts'

const at = { ledger: 10, closeTimeSeconds: 1_700_000_400 }
const [oracle, token] = [contract(1), contract(2)]
/** Not asked: a stored row has all of it. */
const reader = { issuers: () => [], read: () => null }

describe('the coins of an issuer', () => {
  it('coins are at par if their row was written by a version without the member for collateral', () => {
    const coins = new CoinList(reader)
    coins.restore('pricing_coins', { oracle, coins: [{ token, denomination: 'USD' }] })
    const coin = coins.coins.get(token)
    expect(coin).toEqual({ denomination: 'USD', hasCollateral: true, emptiedLedger: 0 })
    expect(coin !== undefined && hasPar(coin, at)).toBe(true)
  })

  it('coins are restored from their stored row', () => {
    const row = { oracle, coins: [{ token, denomination: 'EUR', has_collateral: false, emptied_ledger: 9 }] }
    const coins = new CoinList(reader)
    coins.restore('pricing_coins', row)
    expect(coins.value()).toEqual(row)
    expect(coins.coins.get(token)).toEqual({ denomination: 'EUR', hasCollateral: false, emptiedLedger: 9 })
  })
})
