import { describe, expect, it } from 'vitest'
import { earned, emissionIndexAt } from './emission-math.ts'

// blend-contracts-v2 pool/src/emissions/distributor.rs, tests.
describe("the contract's own tests of emissions", () => {
  const data = { index: 23_456_780_000_000n, lastTime: 1_500_000_000n, config: null }
  const config = { eps: 1_000_000_000_000n, expiration: 1_600_000_000n }

  it("the index and the earned BLND of a user are those of the contract's tests", () => {
    const index = emissionIndexAt(data, config, 500_000_000n, 10_000_000n, 1_501_000_000n)
    expect(index).toBe(20_023_456_780_000_000n)
    expect(earned({ index: 12_345_670_000_000n, accrued: 1_000_000n }, 20_000_000n, index, 10n ** 14n)).toBe(4_003_222_222n)
  })

  it('emissions stop at their expiration', () => {
    const late = { ...data, index: 1_234_567_890_000_000n }
    const until = { ...config, expiration: 1_600_000_001n }
    expect(emissionIndexAt(late, until, 1_000_000_000n, 10_000_000n, 1_700_000_000n)).toBe(1_001_234_577_890_000_000n)
  })
})

describe('an account', () => {
  it('an account that came before the emissions earns from their first second', () => {
    expect(earned(null, 10n ** 7n, 5_000_000n, 10n ** 7n)).toBe(5_000_000n)
  })

  it('an account without shares earns nothing more, and keeps what it earned', () => {
    expect(earned(null, 0n, 5_000_000n, 10n ** 7n)).toBe(0n)
    expect(earned({ index: 1n, accrued: 77n }, 0n, 5_000_000n, 10n ** 7n)).toBe(77n)
  })
})

describe('an index', () => {
  const data = { index: 9n, lastTime: 100n, config: null }
  it('the index does not move while the supply is 0, without eps, and after the expiration', () => {
    expect(emissionIndexAt(data, { eps: 5n, expiration: 900n }, 0n, 10n, 200n)).toBe(9n)
    expect(emissionIndexAt(data, { eps: 0n, expiration: 900n }, 5n, 10n, 200n)).toBe(9n)
    expect(emissionIndexAt(data, { eps: 5n, expiration: 100n }, 5n, 10n, 200n)).toBe(9n)
    expect(emissionIndexAt(data, null, 5n, 10n, 200n)).toBe(9n)
  })
})
