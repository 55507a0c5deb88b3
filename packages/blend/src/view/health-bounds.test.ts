import fc from 'fast-check'
import { expect, it } from 'vitest'
import { accountOf, type PricedReserve, pricedPool } from '../../test/priced-pool.ts'
import type { Positions } from '../chain/values.ts'
import { stepOf } from '../math/health-step.ts'
import { valueAccount } from './account-value.ts'
import { healthFactor, healthFactorOf } from './health.ts'
import { healthBounds, healthTerms } from './health-bounds.ts'

const RATE = 10n ** 12n
const fraction = fc.bigInt({ min: 0n, max: 10_000_000n })
const rate = fc.bigInt({ min: RATE / 2n, max: 3n * RATE })
const reserve: fc.Arbitrary<PricedReserve> = fc.record({
  decimals: fc.constantFrom(2, 6, 7, 18),
  cFactor: fraction,
  lFactor: fraction,
  bRate: rate,
  dRate: rate,
  price: fc.oneof(fc.bigInt({ min: 1n, max: 100n }), fc.bigInt({ min: 1n, max: 10n ** 12n })),
})
const shares = fc.dictionary(
  fc.constantFrom('0', '1', '2', '3', '4'),
  fc.oneof(fc.bigInt({ min: 0n, max: 3n }), fc.bigInt({ min: 0n, max: 10n ** 9n }), fc.bigInt({ min: 0n, max: 10n ** 24n })),
  { maxKeys: 3 },
)
const sharesOf = (of: Record<string, bigint>): ReadonlyMap<number, bigint> =>
  new Map(Object.entries(of).map(([index, amount]) => [Number(index), amount]))

interface Drawn {
  readonly reserves: readonly PricedReserve[]
  readonly positions: Positions
  readonly hasOwn: boolean
}

const drawn: fc.Arbitrary<Drawn> = fc.record({
  reserves: fc.array(reserve, { minLength: 2, maxLength: 4 }),
  positions: fc.record({ collateral: shares.map(sharesOf), liabilities: shares.map(sharesOf), supply: fc.constant(new Map()) }),
  hasOwn: fc.boolean(),
})

function compare({ reserves, positions, hasOwn }: Drawn): { readonly bounded: number | null; readonly exact: number | null } {
  const pool = pricedPool(reserves, hasOwn)
  const health = healthFactor(valueAccount(accountOf(positions), pool), pool)
  expect(healthFactorOf(positions, pool)).toBe(health)
  return { bounded: healthBounds(pool).stepOf(healthTerms(positions)), exact: health === null ? null : stepOf(health) }
}

it('the step that bounds decide is that of the exact health factor, for any rates, prices and amounts down to single units', () => {
  let [decided, all] = [0, 0]
  fc.assert(
    fc.property(drawn, (of) => {
      const { bounded, exact } = compare(of)
      all++
      if (bounded === null) return
      decided++
      expect(bounded).toBe(exact)
    }),
    { numRuns: 20_000, seed: 7 },
  )
  expect(decided).toBeGreaterThan(all / 10)
})

it('bounds do not decide a health factor that is on the edge of a step, and decide those beside it', () => {
  // 1 unit of the reserve is worth 1: collateral at 80 %, debt at 100 %.
  const one: PricedReserve = { decimals: 7, cFactor: 8_000_000n, lFactor: 10_000_000n, bRate: RATE, dRate: RATE, price: 10_000_000n }
  const at = (collateral: bigint) =>
    compare({
      reserves: [one, one],
      positions: { collateral: new Map([[0, collateral]]), liabilities: new Map([[1, 80_000_000_000_000n]]), supply: new Map() },
      hasOwn: true,
    })
  expect(at(120_000_000_000_000n)).toEqual({ bounded: null, exact: 120 })
  expect(at(120_000_000_000_000n - 10n)).toEqual({ bounded: null, exact: 119 })
  expect(at(120_100_000_000_000n)).toEqual({ bounded: 120, exact: 120 })
  expect(at(119_900_000_000_000n)).toEqual({ bounded: 119, exact: 119 })
  expect(at(49_000_000_000_000n)).toEqual({ bounded: 0, exact: 0 })
  expect(at(900_000_000_000_000n)).toEqual({ bounded: 300, exact: 300 })
})
