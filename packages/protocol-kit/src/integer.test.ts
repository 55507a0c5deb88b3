import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { divCeil, divFloor, mulDivCeil, mulDivFloor, sqrtFloor } from './integer.ts'

const any = fc.bigInt({ min: -(2n ** 130n), max: 2n ** 130n })
const positive = fc.bigInt({ min: 1n, max: 2n ** 130n })

describe('integer arithmetic', () => {
  it('floor rounds down and ceil rounds up, for negative and positive numbers', () => {
    expect([divFloor(7n, 2n), divFloor(-7n, 2n), divCeil(7n, 2n), divCeil(-7n, 2n)]).toEqual([3n, -4n, 4n, -3n])
    expect([divFloor(6n, 2n), divFloor(-6n, 2n), divCeil(6n, 2n), divCeil(-6n, 2n)]).toEqual([3n, -3n, 3n, -3n])
    expect([mulDivFloor(10n, 10n, 3n), mulDivCeil(10n, 10n, 3n)]).toEqual([33n, 34n])
  })

  it('floor and ceil enclose the exact quotient', () => {
    fc.assert(
      fc.property(any, positive, (n, d) => {
        const [low, high] = [divFloor(n, d), divCeil(n, d)]
        expect(low * d <= n && n <= high * d && high - low <= 1n).toBe(true)
        expect(high === low).toBe(n % d === 0n)
      }),
    )
  })

  it('sqrtFloor is the largest integer whose square is not above the number', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 2n ** 260n }), (n) => {
        const root = sqrtFloor(n)
        expect(root * root <= n && n < (root + 1n) * (root + 1n)).toBe(true)
      }),
    )
    expect(() => sqrtFloor(-1n)).toThrow(RangeError)
  })
})
