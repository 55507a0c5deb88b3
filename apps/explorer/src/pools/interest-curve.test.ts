import { describe, expect, it } from 'vitest'
import { borrowApy, borrowRate } from './interest-curve.ts'

const CURVE = {
  target_utilization: '0.8',
  max_utilization: '0.95',
  base_rate: '0.02',
  rate_one: '0.09',
  rate_two: '0.3',
  rate_three: '5',
  reactivity: '0.000002',
  rate_modifier: '0.1',
}

describe('the interest curve of a lending pool', () => {
  it('equals the yield that the API has of a reserve at its utilization', () => {
    // `/v1/pools/{pool_id}` of the recording: Fixed v2, Fixed and Latecomer, their first reserves at ledger 1006527. The contract rounds its rate up.
    expect(borrowApy(CURVE, 0.1349166)).toBeCloseTo(0.00352408, 6)
    expect(borrowApy(CURVE, 0.1859621)).toBeCloseTo(0.00410046, 6)
    expect(borrowApy(CURVE, 0.0173547)).toBeCloseTo(0.0021977, 6)
  })

  it('has no jump where its parts meet', () => {
    // (0.02 + 0.09) · 0.1 at 80 %, (0.02 + 0.09 + 0.3) · 0.1 at 95 %, and 5 more at 100 %.
    expect(borrowRate(CURVE, 0.8)).toBeCloseTo(0.011, 12)
    expect(borrowRate(CURVE, 0.8000001)).toBeCloseTo(0.011, 6)
    expect(borrowRate(CURVE, 0.95)).toBeCloseTo(0.041, 12)
    expect(borrowRate(CURVE, 0.9500001)).toBeCloseTo(0.041, 4)
    expect(borrowRate(CURVE, 1)).toBeCloseTo(5.041, 12)
  })
})
