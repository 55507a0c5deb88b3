import { type EntryRecord, sc, writeScVal } from '@orrery/ledger'
import { testContract } from '@orrery/testkit'
import { describe, expect, it } from 'vitest'
import { pricePool } from '../src/chain/price-pool.ts'

const pool = testContract('pool')
const [tokenA, tokenB] = [testContract('A'), testContract('B')]
const unknown = () => null
const at = { ledger: 1, closeTimeSeconds: 1_000 }

describe('an Aquarius pool as a price pool', () => {
  const entry = (storage: Parameters<typeof sc.instance>[1][]): EntryRecord => ({
    kind: 'entry',
    tx: 0,
    opIndex: 0,
    index: 0,
    change: 'updated',
    contract: pool,
    key: writeScVal(sc.instanceKey()),
    durability: 'persistent',
    value: writeScVal(sc.instance({ kind: 'wasm', hash: '00'.repeat(32) }, ...storage)),
    before: null,
    liveUntil: null,
  })
  const named = (name: string) => sc.vec(sc.symbol(name))

  it('is read whichever kind it is', () => {
    const constantProduct = entry([
      [named('TokenA'), sc.address(tokenA)],
      [named('TokenB'), sc.address(tokenB)],
      [named('ReserveA'), sc.u128(10n)],
      [named('ReserveB'), sc.u128(30n)],
    ])
    const stable = entry([
      [named('Tokens'), sc.vec(sc.address(tokenA), sc.address(tokenB))],
      [named('Reserves'), sc.vec(sc.u128(1_000_000_000n), sc.u128(1_000_000_000n))],
      [named('Decimals'), sc.vec(sc.u32(7), sc.u32(7))],
      [named('InitialA'), sc.u128(10n)],
      [named('InitialATime'), sc.u64(0n)],
      [named('FutureA'), sc.u128(10n)],
      [named('FutureATime'), sc.u64(0n)],
    ])
    const concentrated = entry([
      [named('Token0'), sc.address(tokenA)],
      [named('Token1'), sc.address(tokenB)],
      [named('Reserve0'), sc.u128(1n)],
      [named('Reserve1'), sc.u128(1n)],
      [named('Slot0'), sc.struct({ sqrt_price_x96: sc.u256(1n << 96n), tick: sc.i32(0) })],
    ])
    const rates = [constantProduct, stable, concentrated].map((record) => {
      const facts = pricePool.read(record, null)
      return facts === null ? null : pricePool.quote(pool, JSON.parse(JSON.stringify(facts)), at)?.rate(0, 1, unknown)
    })
    expect(rates).toEqual([
      { numerator: 30n, denominator: 10n },
      { numerator: 9_990_916n, denominator: 10_000_000n },
      { numerator: 1n << 192n, denominator: 1n << 192n },
    ])
  })

  it('keeps what it knew where an entry has no price', () => {
    expect(pricePool.read(entry([]), null)).toBeNull()
  })
})
