import { type EntryRecord, sc, writeScVal } from '@orrery/ledger'
import { testContract } from '@orrery/testkit'
import { describe, expect, it } from 'vitest'
import { pricePool } from '../src/chain/price-pool.ts'

const pool = testContract('pool')
const [tokenA, tokenB] = [testContract('A'), testContract('B')]
const unknown = () => null
const at = { ledger: 1, closeTimeSeconds: 1_000 }

describe('a Soroswap pair as a price pool', () => {
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

  it('has the ratio of its reserves', () => {
    const facts = pricePool.read(
      entry([
        [sc.u32(0), sc.address(tokenA)],
        [sc.u32(1), sc.address(tokenB)],
        [sc.u32(2), sc.i128(10n)],
        [sc.u32(3), sc.i128(20n)],
      ]),
      null,
    )
    expect(facts && pricePool.quote(pool, facts, at)?.rate(0, 1, unknown)).toEqual({ numerator: 20n, denominator: 10n })
  })

  it('keeps what it knew where an entry has no price', () => {
    expect(pricePool.read(entry([]), null)).toBeNull()
  })
})
